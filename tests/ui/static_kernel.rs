use kernel_runtime::prelude::*;

#[kernel]
static TABLE: [u32; 4] = [1, 2, 3, 4];

#[device]
static WORD: &str = "word";

#[device]
static SLICE: &[u32] = &[1, 2, 3];

fn main() {}
