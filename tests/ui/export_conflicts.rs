use kernel_runtime::prelude::*;

#[device(import = "noise")]
unsafe fn noise(x: f32) -> f32 {
    x
}

#[device(export = "noise")]
fn own_noise(x: f32) -> f32 {
    unsafe { noise(x) }
}

#[device(export = "endless")]
fn endless(x: u32) -> u32 {
    if x == 0 { 0 } else { endless(x / 2) }
}

// What is wrong with the function itself is said once.
#[device(export = "wrong")]
fn wrong(x: u32) -> u32 {
    x.to_string().len() as u32
}

fn main() {}
