use kernel_runtime::prelude::*;

#[device(impl)]
struct Stack<const N: usize>([u32; N]);

#[device]
impl<const N: usize> Stack<N> {
    const CAPACITY: usize = N;

    fn new() -> Self {
        Self([0; N])
    }
}

#[device]
const fn slowly(n: usize) -> usize {
    let (mut sum, mut step) = (0, 0);
    while step < 400_000 {
        sum = (sum + step) & 7;
        step += 1;
    }
    sum + n
}

#[device]
const SIZE: usize = slowly(3);

#[kernel]
fn k(y: &mut [u32]) {
    let stack = Stack::<SIZE>::new();
    y[0] = stack.0[0] + Stack::<SIZE>::CAPACITY as u32;
}

fn main() {}
