use kernel_runtime::prelude::*;

enum Mode {
    Fast,
    Slow,
}

#[kernel]
fn run(y: &mut [f32]) {
    let mode = Mode::Fast;
    if let Mode::Slow = mode {
        y[0] = 1.0;
    }
}

fn main() {}
