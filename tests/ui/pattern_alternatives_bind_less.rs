use kernel_runtime::prelude::*;

#[device]
fn first(pair: (u32, u32)) -> u32 {
    match pair {
        (n, 0) | (0, _) => n,
        _ => 0,
    }
}

fn main() {}
