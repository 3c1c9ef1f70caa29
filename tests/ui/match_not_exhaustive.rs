use kernel_runtime::prelude::*;

#[device]
fn name(n: u32) -> u32 {
    match n {
        0 => 1,
        1..=9 => 2,
    }
}

fn main() {}
