use kernel_runtime::prelude::*;

#[device]
mod lists {
    #[derive(Clone, Copy)]
    pub struct Pair<T>(pub T, pub T);

    pub fn depth<T: Copy>(x: T, n: i32) -> i32 {
        if n == 0 { 0 } else { depth(Pair(x, x), n - 1) + 1 }
    }
}

#[kernel]
fn run(y: &mut [i32]) {
    y[0] = lists::depth(1.0_f32, 2);
}

fn main() {}
