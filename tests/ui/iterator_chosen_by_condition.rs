use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let values = if y.len() > 4 { x.iter() } else { x[1..].iter() };
    for (a, b) in y.iter_mut().zip(values) {
        *a = *b;
    }
}

fn main() {}
