use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut positive = x.iter().filter(|v| **v > 0.0);
    if let Some(first) = positive.next() {
        y[0] = *first;
    }
    let mut values = x.iter();
    y[1] = values.by_ref().take(3).sum();
    y[2] = values.by_ref().sum();
}

fn main() {}
