use kernel_runtime::prelude::*;

#[kernel]
const N: usize = 4;

fn main() {}
