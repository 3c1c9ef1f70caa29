//! Structs with vectors and halves in them, which are aligned to more than the scalars are.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wide {
    tag: u8,
    direction: f32x3,
    half: f16,
    counts: u16x4,
    lanes: [i32x2; 3],
    last: u8,
    row: f32x16,
    end: i8,
}

#[device]
fn combine(wide: &Wide, i: usize) -> f32 {
    let sum = wide.direction + f32x3::splat(wide.tag as f32);
    let lanes = wide.lanes[i % 3];
    let counts = wide.counts[i % 4] as f32 + wide.half.to_f32();
    sum[i % 3] + counts + (lanes[0] * lanes[1]) as f32 + wide.row[i] + (wide.last as f32) * (wide.end as f32)
}

#[kernel]
pub fn vectors_by_value(wide: Wide, out: &mut [f32]) {
    let i = global_id(0);
    out[i] = combine(&wide, i);
}

#[device]
fn turn(wide: &mut Wide, i: usize) {
    let by = i as f32;
    wide.direction = f32x3::from_array([wide.direction[1], by, wide.direction[0]]);
    wide.lanes[i % 3][1] -= i as i32;
    wide.row += f32x16::splat(by);
    wide.half = f16::from_f32(by * 0.5);
    wide.counts = u16x4::splat(wide.last as u16);
    wide.end = -wide.end;
}

#[kernel]
pub fn vectors_of_elements(elements: &mut [Wide], out: &mut [f32]) {
    let i = global_id(0);
    turn(&mut elements[i], i);
    let copy = elements[i];
    out[i] = combine(&copy, i);
}

fn wide(n: i32) -> Wide {
    let float = n as f32;
    Wide {
        tag: n as u8,
        direction: f32x3::from_array([float, -float, 0.5]),
        half: f16::from_f32(float + 0.25),
        counts: u16x4::from_array([1, 20, 300, 4000]),
        lanes: [i32x2::from_array([n, 3]), i32x2::from_array([-n, 5]), i32x2::from_array([7, n + 1])],
        last: 9,
        row: f32x16::from_array(std::array::from_fn(|lane| lane as f32 * 2.0 - float)),
        end: n as i8 - 2,
    }
}

pub fn cases() -> Vec<Case> {
    let combined: Vec<f32> = (0..16).map(|i| combine(&wide(4), i)).collect();
    let before: Vec<Wide> = (0..6).map(wide).collect();
    let mut after = before.clone();
    after.iter_mut().enumerate().for_each(|(i, wide)| turn(wide, i));
    let turned: Vec<f32> = after.iter().enumerate().map(|(i, wide)| combine(wide, i)).collect();
    vec![
        Case::of(&VECTORS_BY_VALUE).value(wide(4)).output(&combined).items([16]),
        Case::of(&VECTORS_OF_ELEMENTS).update(&before, &after).output(&turned).items([6]),
    ]
}
