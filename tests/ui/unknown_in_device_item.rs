use kernel_runtime::prelude::*;

#[device]
fn twice(x: f32) -> f32 {
    doubel(x) + OFSET
}

#[device]
#[derive(Clone, Copy)]
struct Particle {
    position: Vektor,
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = twice(y[0]);
}

fn main() {}
