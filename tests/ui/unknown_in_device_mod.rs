use kernel_runtime::prelude::*;

fn host(x: f32) -> f32 {
    x
}

#[device]
mod shapes {
    use super::*;

    pub fn index() -> usize {
        global_idx(0)
    }

    pub fn twice(x: f32) -> f32 {
        host(x) + half(x) + own(x)
    }

    fn own(x: f32) -> f32 {
        x
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[shapes::index()] = shapes::twice(y[0]);
}

fn main() {}
