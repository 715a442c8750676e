//! The analysis worker: decodes a job, hands it to the `Workbench`, posts progress and the answer.
fn main() {}
