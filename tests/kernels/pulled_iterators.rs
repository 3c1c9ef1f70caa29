//! Iterators in variables whose items have no positions, advanced one by one, and iterators that are only borrowed.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::iter;

#[device]
fn or_none(item: Option<i32>) -> i32 {
    item.unwrap_or(-1000)
}

/// Adaptors that leave items out.
#[device]
fn left_out(x: &[i32]) -> [i32; 16] {
    let mut even = x.iter().filter(|v| **v % 2 == 0);
    let mut halves = x.iter().filter_map(|v| if v % 3 == 0 { Some(v / 3) } else { None });
    let mut after = x.iter().copied().skip_while(|v| *v < 3);
    let mut before = x.iter().copied().take_while(|v| *v < 6);
    let mut doubled = x.iter().map_while(|v| if *v < 7 { Some(v * 2) } else { None });
    let mut last = x.iter().enumerate().filter(|(i, _)| i % 2 == 0);
    let first_even = even.next().copied();
    let rest: i32 = even.map(|v| v * 10).sum();
    let ends = (last.next_back().map(|pair| *pair.1), last.next().map(|pair| *pair.1));
    let mut seen = 0;
    let mut counted = x.iter().inspect(|_| seen += 1).filter(|v| **v > 4).enumerate();
    let second = counted.nth(1).map(|(i, v)| i as i32 * 100 + v);
    [
        or_none(first_even),
        rest,
        or_none(halves.next()),
        or_none(halves.next()),
        or_none(after.next()),
        or_none(after.find(|v| *v == 0)),
        or_none(after.next()),
        or_none(before.next()),
        or_none(before.last()),
        or_none(doubled.next()),
        doubled.count() as i32,
        or_none(ends.0),
        or_none(ends.1),
        or_none(second),
        seen,
        or_none(x.iter().filter(|v| **v > 2).next().copied()),
    ]
}

/// Those that join, repeat and count.
#[device]
fn joined(x: &[i32]) -> [i32; 16] {
    let mut both = x.iter().copied().chain([100, 200]).chain(x.iter().copied().take(1));
    let mut sum = 0;
    while let Some(v) = both.next() {
        sum = (sum * 3 + v) % 10007;
    }
    let mut ends = x.iter().chain(&[7, 8]);
    let (back, front) = (ends.next_back().copied(), ends.next().copied());
    let mut around = x.iter().cycle();
    let mut turns = 0;
    for _ in 0..11 {
        turns = (turns * 5 + around.next().copied().unwrap_or(1)) % 10007;
    }
    let mut running = x.iter().scan(0, |state, v| {
        *state += v;
        Some(*state)
    });
    let (one, two) = (running.next(), running.next());
    let kept = running.clone();
    let mut steps = x.iter().filter(|v| **v != 1).step_by(2).skip(1);
    let mut few = x.iter().filter(|v| **v != 1).take(2);
    let mut powers = iter::successors(Some(1), |v| Some(v * 2));
    let mut pairs = x.iter().filter(|v| **v > 1).zip(x.iter().filter(|v| **v < 5));
    let mut present = x.iter().map(|v| if *v > 2 { Some(*v) } else { None }).flatten();
    let mut single = iter::once(9);
    [
        sum,
        or_none(back),
        or_none(front),
        turns,
        or_none(one),
        or_none(two),
        or_none(running.next()),
        kept.sum(),
        or_none(steps.next().copied()),
        or_none(steps.next().copied()),
        few.next().copied().unwrap_or(0) * 1000
            + few.next().copied().unwrap_or(0) * 10
            + few.next().is_none() as i32,
        or_none(powers.next()) + or_none(powers.nth(3)),
        pairs.next().map_or(-1, |(a, b)| a * 10 + b),
        pairs.map(|(a, b)| a * b).sum(),
        or_none(present.next()) + or_none(present.next()),
        or_none(single.next()) + single.next().is_none() as i32,
    ]
}

