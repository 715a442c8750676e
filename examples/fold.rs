//! scratch
use skillscope::engine::Workbench;
use skillscope::protocol::*;
use skillscope::report::*;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let b = std::fs::read(&p).unwrap();
    let mut w = Workbench::new();
    let mut q = |_| {};
    w.handle(Job::Open { file: 0, name: "x".into(), size: 0, format: None }, None, &mut q);
    w.handle(Job::Chunk { file: 0 }, Some(&b), &mut q);
    w.handle(Job::Finish { file: 0 }, None, &mut q);
    w.handle(Job::Assemble { files: vec![0] }, None, &mut q);
    let Outcome::Rows { rows } = w.handle(Job::Rows { document: 1, run: 0, view: View { folded: true, ..View::default() }, from: 0, count: 500 }, None, &mut q) else { return };
    for r in rows.rows {
        match r {
            Row::Step(s) => println!("{:4} {} {:10} {:60} {:?} {:?} {}", s.step + 1, s.actor, s.label, s.preview.chars().take(60).collect::<String>(), s.group.map(|g| g.size), s.loops.as_ref().map(|l| (l.round, l.times)), s.failure),
            Row::Fold(f) => println!("   > {}-{} {} {:?} said {} err {}", f.from + 1, f.to + 1, f.count, f.tools, f.said, f.errors),
            Row::Spawn(s) => println!("      spawn {:?}", s),
        }
    }
}
