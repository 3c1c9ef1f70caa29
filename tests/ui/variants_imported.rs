use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Colour {
    Red,
    Green,
}

use Colour::*;

#[kernel]
fn run(y: &mut [u32]) {
    let colour = if y[0] > 1 { Red } else { Green };
    y[global_id(0)] = colour as u32;
}

fn main() {}
