use kernel_runtime::prelude::*;

#[kernel]
const fn run(n: u32) {}

fn main() {}
