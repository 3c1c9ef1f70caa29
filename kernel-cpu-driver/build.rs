//! Has the library stay in the process once it is loaded.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The driver has threads, and threads of the program have memory of the driver's that is freed when they end. A loader that closes the library, as it
    // does when the program ends, would take the code of both away.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
