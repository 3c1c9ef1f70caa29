use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct View<'a> {
    data: &'a [f32],
    at: usize,
}

#[kernel]
fn run(x: &[f32], z: &[f32], y: &mut [f32]) {
    let mut view = View { data: x, at: 0 };
    view.at += 1;
    if y[0] > 0.0 {
        view = View { data: z, at: 2 };
    }
    y[0] = view.data[view.at];
}

fn main() {}
