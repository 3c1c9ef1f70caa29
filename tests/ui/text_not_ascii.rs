use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    y[0] = "caf\u{e9}".len() as u32;
}

fn main() {}
