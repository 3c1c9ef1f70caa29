use kernel_runtime::{Buffer, kernel};

#[kernel]
fn k(x: &mut [bf16]) {
    x[0] = x[1];
}

fn main() {
    let _: Option<Buffer<u8>> = None;
}
