use kernel_runtime::prelude::*;

#[device]
fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * self::factorial(n - 1) }
}

fn main() {}
