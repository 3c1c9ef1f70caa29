use kernel_runtime::prelude::*;

#[device]
const TABLE: [u32; 4] = [1, 2, 3, 4];

#[kernel]
fn run(y: &mut [u32]) {
    TABLE[y[0] as usize] = 5;
    TABLE.reverse();
    TABLE[1..3][0] = 6;
    y[0] = TABLE[0];
}

fn main() {}
