use kernel_runtime::prelude::*;

#[kernel]
fn blocks(x: &[f32], z: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let part = if i > 3 { x } else { z };
    y[i] = f32x4::from_slice(part).reduce_sum();
}

#[kernel]
fn pointers(x: &[f32], z: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let part = if i > 3 { x } else { z };
    // SAFETY: there is an element.
    y[i] = unsafe { *part.as_ptr() };
}

#[kernel]
fn too_many(y: &mut [u32]) {
    let i = global_id(0);
    let part: &[u32] = match i {
        0 => &[0, 1],
        1 => &[1, 2],
        2 => &[2, 3],
        3 => &[3, 4],
        4 => &[4, 5],
        5 => &[5, 6],
        6 => &[6, 7],
        7 => &[7, 8],
        8 => &[8, 9],
        9 => &[9, 10],
        10 => &[10, 11],
        11 => &[11, 12],
        12 => &[12, 13],
        13 => &[13, 14],
        14 => &[14, 15],
        15 => &[15, 16],
        _ => &[16],
    };
    y[i] = part[i % part.len()];
}

fn main() {}
