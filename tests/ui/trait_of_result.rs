use kernel_runtime::prelude::*;

#[device]
mod seeds {
    pub trait Make<T> {
        fn make(seed: u32) -> T;
    }

    pub struct Seed;

    impl Make<u32> for Seed {
        fn make(seed: u32) -> u32 {
            seed
        }
    }

    impl Make<f32> for Seed {
        fn make(seed: u32) -> f32 {
            seed as f32
        }
    }
}

use seeds::Make;

#[kernel]
fn run(y: &mut [u32]) {
    let made = seeds::Seed::make(3);
    y[0] = 1;
    let wrong: bool = seeds::Seed::make(3);
}

fn main() {}
