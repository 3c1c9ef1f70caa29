use kernel_runtime::prelude::*;

#[device]
fn first(values: [u32; 2]) -> u32 {
    match values {
        [n, 0] => n,
        _ => 0,
    }
}

fn main() {}
