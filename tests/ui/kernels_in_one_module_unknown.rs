use kernel_runtime::prelude::*;

#[kernels(one_module)]
mod together {
    use kernel_runtime::prelude::*;

    fn unmarked(x: u32) -> u32 {
        x + 1
    }

    #[kernel]
    pub fn unknown(y: &mut [u32]) {
        y[0] = nowhere(y[0]);
    }

    #[kernel]
    pub fn host_only(y: &mut [u32]) {
        y[0] = unmarked(y[0]);
    }
}

fn main() {}
