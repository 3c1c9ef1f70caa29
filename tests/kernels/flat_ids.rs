//! Ids that are taken apart into rows, columns and layers, by quotients, remainders and shifts.

use super::case::Case;
use kernel_runtime::prelude::*;

/// The column is what the rows before leave.
#[kernel]
pub fn transposed(x: &[u32], y: &mut [u32], rows: usize, columns: usize) {
    let i = global_id(0);
    if i < rows * columns {
        let row = i / columns;
        let column = i - row * columns;
        y[column * rows + row] = x[i];
    }
}

/// Four dimensions in another order, in 32 bits.
#[kernel]
pub fn channels_last(x: &[u32], y: &mut [u32], n: u32, c: u32, h: u32, w: u32) {
    let i = global_id(0) as u32;
    if i < n * c * h * w {
        let column = i % w;
        let row = i / w % h;
        let channel = i / (w * h) % c;
        let image = i / (w * h * c);
        y[(((image * h + row) * w + column) * c + channel) as usize] = x[i as usize];
    }
}

/// Sum and difference of elements that are a power of two apart.
#[kernel]
pub fn butterflies_by_shifts(x: &mut [u32], stage: u32) {
    let i = global_id(0);
    let half = 1_usize << stage;
    let group = i >> stage;
    let place = i & (half - 1);
    let a = group * 2 * half + place;
    let b = a + half;
    if b < x.len() {
        let (u, v) = (x[a], x[b]);
        x[a] = u.wrapping_add(v);
        x[b] = u.wrapping_sub(v);
    }
}

/// Exchanges the elements whose places differ in one bit.
#[kernel]
pub fn not_gate(amplitudes: &mut [u32], qubit: u32) {
    let i = global_id(0);
    let mask = (1_usize << qubit) - 1;
    let zero = ((i >> qubit) << (qubit + 1)) | (i & mask);
    let one = zero | (1 << qubit);
    if one < amplitudes.len() {
        let t = amplitudes[zero];
        amplitudes[zero] = amplitudes[one];
        amplitudes[one] = t;
    }
}

pub fn cases() -> Vec<Case> {
    let numbers: Vec<u32> = (100..124).collect();
    let mut turned = vec![0; 24];
    let mut last = vec![0; 24];
    for (i, &number) in numbers.iter().enumerate() {
        turned[i % 6 * 4 + i / 6] = number;
        // Two images of two channels of two rows of three columns.
        let (image, channel, row, column) = (i / 12, i / 6 % 2, i / 3 % 2, i % 3);
        last[((image * 2 + row) * 3 + column) * 2 + channel] = number;
    }
    let butterflies = |stage: usize| {
        let mut x = numbers[..16].to_vec();
        for a in (0..16).filter(|a| a >> stage & 1 == 0) {
            let (u, v) = (x[a], x[a + (1 << stage)]);
            (x[a], x[a + (1 << stage)]) = (u.wrapping_add(v), u.wrapping_sub(v));
        }
        x
    };
    let mut cases = vec![
        Case::of(&TRANSPOSED).input(&numbers).output(&turned).scalar(4_usize).scalar(6_usize).items([32]),
        Case::of(&CHANNELS_LAST)
            .input(&numbers)
            .output(&last)
            .scalar(2_u32)
            .scalar(2_u32)
            .scalar(2_u32)
            .scalar(3_u32)
            .items([40]),
    ];
    for stage in 0..4_usize {
        let gate: Vec<u32> = (0..16).map(|a| numbers[a ^ (1 << stage)]).collect();
        cases.push(
            Case::of(&BUTTERFLIES_BY_SHIFTS)
                .update(&numbers[..16], &butterflies(stage))
                .scalar(stage as u32)
                .items([8]),
        );
        cases.push(Case::of(&NOT_GATE).update(&numbers[..16], &gate).scalar(stage as u32).items([11]));
    }
    cases
}
