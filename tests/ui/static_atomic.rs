use kernel_runtime::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::AtomicU32;

#[device]
static COUNT: AtomicU32 = AtomicU32::new(0);

#[device]
mod shared {
    pub static TOTAL: super::Mutex<u32> = super::Mutex::new(0);
}

fn main() {}
