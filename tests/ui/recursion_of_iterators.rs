use kernel_runtime::prelude::*;

#[device]
mod walk {
    pub trait Step {
        fn walk<I: Iterator<Item = u32>>(&self, items: I, left: u32) -> u32;
    }

    pub struct Even;

    pub struct Odd;

    impl Step for Even {
        fn walk<I: Iterator<Item = u32>>(&self, items: I, left: u32) -> u32 {
            if left == 0 { items.sum() } else { Odd.walk(items, left - 1) }
        }
    }

    impl Step for Odd {
        fn walk<I: Iterator<Item = u32>>(&self, mut items: I, left: u32) -> u32 {
            items.next();
            Even.walk(items, left - 1)
        }
    }
}
use walk::*;

#[kernel]
fn run(y: &mut [u32], x: &[u32]) {
    y[0] = Even.walk(x.iter().copied(), 3);
}

fn main() {}
