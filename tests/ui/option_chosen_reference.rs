use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let (mut low, mut high) = (1.0, 2.0);
    let first = if y.len() > 3 { Some(&mut low) } else { None };
    if let Some(value) = first {
        *value = y[0];
    }
    high += low;
    y[0] = high;
}

fn main() {}