/// What goes over a part of an iterator leaves the rest.
#[device]
fn borrowed(x: &[i32]) -> [i32; 12] {
    let mut items = x.iter();
    let three: i32 = items.by_ref().take(3).sum();
    let found = items.by_ref().find(|v| **v > 3).copied();
    let low: i32 = items.by_ref().take_while(|v| **v < 8).sum();
    let rest: i32 = items.sum();
    let mut items = x.iter().map(|v| v + 1);
    let small = items.try_fold(0_i8, |sum, v| if v < 6 { sum.checked_add(v as i8) } else { None });
    let left = items.len() as i32;
    let mut items = x.iter().filter(|v| **v > 0);
    let mut sum = 0;
    for v in items.by_ref() {
        sum += v;
        if sum > 5 {
            break;
        }
    }
    let count = items.by_ref().skip(1).step_by(2).count() as i32;
    let mut chunks = x.chunks_exact(3);
    let firsts: i32 = chunks.by_ref().map(|chunk| chunk[0]).sum();
    let remainder: i32 = chunks.remainder().iter().sum();
    let mut rest_of = x.iter();
    rest_of.next();
    rest_of.next_back();
    let as_slice = rest_of.as_slice();
    [
        three,
        or_none(found),
        low,
        rest,
        small.map_or(-1, |sum| sum as i32),
        left,
        sum,
        count,
        firsts,
        remainder,
        as_slice.len() as i32,
        as_slice.first().copied().unwrap_or(-5),
    ]
}

/// The next item is looked at, and may be changed, before it is taken.
#[device]
fn peeked(x: &[i32]) -> [i32; 6] {
    let mut calls = 0;
    let mut doubled = x
        .iter()
        .map(|v| {
            calls += 1;
            v * 2
        })
        .peekable();
    let twice = (doubled.peek().copied(), doubled.peek().copied());
    if let Some(first) = doubled.peek_mut() {
        *first += 1;
    }
    let next = doubled.next();
    let mut groups = 0;
    while let Some(v) = doubled.next() {
        groups += 1;
        while doubled.next_if(|other| other % 4 == v % 4).is_some() {}
    }
    let mut big = x.iter().filter(|v| **v > 2).peekable();
    let mut merged = 0;
    let mut small = x.iter().filter(|v| **v <= 2).peekable();
    while let (Some(a), Some(b)) = (big.peek(), small.peek()) {
        merged = match (*a - 4).cmp(*b) {
            std::cmp::Ordering::Less => merged * 3 + *big.next().unwrap(),
            _ => merged * 5 + *small.next().unwrap(),
        } % 10007;
    }
    [or_none(twice.0), or_none(twice.1), or_none(next), groups, calls, merged]
}

#[kernel]
pub fn pulled_left_out(x: &[i32], y: &mut [[i32; 16]]) {
    let i = global_id(0);
    y[i] = left_out(&x[i..]);
}

#[kernel]
pub fn pulled_joined(x: &[i32], y: &mut [[i32; 16]]) {
    let i = global_id(0);
    y[i] = joined(&x[i..]);
}

#[kernel]
pub fn pulled_borrowed(x: &[i32], y: &mut [[i32; 12]]) {
    let i = global_id(0);
    y[i] = borrowed(&x[i..]);
}

/// What starts again at its end: closures, joined parts and what is between commas, also where there is nothing.
#[device]
fn around(x: &[i32]) -> [i32; 9] {
    let hash = |hash: i32, v: i32| (hash * 7 + v) % 10007;
    let mut odd = x.iter().filter(|v| **v % 2 == 1).cycle();
    let mut odd_ones = 0;
    for _ in 0..9 {
        odd_ones = hash(odd_ones, odd.next().copied().unwrap_or(50));
    }
    let chained = x.iter().chain(&[70, 80]).copied().cycle().take(17).fold(0, hash);
    let parts = x.split(|v| *v == 3).cycle().take(6).enumerate();
    let parts = parts.fold(0, |sum, (i, part)| hash(sum, part.len() as i32 * 10 + i as i32));
    let mut words = "to be or".split(' ').cycle().skip(x.len());
    let (first, second) = (words.next().map_or(0, str::len), words.next().map_or(0, str::len));
    let mut count = 0;
    let mut counted = x.iter().map(move |v| {
        count += 1;
        v * count
    });
    let twice = counted.clone().cycle().zip(x.iter().chain(x)).fold(0, |sum, (a, b)| hash(sum, a - b));
    let rest = counted.next().map(|_| counted.cycle().take(5).fold(0, hash));
    let nested = (0..3).flat_map(|n| x.iter().map(move |v| v + n).filter(|v| v % 3 == 0).cycle().take(4));
    let nested = nested.fold(0, hash);
    let empty = x.iter().filter(|v| **v > 1000).cycle().next().is_none();
    [
        odd_ones,
        chained,
        parts,
        first as i32 * 10 + second as i32,
        twice,
        or_none(rest),
        nested,
        i32::from(empty),
        count,
    ]
}

