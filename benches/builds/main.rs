//! How many small kernels the CPU driver builds in a second: a thousand modules of one kernel each, by as many threads as there are processors.
//!
//! A kernel is built from its SPIR-V up to where it can be launched (`zeModuleCreate`, `zeKernelCreate`), and also up to the end of its first launch. `KERNEL_CPU_EXECUTOR` chooses
//! what is made of it: with `native` it is code of the processor before the first launch ends, without the variable kernels are interpreted at first.

mod driver;
#[path = "../detector/kernels.rs"]
#[allow(dead_code, reason = "some of them are enough")]
mod kernels;

use driver::Driver;
use kernel_runtime::KernelDescriptor;
use kernels::{INVERT, SAXPY, SMOOTH};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// Kernels that leave memory alone where there is none.
const KERNELS: [&KernelDescriptor; 3] = [&SAXPY, &SMOOTH, &INVERT];

/// How many kernels are built at once.
const COUNT: usize = 1000;
const ROUNDS: usize = 11;

fn main() {
    let driver = Driver::new();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    for (what, is_launched) in [("built", false), ("built and launched once", true)] {
        for threads in [1, processors] {
            let mut rates: Vec<f64> = (0..ROUNDS).map(|_| rate(&driver, threads, is_launched)).collect();
            rates.sort_by(f64::total_cmp);
            let rate = rates[ROUNDS / 2];
            println!("small kernels {what} in a second by {threads} threads: {rate:.0}");
        }
    }
}

/// How many kernels so many threads build in a second.
fn rate(driver: &Driver, threads: usize, is_launched: bool) -> f64 {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let list = driver.list();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= COUNT {
                        break;
                    }
                    let kernel = list.build(KERNELS[number % KERNELS.len()]);
                    if is_launched {
                        list.launch(&kernel);
                    }
                    list.destroy(kernel);
                }
            });
        }
    });
    COUNT as f64 / start.elapsed().as_secs_f64()
}
