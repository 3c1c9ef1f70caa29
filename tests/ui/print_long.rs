use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f64]) {
    let values = [[x[0]; 9]; 15];
    println!("{values:?}");
}

fn main() {}
