use kernel_runtime::prelude::*;

#[derive(Clone, Copy, Debug)]
#[device]
struct Pair {
    left: f32,
    right: f32,
}

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let pair = Pair { left: x[0], right: x[1] };
    if pair.left < pair.right {
        panic!("a {pair:?}");
    }
    let absent: Option<f32> = None;
    y[0] = absent.expect(if x[0] < 1.0 { "one" } else { "two" });
}

fn main() {}
