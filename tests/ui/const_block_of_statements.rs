use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    y[0] = const {
        let two = 2;
        two + 1
    };
}

fn main() {}
