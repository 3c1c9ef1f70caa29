use kernel_runtime::prelude::*;

#[device]
mod counters {
    pub static mut COUNT: u32 = 0;
}

fn main() {}
