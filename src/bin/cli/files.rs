//! Files of the command line as one drop: paths are walked, read in chunks and opened in a workbench.

use std::io::Read;
use std::path::{Path, PathBuf};

use skillscope::engine::Workbench;
use skillscope::protocol::Job;

/// Every file below a path, in order of name.
pub fn walk(path: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|e| e.ok().map(|e| e.path())).collect();
        entries.sort();
        for entry in entries {
            walk(&entry, out)?;
        }
    } else {
        out.push(path.to_owned());
    }
    Ok(())
}

/// Opens files as one drop. What cannot be read is said on standard error; an error when nothing could.
pub fn open(paths: &[String]) -> Result<Workbench, String> {
    let mut bench = Workbench::new();
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let mut one = |bench: &mut Workbench, name: String, read: std::io::Result<Box<dyn Read>>| {
        let file = files.len() as u32;
        let mut quiet = |_| {};
        let mut reader = match read {
            Ok(reader) => reader,
            Err(e) => return problems.push(format!("{name}: {e}")),
        };
        bench.handle(Job::Open { file, name: name.clone(), size: 0, format: None }, None, &mut quiet);
        let mut buffer = vec![0u8; 1 << 20];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    bench.handle(Job::Chunk { file }, buffer.get(..n), &mut quiet);
                }
                Err(e) => {
                    bench.handle(Job::Cancel { file }, None, &mut quiet);
                    return problems.push(format!("{name}: {e}"));
                }
            }
        }
        bench.handle(Job::Finish { file }, None, &mut quiet);
        files.push(file);
    };
    for path in paths {
        if path == "-" {
            one(&mut bench, "standard input".into(), Ok(Box::new(std::io::stdin())));
            continue;
        }
        let mut found = Vec::new();
        if let Err(e) = walk(Path::new(path), &mut found) {
            one(&mut bench, path.clone(), Err(e));
        }
        for file in found {
            let read = std::fs::File::open(&file).map(|f| Box::new(f) as Box<dyn Read>);
            one(&mut bench, file.display().to_string(), read);
        }
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    if files.is_empty() {
        return Err("no file could be read".into());
    }
    bench.handle(Job::Assemble { files }, None, &mut |_| {});
    Ok(bench)
}
