use kernel_runtime::prelude::*;

mod maths {
    use kernel_runtime::device;

    #[device]
    pub fn sq(x: f32) -> f32 {
        dbg!(x);
        x * x
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = maths::sq(y[0]);
}

fn main() {}