#[kernel]
pub fn pulled_around(x: &[i32], y: &mut [[i32; 9]]) {
    let i = global_id(0);
    y[i] = around(&x[i..]);
}

/// An iterator in a value that has no name.
#[device]
mod nameless {
    use std::iter::{Enumerate, Peekable};
    use std::slice::Iter;

    pub struct Signs<'x> {
        left: Enumerate<Iter<'x, i32>>,
        sum: i32,
    }

    impl<'x> Signs<'x> {
        pub fn of(x: &'x [i32]) -> Self {
            Self { left: x.iter().enumerate(), sum: 0 }
        }
        pub fn first_above(&mut self, least: i32) -> Option<usize> {
            while self.sum <= least {
                let (at, v) = self.left.next()?;
                self.sum += v;
                if *v == 0 {
                    return None;
                }
                if self.sum > least {
                    return Some(at);
                }
            }
            None
        }
    }

    impl Iterator for Signs<'_> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            loop {
                let (at, v) = self.left.next()?;
                if v % 3 == 0 {
                    return Some(at);
                }
            }
        }
    }

    pub struct Runs<I: Iterator<Item = i32>>(pub Peekable<I>);

    impl<I: Iterator<Item = i32>> Runs<I> {
        fn longest(&mut self) -> usize {
            let (mut best, mut run) = (0, 0);
            while let Some(v) = self.0.next() {
                run += 1;
                best = best.max(run);
                if self.0.next_if(|next| *next > v).is_none() {
                    run = 0;
                }
            }
            best
        }
    }

    pub fn all(x: &[i32]) -> [i32; 5] {
        let number = |found: Option<usize>| found.map_or(-1, |at| at as i32);
        let mut pair = (Signs::of(x), 1);
        let rest = &mut pair.0;
        [
            number(Signs::of(x).first_above(7)),
            number(Signs::of(x).next()),
            number(Signs { left: x.iter().enumerate(), sum: 3 }.nth(1)),
            Runs(x.iter().copied().filter(|v| *v != 9).peekable()).longest() as i32,
            number(rest.next()) * 100 + number(rest.next()) + pair.1,
        ]
    }
}

#[kernel]
pub fn pulled_nameless(x: &[i32], y: &mut [[i32; 5]]) {
    let i = global_id(0);
    y[i] = nameless::all(&x[i..]);
}

#[kernel]
pub fn pulled_peeked(x: &[i32], y: &mut [[i32; 6]]) {
    let i = global_id(0);
    y[i] = peeked(&x[i..]);
}

pub fn cases() -> Vec<Case> {
    let x = [2, 1, 4, 3, 9, 6, 0, 5, 8, 1, 7, 3, 2];
    // Where nothing is left too, which no launch has as an argument, but a part of one.
    let starts: Vec<usize> = (0..=x.len()).collect();
    let items = [starts.len()];
    vec![
        Case::of(&PULLED_LEFT_OUT).input(&x).output(&map(&starts, |i| left_out(&x[i..]))).items(items),
        Case::of(&PULLED_JOINED).input(&x).output(&map(&starts, |i| joined(&x[i..]))).items(items),
        Case::of(&PULLED_BORROWED).input(&x).output(&map(&starts, |i| borrowed(&x[i..]))).items(items),
        Case::of(&PULLED_AROUND).input(&x).output(&map(&starts, |i| around(&x[i..]))).items(items),
        Case::of(&PULLED_NAMELESS).input(&x).output(&map(&starts, |i| nameless::all(&x[i..]))).items(items),
        Case::of(&PULLED_PEEKED).input(&x).output(&map(&starts, |i| peeked(&x[i..]))).items(items),
    ]
}
