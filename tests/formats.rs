//! The table of formats and the names that the page shows are in step.

use skillscope::import;
use skillscope::message::findings;
use skillscope::report;

#[test]
fn the_page_names_what_is_read() {
    for format in import::FORMATS {
        let line = report::format_line(format.id).unwrap_or_else(|| panic!("{} is not in report::FORMATS", format.id));
        assert_eq!(line.label, format.label, "{}", format.id);
        let files = findings::both(&format!("format.{}", format.id));
        assert_eq!(files.map(|(en, _)| en), Some(format.files), "{}: message and table differ", format.id);
    }
    assert_eq!(report::FORMATS.len(), import::FORMATS.len(), "report::FORMATS names a format that nothing reads");
}
