use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    assert!(x.len() > 1, concat!("too ", "few"));
    if y.len() == 0 {
        panic!(concat!("em", "pty"));
    }
}

fn main() {}
