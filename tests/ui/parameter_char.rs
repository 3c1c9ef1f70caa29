use kernel_runtime::prelude::*;

#[kernel]
fn run(letter: char, y: &mut [f32]) {}

fn main() {}
