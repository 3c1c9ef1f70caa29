use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    fn down(n: u32) -> u32 {
        if n == 0 { 0 } else { down(n - 1) }
    }
    y[0] = down(x[0]);
}

fn main() {}
