use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32]) {
    let i = global_id(0);
    println!("{} {}", x[i]);
    println!("{}", x[i], i);
    println!("{:x}", x[i]);
    println!("{:i$} {y}", x[i]);
    println!("{", x[i]);
    println!("{:width$}", x[i], width = -1);
}

fn main() {}
