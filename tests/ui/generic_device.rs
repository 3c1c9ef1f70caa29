use kernel_runtime::prelude::*;

#[device]
fn id<T>(x: T) -> T {
    x
}

fn main() {}
