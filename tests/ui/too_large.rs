use kernel_runtime::prelude::*;

#[device]
fn a(x: f32) -> f32 {
    x + x * x + x * x * x
}
#[device]
fn b(x: f32) -> f32 {
    a(a(a(a(a(a(a(a(x))))))))
}
#[device]
fn c(x: f32) -> f32 {
    b(b(b(b(b(b(b(b(x))))))))
}
#[device]
fn d(x: f32) -> f32 {
    c(c(c(c(c(c(c(c(x))))))))
}
#[device]
fn e(x: f32) -> f32 {
    d(d(d(d(d(d(d(d(x))))))))
}
#[kernel]
fn run(y: &mut [f32]) {
    y[0] = e(e(e(e(e(e(e(e(y[0]))))))));
    y[1] = e(e(e(e(e(e(e(e(y[1]))))))));
}

fn main() {}
