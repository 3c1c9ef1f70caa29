use kernel_runtime::prelude::*;

#[device]
mod scales {
    pub const SCALE: f32 = 2.0;

    macro_rules! scaled {
        ($v:expr) => {
            $v * $crate::scales::SCALE
        };
    }

    pub fn scale(x: f32) -> f32 {
        scaled!(x)
    }
}

fn main() {}
