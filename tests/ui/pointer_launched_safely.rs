use kernel_runtime::prelude::*;

#[kernel]
unsafe fn run(x: *const f32, y: &mut [f32]) {
    // SAFETY: who launches the kernel vouches for it.
    y[global_id(0)] = unsafe { *x };
}

fn launch(x: &Buffer<f32>, y: &mut Buffer<f32>) {
    let _ = run(x.as_ptr(), y);
}

fn main() {}
