use kernel_runtime::prelude::*;

#[kernels(one_module)]
mod together {
    use kernel_runtime::prelude::*;

    #[kernel(N = _)]
    pub fn scaled<const N: u32>(y: &mut [u32]) {
        y[global_id(0)] *= N;
    }

    #[kernel]
    #[cfg(target_pointer_width = "64")]
    pub fn conditional(y: &mut [u32]) {}

    pub mod inner {
        use kernel_runtime::prelude::*;

        #[kernel]
        pub fn elsewhere(y: &mut [u32]) {}
    }

    #[kernel]
    pub fn of_another_type(y: &mut [u32]) {
        y[0] = 1.5;
    }

    #[kernel]
    pub fn recursive(y: &mut [u32]) {
        recursive(y);
    }

    #[kernel]
    pub fn right(y: &mut [u32]) {
        y[global_id(0)] = 1;
    }
}

#[kernels(one_module = true)]
mod with_a_value {
    use kernel_runtime::prelude::*;

    #[kernel]
    pub fn run(y: &mut [u32]) {}
}

#[kernel(one_module)]
fn alone(y: &mut [u32]) {}

fn main() {}
