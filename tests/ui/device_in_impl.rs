use kernel_runtime::prelude::*;

struct Host;

impl Host {
    #[device]
    fn half(x: f32) -> f32 {
        x * 0.5
    }
}

fn main() {}
