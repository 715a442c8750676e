//! Every importer on small files of ours: what it reads, and that name, line ends, byte order mark and gzip change
//! nothing. One module a format.

mod common;

mod claude_code {
    use super::common::check_import;

    #[test]
    fn one_message_over_two_lines_counts_once() {
        check_import(
            "claude-code",
            "claude-code/parallel.jsonl",
            r#"
            run s-1 "Count the files" by Claude Code 2.1.0 with model-a
            person Count the files
            [1] Bash {"command":"ls a"} => ok x⏎y
            [1] Bash {"command":"ls b"} => error no such folder
            say Two.
            usage in 33 out 11 cached 10
            "#,
        );
    }
}
