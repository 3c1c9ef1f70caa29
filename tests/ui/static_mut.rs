use kernel_runtime::prelude::*;

#[device]
static mut COUNT: u32 = 0;

#[kernel]
fn run(y: &mut [u32]) {
    static mut TOTAL: u32 = 0;
    y[0] = unsafe { TOTAL };
}

fn main() {}
