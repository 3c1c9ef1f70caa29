use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Particle {
    position: Vektor,
}

#[device]
fn length(v: Vektor) -> f32 {
    v.x
}

#[device]
fn of<T: Numbre>(x: T) -> float4 {
    Flot4::new(x)
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Particle { position: y[0] };
    y[0] = length(p.position) + of(y[0]);
}

fn main() {}
