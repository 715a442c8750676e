//! The only place that knows the browser: files, worker, address, storage, clipboard, network.
//! Everything else calls these functions, so that what the page may touch can be read here.

pub mod carried;
pub mod dom;
pub mod drag;
pub mod files;
pub mod http;
pub mod idle;
pub mod look;
pub mod mermaid;
pub mod messages;
pub mod worker;
