use kernel_runtime::prelude::*;

#[device]
mod narrow {
    #[device(import = "twice")]
    pub unsafe fn twice(x: u32) -> u32 {
        2 * x
    }
}

#[device]
mod wide {
    #[device(import = "twice")]
    pub unsafe fn twice(x: u64) -> u64 {
        2 * x
    }
}

#[kernels(one_module)]
mod together {
    use super::{narrow, wide};
    use kernel_runtime::prelude::*;

    #[kernel]
    pub fn first(y: &mut [u32]) {
        y[global_id(0)] = unsafe { narrow::twice(y[global_id(0)]) };
    }

    #[kernel]
    pub fn second(y: &mut [u64]) {
        y[global_id(0)] = unsafe { wide::twice(y[global_id(0)]) };
    }
}

fn main() {}
