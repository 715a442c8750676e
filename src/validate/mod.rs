//! Checks: a run or a document -> findings. Never fails.
