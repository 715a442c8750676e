//! Our own analysis pages: the runs that such a page carries, read as what they were.
//!
//! The page is a wrapping like an archive: each document in it is a file in our own run format, and keeps its name. A
//! note of the report says where its reader began; the page goes there. O(bytes).

use super::intake::{FileImport, Source, import_bytes};
use crate::model::Note;
use crate::share::container;
pub use crate::share::container::{Carried, is_page, read as page_from};

/// The note that says where a shared page begins; its value `view` is the address's hash.
pub const NOTE: &str = "note.page";

/// The documents of a page; `None` when it is damaged.
pub fn import_page(bytes: &[u8]) -> Option<Vec<FileImport>> {
    let carried = container::read(bytes)?;
    if carried.documents.is_empty() {
        return None;
    }
    let mut out = Vec::new();
    for document in carried.documents {
        for mut import in import_bytes(&document.name, document.text.as_bytes(), None) {
            import.report.wrapped.insert(0, "page".into());
            let view = vec![("view".to_owned(), carried.view.clone())];
            import.report.notes.push(Note { id: NOTE.into(), args: view });
            import.source = Source::Text(document.text.clone());
            // Nobody is asked to read a page again as something else.
            import.bytes = None;
            if out.is_empty() {
                import.notes = carried.notes.clone();
            }
            out.push(import);
        }
    }
    Some(out)
}
