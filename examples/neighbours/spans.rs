//! Runs the example whose subscriber is for the whole process.

mod spans_of_tracing;

fn main() -> kernel_runtime::Result<()> {
    spans_of_tracing::main()
}
