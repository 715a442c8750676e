//! The same engine over files (bin `skillscope`).
fn main() {}
