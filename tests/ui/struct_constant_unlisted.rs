use kernel_runtime::prelude::*;

#[device(impl Default)]
struct Stack<const N: usize>([u32; N]);

#[device]
impl<const N: usize> Default for Stack<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

#[device]
impl<const N: usize> Stack<N> {
    const CAPACITY: usize = N;
}

#[kernel]
fn k(y: &mut [u32]) {
    y[0] = Stack::<4>::CAPACITY as u32;
}

fn main() {}
