use kernel_runtime::prelude::*;

#[device]
struct Stack<const N: usize>([u32; N]);

#[device]
impl<const N: usize> Stack<N> {
    const CAPACITY: usize = N;
}

#[kernel]
fn k(y: &mut [u32]) {
    y[0] = Stack::<4>::CAPACITY as u32;
}

fn main() {}
