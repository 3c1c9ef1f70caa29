use kernel_runtime::prelude::*;

#[device]
#[repr(u32)]
#[derive(Clone, Copy)]
enum Mode {
    Add,
    Multiply,
}

#[kernel]
fn run(mode: Mode, y: &mut [f32]) {
    y[0] = match mode {
        Mode::Add => 1.0,
        Mode::Multiply => 2.0,
    };
}

fn main() {}
