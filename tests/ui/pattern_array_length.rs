use kernel_runtime::prelude::*;

#[device]
fn first(values: [u32; 3]) -> u32 {
    let [a, b] = values;
    a + b
}

fn main() {}
