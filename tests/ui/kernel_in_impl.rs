use kernel_runtime::prelude::*;

struct Host;

impl Host {
    #[kernel]
    fn run(y: &mut [f32]) {
        y[global_id(0)] = 1.0;
    }
}

fn main() {}
