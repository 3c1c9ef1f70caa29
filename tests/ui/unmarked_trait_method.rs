use kernel_runtime::prelude::*;

trait Doubled {
    fn doubled(self) -> Self;
}

impl Doubled for f32 {
    fn doubled(self) -> Self {
        self + self
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = y[0].doubled();
}

fn main() {}
