use kernel_runtime::prelude::*;

#[device(export = "waits")]
fn waits() {
    barrier();
}

#[device]
fn sum(x: f32) -> f32 {
    work_group::reduce_add(x)
}

#[device(export = "sums")]
fn sums(x: f32) -> f32 {
    sum(x) + subgroup::broadcast(x, 0)
}

#[device(export = "prints")]
fn prints(x: f32) -> f32 {
    println!("nothing but text");
    eprintln!("{x}");
    x
}

fn main() {}
