#![forbid(unsafe_code)]

use kernel_runtime::prelude::*;

#[kernels(unsafe(unchecked))]
mod vouched {
    use kernel_runtime::prelude::*;

    #[kernel]
    pub fn run(y: &mut [f32]) {
        y[global_id(0)] = 1.0;
    }
}

fn main() {
    let _ = &vouched::RUN;
}
