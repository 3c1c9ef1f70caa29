use kernel_runtime::prelude::*;

const SCALE: f32 = 2.0;

fn table() -> f32 {
    1.0
}

#[device]
const OFFSET: f32 = SCALE * BIAS;

#[device]
static TABLE: [f32; 2] = [table(), get_table(1)];

#[device]
const LEN: usize = LENGHT;

#[device]
struct Tile {
    values: [f32; LEN],
}

#[kernel]
fn run(y: &mut [f32]) {
    y[LEN] = OFFSET + TABLE[1];
}

fn main() {}
