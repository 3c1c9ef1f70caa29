use kernel_runtime::prelude::*;

#[device]
mod hashed {
    use std::hash::{Hash, Hasher};

    pub struct Sum(pub u64);

    impl Hasher for Sum {
        fn finish(&self) -> u64 {
            self.0
        }

        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 += u64::from(*byte);
            }
        }
    }

    pub fn sum(numbers: &[u16]) -> u64 {
        let mut sum = Sum(0);
        numbers.hash(&mut sum);
        sum.finish()
    }
}

#[kernel]
fn run(x: &[u16], y: &mut [u64]) {
    y[global_id(0)] = hashed::sum(x);
}

fn main() {}
