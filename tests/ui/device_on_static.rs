use kernel_runtime::prelude::*;

#[device]
static N: usize = 4;

fn main() {}
