use kernel_runtime::prelude::*;

#[device]
struct Grid<const N: usize> {
    cells: [f32; N],
}

#[device]
fn sum<const M: usize>(x: &[f32]) -> f32 {
    let mut part = [0.0; M];
    part[0] = x[0];
    part[0]
}

#[kernel(N = _)]
fn run<const N: usize>(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; N]>::new();
    let array = [0.0_f32; N];
    let grid = Grid::<N> { cells: [1.0; N] };
}

#[kernel(N = _)]
fn call<const N: usize>(x: &[f32], y: &mut [f32]) {
    y[0] = sum::<N>(x);
}

fn main() {}
