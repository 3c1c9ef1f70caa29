use kernel_runtime::prelude::*;

type Step = fn(u32) -> u32;

#[device]
fn once(x: u32) -> u32 {
    x + 1
}

#[device]
fn of_closures(x: u32, i: usize) -> u32 {
    let steps = [|y| y + x; 2];
    steps[i](1)
}

#[device]
fn chosen(i: usize) -> fn(u32) -> u32 {
    if i > 1 { once } else { itself }
}

#[device]
fn itself(x: u32) -> u32 {
    chosen(x as usize)(x)
}

#[device]
fn foreign(f: unsafe fn(u32) -> u32) -> u32 {
    unsafe { f(1) }
}

#[kernel]
fn run(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = of_closures(y[i], i) + itself(3);
}

fn main() {}
