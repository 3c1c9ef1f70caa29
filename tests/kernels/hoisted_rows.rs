//! Checks that the host makes for the whole launch, of places in rows: of what its row is known of, or a part of a slice, or that the whole row is inside, and of offsets from a
//! table; and slots of tables, and pairs.

use super::case::{Case, ExpectedFault};
use super::hoisted_signed::{met, numbers, outside, unmet};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// The row of an id is below the number of rows, and so the id below that of elements.
#[kernel]
pub fn flat_rows(x: &[u32], y: &mut [u32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let i = global_id(0);
    if i / w >= h {
        return;
    }
    y[i] = x[i] + 1;
}

/// Neighbours on a torus, whose offsets are in tables.
#[kernel]
pub fn offsets_of_a_table(x: &[u32], y: &mut [u32], n: i32) {
    const OFFSETS: [i32; 4] = [-1, 0, 2, 1];
    let i = global_id(0) as i32;
    if i >= n {
        return;
    }
    let mut sum = 0;
    for k in 0..4 {
        sum = sum * 10 + x[((i - OFFSETS[k] + n) % n) as usize];
    }
    y[i as usize] = sum;
}

/// The first elements of what is left.
#[kernel]
pub fn first_of_the_rest(x: &[u32], y: &mut [u32], n: u32) {
    let row = global_id(0);
    let n = n as usize;
    if row < y.len() {
        y[row] = x[row * n..][..n].iter().sum();
    }
}

/// A guard that the whole row is inside.
#[kernel]
pub fn whole_rows(x: &[u32], y: &mut [u32], n: u32) {
    let n = n as usize;
    let r = global_id(0);
    if (r + 1) * n > x.len() {
        return;
    }
    for c in 0..n {
        y[r * n + c] = x[r * n + c] + 1;
    }
}

/// Where a key is in a table, looked for from a slot on that a mask keeps in it.
#[kernel]
pub fn probed(keys: &[u32], table: &[u32], found: &mut [u32]) {
    let i = global_id(0);
    if i < found.len() {
        let mask = table.len().wrapping_sub(1);
        let mut slot = keys[i] as usize & mask;
        for _ in 0..table.len() {
            if table[slot] == keys[i] {
                found[i] = slot as u32;
                return;
            }
            slot = slot.wrapping_add(1) & mask;
        }
        found[i] = 77;
    }
}

/// The same by a remainder, which a number of slots that is not that of the table may not keep in it.
#[kernel]
pub fn probed_by_remainder(keys: &[u32], table: &[u32], found: &mut [u32], slots: usize) {
    let i = global_id(0);
    if i < found.len() {
        let mut slot = keys[i] as usize % slots;
        for _ in 0..4 {
            if table[slot] == keys[i] {
                found[i] = slot as u32;
                return;
            }
            slot = (slot + 1) % slots;
        }
        found[i] = 77;
    }
}

/// Pairs whose distance is a power of two, which may have more than 32 bits.
#[kernel]
pub fn pairs(x: &[u32], y: &mut [u32], bit: u32) {
    let i = global_id(0);
    if i < y.len() / 2 {
        let stride = 1_usize << bit;
        let a = (i / stride).wrapping_mul(2).wrapping_mul(stride) + i % stride;
        let b = a.wrapping_add(stride);
        y[a] = x[b];
        y[b] = x[a];
    }
}

fn probed_cases() -> Vec<Case> {
    let keys = [0_u32, 1, 5, 6, 9, 13, 100, u32::MAX];
    let probe = |table: &[u32]| {
        let mask = table.len().wrapping_sub(1);
        keys.map(|key| {
            let slots = (0..table.len()).scan(key as usize & mask, |slot, _| {
                let found = *slot;
                *slot = (found + 1) & mask;
                Some(found)
            });
            slots.into_iter().find(|slot: &usize| table[*slot] == key).map_or(77, |slot| slot as u32)
        })
    };
    let tables: [&[u32]; 5] = [&[0, 1, 9, 13, 6, 5, 100, 3], &[9, 5, 13, 1], &[6], &[1, 2, 5], &[]];
    let of = |table: &&[u32]| {
        Case::of(&PROBED).input(&keys).input(*table).output(&probe(table)).items([keys.len()])
    };
    let mut cases: Vec<Case> = tables.iter().map(of).collect();
    let by_remainder = |slots: usize, found: &[u32; 8], unwritten: &[usize]| {
        let case = Case::of(&PROBED_BY_REMAINDER).input(&keys).input(&[9_u32, 6, 5, 13]).output(found);
        case.unwritten(unwritten.iter().copied()).scalar(slots).items([keys.len()])
    };
    cases.push(met(by_remainder(4, &[77, 77, 2, 1, 0, 3, 77, 77], &[])));
    cases.push(met(by_remainder(3, &[77, 77, 2, 1, 0, 77, 77, 77], &[])));
    // Those leave the table that do not find their key before.
    let left = by_remainder(5, &[77, 0, 2, 1, 0, 3, 77, 77], &[1, 4]);
    cases.push(met(left).faults(outside(2, "table[slot]")));
    let divided = by_remainder(0, &[0; 8], &[0, 1, 2, 3, 4, 5, 6, 7]);
    cases.push(unmet(divided).faults(ExpectedFault::new(FaultKind::RemainderByZero).count(8)));
    cases
}

fn pair_cases() -> Vec<Case> {
    let x = numbers(8);
    let swapped = |stride: usize| -> Vec<u32> { (0..8).map(|i| x[i ^ stride]).collect() };
    let of = |bit: u32, y: &[u32], unwritten: &[usize]| {
        Case::of(&PAIRS).input(&x).output(y).unwritten(unwritten.iter().copied()).scalar(bit).items([4])
    };
    let mut cases: Vec<Case> = [0, 1, 2].map(|bit| met(of(bit, &swapped(1 << bit), &[]))).into();
    for bit in [3, 31, 32, 33, 40, 63] {
        let case = unmet(of(bit, &[0; 8], &[0, 1, 2, 3, 4, 5, 6, 7])).label(&format!("bit {bit}"));
        cases.push(case.faults(outside(4, "x[b]")));
    }
    cases
}

fn flat_cases() -> Vec<Case> {
    let x = numbers(12);
    let more: Vec<u32> = x.iter().map(|x| x + 1).collect();
    let flat = || Case::of(&FLAT_ROWS);
    let mut cut = more.clone();
    cut[11] = 0;
    vec![
        met(flat().input(&x).output(&more).scalar(4_u32).scalar(3_u32).items([16])),
        unmet(flat().input(&x[..11]).output(&cut).unwritten([11]).scalar(4_u32).scalar(3_u32).items([16]))
            .faults(outside(1, "x[i] + 1")),
        unmet(flat().input(&x).output(&[0_u32; 2]).unwritten([0, 1]).scalar(0_u32).scalar(3_u32).items([2]))
            .faults(ExpectedFault::new(FaultKind::DivisionByZero).count(2).at("i / w")),
    ]
}

fn table_cases() -> Vec<Case> {
    let x = numbers(6);
    let sum = |i: i32| [-1, 0, 2, 1].iter().fold(0, |sum, k| sum * 10 + x[(i - k).rem_euclid(6) as usize]);
    let torus: Vec<u32> = (0..6).map(sum).collect();
    let table = || Case::of(&OFFSETS_OF_A_TABLE);
    // All but these get by without the last element.
    let bad = [0, 1, 4, 5];
    let mut cut = torus.clone();
    bad.iter().for_each(|&i| cut[i] = 0);
    vec![
        met(table().input(&x).output(&torus).scalar(6_i32).items([8])),
        unmet(table().input(&x[..5]).output(&cut).unwritten(bad).scalar(6_i32).items([8]))
            .faults(outside(4, "x[((i - OFFSETS[k] + n) % n) as usize]")),
    ]
}

fn rest_cases() -> Vec<Case> {
    let x = numbers(12);
    let sums: Vec<u32> = x.chunks(3).map(|row| row.iter().sum()).collect();
    let mut cut = sums.clone();
    cut[3] = 0;
    let rest = || Case::of(&FIRST_OF_THE_REST);
    vec![
        met(rest().input(&x).output(&sums).scalar(3_u32).items([6])),
        unmet(rest().input(&x[..11]).output(&cut).unwritten([3]).scalar(3_u32).items([6]))
            .faults(ExpectedFault::new(FaultKind::RangeEnd).at("[..n].iter()")),
    ]
}

fn whole_cases() -> Vec<Case> {
    let x = numbers(14);
    let more: Vec<u32> = x[..12].iter().map(|x| x + 1).collect();
    let rows = || Case::of(&WHOLE_ROWS);
    vec![
        met(rows()
            .input(&x)
            .output(&[&more[..], &[0, 0]].concat())
            .unwritten([12, 13])
            .scalar(3_u32)
            .items([8])),
        unmet(rows().input(&x).output(&more[..11]).scalar(3_u32).items([8]))
            .faults(outside(1, "y[r * n + c]")),
        // No row is as long, nor is a place in one a number of 32 bits.
        unmet(rows().input(&x).output(&[0_u32; 14]).unwritten(0..14).scalar(u32::MAX).items([8])),
    ]
}

pub fn cases() -> Vec<Case> {
    [flat_cases(), table_cases(), rest_cases(), whole_cases(), probed_cases(), pair_cases()]
        .into_iter()
        .flatten()
        .collect()
}
