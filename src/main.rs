//! Mounts the page (feature `app`). Everything else is in `web`.
fn main() {
    skillscope::web::start();
}
