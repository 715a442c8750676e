//! The same engine over files (bin `skillscope`). One file a command; this one knows which there are.
//!
//! Exit codes: 0 fine, 1 findings of severity error or a failed match, 2 usage or no input that could be read,
//! 3 incomplete. One bad file among good ones is in its own report.

mod check;
mod compare;
mod convert;
mod diagram;
mod files;
mod inspect;
mod matching;
mod page;

use std::io::Write;
use std::process::ExitCode;

/// A command: its word, its usage, and what it does with the rest of the line.
pub struct Command {
    pub word: &'static str,
    /// Behind the word, for the usage text.
    pub usage: &'static str,
    pub run: fn(&[String]) -> Result<Answer, String>,
}

/// Every command.
const COMMANDS: &[Command] = &[
    inspect::COMMAND,
    compare::COMMAND,
    matching::COMMAND,
    diagram::COMMAND,
    check::COMMAND,
    convert::COMMAND,
    page::COMMAND,
];

/// What a command says, and the exit code that goes with it. `Err` of a command is a message and code 2.
pub struct Answer {
    pub text: String,
    /// Said on standard error, behind the text.
    pub complaint: Option<String>,
    pub code: u8,
}

impl Answer {
    /// Fine: exit code 0.
    pub fn fine(text: String) -> Self {
        Self { text, complaint: None, code: 0 }
    }
}

/// The usage of every command.
pub fn usage() -> String {
    let mut out = String::new();
    for (i, command) in COMMANDS.iter().enumerate() {
        let lead = if i == 0 { "usage: " } else { "       " };
        out.push_str(&format!("{lead}skillscope {} {}\n", command.word, command.usage));
    }
    out.push_str("       - reads standard input; a folder is read with everything in it");
    out
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (word, rest) = match args.split_first() {
        Some((word, rest)) => (word.as_str(), rest),
        None => ("", &[][..]),
    };
    if word == "--help" || word == "-h" {
        print(&usage());
        return ExitCode::SUCCESS;
    }
    let result = match COMMANDS.iter().find(|c| c.word == word) {
        Some(command) => (command.run)(rest),
        None => Err(usage()),
    };
    match result {
        Ok(answer) => {
            print(&answer.text);
            if let Some(complaint) = answer.complaint {
                eprintln!("{complaint}");
            }
            ExitCode::from(answer.code)
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Writes to standard output; a closed pipe is the reader's business.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.trim_end().as_bytes()).and_then(|()| out.write_all(b"\n"));
}
