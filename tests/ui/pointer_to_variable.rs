use kernel_runtime::prelude::*;

#[device]
static TABLE: [f32; 2] = [1.0, 2.0];

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 8]>::new();
    let array = [x[0], x[1]];
    let number = x[0];
    let pointers = [
        array.as_ptr(),
        &raw const number,
        &array[1] as *const f32,
        tile.as_mut_ptr() as *const f32,
        TABLE.as_ptr(),
    ];
    y[0] = pointers.len() as f32;
}

fn main() {}
