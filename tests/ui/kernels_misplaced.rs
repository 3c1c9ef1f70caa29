use kernel_runtime::prelude::*;

#[kernels(unsafe(unchecked))]
#[kernel]
fn run(y: &mut [f32]) {}

#[kernels(unsafe(unchecked))]
mod nothing {
    pub fn run() {}
}

#[kernels(fp = "exact")]
mod wrong {
    use kernel_runtime::prelude::*;

    #[kernel]
    pub fn run(y: &mut [f32]) {}

    #[kernel(fp = "strict")]
    pub fn other(y: &mut [f32]) {}
}

fn main() {}
