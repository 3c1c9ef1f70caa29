use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    for v in y.iter().rev().cycle() {
        let text = c"text";
        let double = v * 2.0;
    }
}

fn main() {}
