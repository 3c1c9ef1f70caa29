use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [u32]) {
    union Bits {
        float: f32,
        word: u32,
    }
    let bits = Bits { float: x[0] };
    y[0] = unsafe { bits.word };
}

fn main() {}
