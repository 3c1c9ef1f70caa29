use kernel_runtime::prelude::*;

// rustc knows that the call never happens; the kernel compiler does not, and says so rather than nothing.
#[device]
fn sq(x: f32) -> f32 {
    x * x
}

#[device]
fn one() -> f32 {
    sq(return 1.0);
}

fn main() {}
