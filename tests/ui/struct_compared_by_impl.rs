use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Angle {
    degrees: i32,
}

impl PartialEq for Angle {
    fn eq(&self, other: &Self) -> bool {
        self.degrees % 360 == other.degrees % 360
    }
}

#[kernel]
fn run(y: &mut [i32]) {
    if (Angle { degrees: y[0] } == Angle { degrees: 0 }) {
        y[0] = 1;
    }
}

fn main() {}
