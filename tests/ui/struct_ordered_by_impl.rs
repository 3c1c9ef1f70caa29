use kernel_runtime::prelude::*;
use std::cmp::Ordering;

#[device]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Priority(u32);

impl PartialOrd for Priority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Priority {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

#[kernel]
fn run(y: &mut [u32]) {
    let mut pairs = [(1, Priority(y[0])), (2, Priority(y[1]))];
    if pairs[0] < pairs[1] {
        pairs.sort_unstable();
    }
    y[0] = pairs.iter().max().unwrap().0;
}

fn main() {}
