use kernel_runtime::prelude::*;

#[device]
fn index(n: usize) -> usize {
    global_idx(0) + get_global_id(0) + n
}

#[device]
fn wait(x: f32) -> f32 {
    __syncthreads();
    barier();
    doubel(x) + OFSET
}

#[device]
fn generic<T: Number>(x: T) -> T {
    twise(x)
}

#[kernel]
fn run(y: &mut [f32]) {
    y[index(0)] = wait(generic(1.0));
}

fn main() {}
