use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if x.len() > 0 {
        let mut tile = Local::<[f32; 4]>::new();
        tile[0] = x[0];
    }
}

fn main() {}
