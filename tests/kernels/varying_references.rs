//! References and slices that are assigned, or come out of one of several branches: which memory they lead to is known to the running kernel alone.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[device]
mod reader {
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Problem {
        End,
        Bad(u8),
    }

    pub struct Reader<'a> {
        input: &'a [u8],
        pub lines: u32,
    }

    impl<'a> Reader<'a> {
        pub fn new(input: &'a [u8]) -> Self {
            Self { input, lines: 0 }
        }

        pub fn take(&mut self, n: usize) -> Result<&'a [u8], Problem> {
            if n > self.input.len() {
                return Err(Problem::End);
            }
            let (head, tail) = self.input.split_at(n);
            self.input = tail;
            Ok(head)
        }

        pub fn byte(&mut self) -> Result<u8, Problem> {
            let (&first, rest) = self.input.split_first().ok_or(Problem::End)?;
            self.input = rest;
            if first == b'\n' {
                self.lines += 1;
            }
            Ok(first)
        }

        pub fn word(&mut self) -> Result<&'a [u8], Problem> {
            let n = self.byte()?;
            if n > 10 {
                return Err(Problem::Bad(n));
            }
            self.take(n as usize)
        }

        pub fn is_empty(&self) -> bool {
            self.input.is_empty()
        }
    }

    /// Starts with no elements at all.
    pub fn longest(input: &[u8]) -> Result<&[u8], Problem> {
        let mut reader = Reader::new(input);
        let mut longest: &[u8] = &[];
        while !reader.is_empty() {
            let word = reader.word()?;
            if word.len() > longest.len() {
                longest = word;
            }
        }
        Ok(if reader.lines > 1 { &longest[1..] } else { longest })
    }

    const OWN: [u32; 4] = [900, 901, 902, 903];

    /// Three slices that take turns, one of which becomes shorter.
    pub fn turned(x: &[u32], y: &[u32], turns: usize) -> u32 {
        let (mut a, mut b, mut c): (&[u32], &[u32], &[u32]) = (x, y, &OWN);
        let mut sum = 0_u32;
        for turn in 0..turns {
            (a, b, c) = (b, c, if turn % 3 == 1 { &a[a.len() / 2..] } else { a });
            let longer = if a.len() > b.len() { a } else { b };
            let part = &longer[longer.len() / 3..];
            sum = part.iter().fold(sum.wrapping_mul(3) ^ part.len() as u32, |sum, v| sum.wrapping_add(*v));
        }
        sum + c.len() as u32
    }

    const TEXTS: [&str; 4] = ["a,,bé,c", ",é,ééa", "", "abc,de,,fé,"];

    /// How long the parts of a text are between separators, of which another one is looked for behind an empty part.
    pub fn lengths(which: usize) -> u32 {
        let (mut separator, mut rest, mut all) = (',', TEXTS[which % 4], 1_u32);
        while let Some((part, tail)) = rest.split_once(separator) {
            all = all * 10 + part.len() as u32;
            rest = tail;
            separator = if part.is_empty() { 'é' } else { ',' };
        }
        all * 10 + rest.len() as u32
    }

    /// The same with one separator.
    pub fn lengths_of_one(which: usize) -> u32 {
        TEXTS[which % 4].split(',').fold(1, |all, part| all * 10 + part.len() as u32)
    }

    pub fn sign(text: &[u8]) -> (bool, &[u8]) {
        match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        }
    }

    pub fn digits(text: &[u8]) -> Option<(u32, &[u8])> {
        let (mut value, mut rest, mut has_any) = (0_u32, text, false);
        while let [digit @ b'0'..=b'9', tail @ ..] = rest {
            value = value.wrapping_mul(10).wrapping_add((digit - b'0') as u32);
            rest = tail;
            has_any = true;
        }
        if has_any { Some((value, rest)) } else { None }
    }

    pub fn number(text: &[u8]) -> i32 {
        let (is_negative, rest) = sign(text);
        match digits(rest) {
            Some((value, rest)) if is_negative => -(value as i32) - rest.len() as i32,
            Some((value, rest)) => value as i32 + rest.len() as i32,
            None => i32::MIN,
        }
    }

    pub fn word(text: &[u8]) -> i32 {
        match longest(text) {
            Ok(word) => word.iter().fold(word.len() as i32, |sum, &byte| sum * 3 + byte as i32),
            Err(Problem::End) => -1,
            Err(Problem::Bad(n)) => -(n as i32),
        }
    }
}

#[kernel]
pub fn parsed(text: &[u8], y: &mut [[i32; 2]]) {
    let i = global_id(0);
    let line = &text[i * 8..i * 8 + 8];
    y[i] = [reader::number(line), reader::word(line)];
}

#[device]
mod search {
    /// Halves of halves.
    pub fn position(x: &[u32], key: u32) -> Option<usize> {
        let (mut part, mut before) = (x, 0);
        loop {
            if part.is_empty() {
                break None;
            }
            let middle = part.len() / 2;
            let (low, high) = part.split_at(middle);
            if high[0] == key {
                break Some(before + middle);
            }
            if high[0] > key {
                part = low;
            } else {
                part = &high[1..];
                before += middle + 1;
            }
        }
    }

    /// One of the parts, or none.
    pub fn largest(x: &[u32], modulus: u32) -> u32 {
        let mut largest: Option<&[u32]> = None;
        let key = |part: &[u32]| part.iter().sum::<u32>() % modulus;
        for part in x.chunks(4) {
            if largest.is_none_or(|largest| key(part) > key(largest)) {
                largest = Some(part);
            }
        }
        largest.map_or(0, |part| part[0] * 10 + part.len() as u32)
    }

    pub fn tails(x: &[u32]) -> u32 {
        let mut rest = x;
        let mut sum = 0_u32;
        while !rest.is_empty() {
            sum = sum.wrapping_mul(5).wrapping_add(rest[0] + rest.len() as u32);
            rest = &rest[1..];
        }
        sum
    }

    pub fn folded(x: &[u32]) -> u32 {
        let longest = x
            .chunks(x.len() % 5 + 3)
            .fold(&x[..1], |a, b| if a.len() > b.len() || a[0] % 7 > b[0] % 7 { a } else { b });
        longest.iter().sum::<u32>() * 100 + longest.len() as u32
    }

    /// Every second element; what is beyond the end is no elements.
    pub fn skipping(x: &[u32]) -> u32 {
        let mut rest = x;
        let mut sum = 0_u32;
        while let Some((first, tail)) = rest.split_first() {
            sum = sum.wrapping_mul(3).wrapping_add(*first);
            rest = tail.get(1..).unwrap_or(&[]);
        }
        let missing: Option<&[u32]> = x.get(30..);
        sum + missing.unwrap_or(&[]).len() as u32 + missing.unwrap_or_default().len() as u32
    }

    pub fn element(x: &[u32], i: usize) -> Result<&u32, usize> {
        x.get(i).ok_or(i)
    }
}

#[device]
mod places {
    #[derive(Clone, Copy, Default)]
    pub struct Particle {
        pub at: u32,
        pub mass: u32,
    }

    pub fn heaviest(all: &mut [Particle]) -> &mut Particle {
        let mut at = 0;
        for i in 1..all.len() {
            if all[i].mass > all[at].mass {
                at = i;
            }
        }
        &mut all[at]
    }

    /// Structs that are kept as several arrays.
    pub fn particles(seed: u32) -> u32 {
        let mut all = [Particle::default(); 4];
        for (k, particle) in all.iter_mut().enumerate() {
            *particle = Particle { at: k as u32, mass: (seed + k as u32 * 7) % 13 };
        }
        let heaviest = heaviest(&mut all);
        heaviest.at += 50;
        heaviest.mass = 3;
        let part = if seed % 2 == 0 { &all[1..] } else { &all[..3] };
        part.iter().fold(0, |sum, particle| sum * 100 + particle.at * 10 + particle.mass)
    }

    pub fn slot(table: &mut [u32], key: u32) -> Option<&mut u32> {
        for i in 0..table.len() {
            if table[i] % 10 == key {
                return Some(&mut table[i]);
            }
        }
        None
    }

    /// Elements of arrays of different lengths, and of nested ones.
    pub fn chosen(seed: u32) -> u32 {
        let (mut a, mut b, mut c) = ([1_u32, 2, 3, 4], [10_u32, 20], [[5_u32; 3]; 3]);
        let part: &mut [u32] = if seed > 20 { &mut a[1..] } else { &mut b };
        part[0] += seed;
        let len = part.len() as u32;
        let slot = if seed % 2 == 0 { &mut a[2] } else { &mut b[1] };
        *slot *= 7;
        let row = if seed % 3 == 0 { &mut c[seed as usize % 3][1..] } else { &mut a[..2] };
        row[1] = row[0] + 1;
        if let Some(slot) = slot_of(&mut a, seed) {
            *slot += 1000;
        }
        let sum = |x: &[u32]| x.iter().fold(0, |sum: u32, v| sum.wrapping_mul(7).wrapping_add(*v));
        c.iter().fold(sum(&a) ^ sum(&b) ^ len, |all, row| all ^ sum(row))
    }

    fn slot_of(table: &mut [u32], seed: u32) -> Option<&mut u32> {
        slot(table, seed % 10)
    }

    pub fn reassigned(seed: u32) -> u32 {
        let (mut a, mut b) = (1, 2);
        let mut chosen = &mut a;
        if seed > 30 {
            chosen = &mut b;
        }
        *chosen += seed;
        let mut low = 10;
        let other = if seed % 2 == 0 { Some(&mut low) } else { None };
        let mut missing = 20;
        *other.unwrap_or(&mut missing) += seed;
        let mut row = [a, b, low, missing];
        let ([7, .., last] | [last, ..]) = &mut row;
        *last += 1;
        row.iter().fold(0, |sum, v| sum * 10 + v)
    }

    /// A reference, and one that is made of it.
    pub fn halved(x: &mut [u32], times: usize) {
        let mut rest = x;
        for _ in 0..times {
            let half = rest.len() / 2;
            let (low, high) = rest.split_at_mut(half);
            rest = if low.iter().sum::<u32>() > high.iter().sum::<u32>() { low } else { high };
            for v in rest.iter_mut() {
                *v += 1;
            }
        }
    }
}

#[device]
mod words {
    pub fn name(kind: u32) -> &'static str {
        match kind {
            0 => "add",
            1 => "subtract",
            _ => "halt",
        }
    }

    #[derive(Clone, Copy)]
    struct View<'a> {
        data: &'a [u8],
        at: usize,
    }

    pub fn hash(kind: u32) -> u32 {
        let name = name(kind);
        let mut view = View { data: b"first", at: 0 };
        if kind > 2 {
            view = View { data: &name.as_bytes()[1..], at: 1 };
        }
        view.at += 1;
        let sum = name.bytes().fold(name.len() as u32, |sum, byte| sum * 5 % 65_521 + byte as u32);
        sum * 300 + view.data[view.at] as u32 + (name == "halt") as u32
    }
}

#[device]
fn all(x: &[u32], i: usize) -> [u32; 10] {
    let mut own = [0; 11];
    for (k, v) in own.iter_mut().enumerate() {
        *v = x[k] % 17;
    }
    places::halved(&mut own, i % 4);
    [
        search::position(x, x[i] ^ (i as u32 & 1)).map_or(999, |at| at as u32),
        search::largest(x, i as u32 + 3),
        search::tails(&x[i..]),
        search::folded(&x[i..]),
        search::skipping(&x[i..]),
        search::element(&x[..20], i).copied().unwrap_or_else(|at| 5000 + at as u32),
        places::particles(x[i]),
        places::chosen(x[i]) ^ places::reassigned(x[i]),
        own.iter().fold(0, |sum: u32, v| sum.wrapping_mul(9).wrapping_add(*v)),
        words::hash(x[i] % 4),
    ]
}

#[kernel]
pub fn varying(x: &[u32], y: &mut [[u32; 10]]) {
    let i = global_id(0);
    y[i] = all(x, i);
}

/// Arguments, tables and atomics.
#[kernel]
pub fn of_arguments(a: &[u32], b: &[u32], swap: bool, low: &AtomicU32, high: &[AtomicU32], y: &mut [u32]) {
    static TABLE: [u32; 4] = [7, 8, 9, 10];
    let i = global_id(0);
    let (from, other) = if swap != (i % 2 == 0) { (a, b) } else { (b, &TABLE[..]) };
    let count = if i > 4 { low } else { &high[i % 2] };
    count.fetch_add(from[i % from.len()], Ordering::Relaxed);
    y[i] = from.iter().sum::<u32>() * 100 + *other.last().unwrap();
}

/// The tile that is read and the one that is written change places.
#[kernel(group_size = 32, unsafe(races(first, second)))]
pub fn double_buffered(x: &[u32], y: &mut [u32]) {
    let mut first = Local::<[u32; 32]>::new();
    let mut second = Local::<[u32; 32]>::new();
    let (mut from, mut to) = (&mut first, &mut second);
    let l = local_id(0);
    from[l] = x[global_id(0)];
    barrier();
    let mut step = 1;
    while step < 32 {
        to[l] = if l >= step { from[l] + from[l - step] } else { from[l] };
        barrier();
        std::mem::swap(&mut from, &mut to);
        step *= 2;
    }
    y[global_id(0)] = from[l];
}

/// Rows of a matrix: whole ones, and parts.
#[device]
fn row_of(m: &[[f32; 4]], i: usize) -> f32 {
    let mut best = &m[0];
    for row in m {
        if row[i % 4] > best[i % 4] {
            best = row;
        }
    }
    let mut part = &m[i % m.len()][..2];
    for k in 0..m.len() {
        if m[k][0] > part[0] {
            part = &m[k][1..];
        }
    }
    best.iter().sum::<f32>() * 100.0 + part.iter().sum::<f32>() + part.len() as f32 * 1000.0
}

#[kernel]
pub fn rows(m: &[[f32; 4]], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = row_of(m, i);
}

/// A check fails for the part that is meant, and for no other.
#[kernel]
pub fn faulting(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let own = [1, 2];
    let part = if i == 3 { &own[..] } else { &x[i..] };
    y[i] = part[2];
}

#[kernel]
pub fn in_turn(x: &[u32], y: &[u32], sums: &mut [[u32; 3]]) {
    let i = global_id(0);
    let sum = reader::turned(x, &y[i % 3..], i);
    sums[i] = [sum, reader::lengths(i), reader::lengths_of_one(i)];
}

pub fn cases() -> Vec<Case> {
    let text = b"-12     +345abc 7       x       99999999-       -+1     0000123 \x01a\x03bcd\x01e\x02xy\x04z\x00\x00\
        \x01\x05abcde\x00\x00\x07aaaaaaa\x01a\x02bb\x02cc\x01\n\x01\n\x02ab\x00";
    let lines: Vec<&[u8]> = text.chunks_exact(8).collect();
    let read = map(&lines, |line| [reader::number(line), reader::word(line)]);
    let x: Vec<u32> = (0..40).map(|i| i * i / 3 + i).collect();
    let positions: Vec<usize> = (0..x.len()).collect();
    let found = map(&positions, |i| all(&x, i));
    let scanned: Vec<u32> = x[..32]
        .iter()
        .scan(0, |sum, v| {
            Some({
                *sum += v;
                *sum
            })
        })
        .collect();
    let m: Vec<[f32; 4]> = (0..6).map(|i| std::array::from_fn(|k| ((i * 7 + k * 5) % 11) as f32)).collect();
    let best: Vec<f32> = (0..12).map(|i| row_of(&m, i)).collect();
    let turns = map(&positions[..12], |i| {
        [reader::turned(&x[..9], &x[20 + i % 3..25], i), reader::lengths(i), reader::lengths_of_one(i)]
    });
    vec![
        Case::of(&IN_TURN).input(&x[..9]).input(&x[20..25]).output(&turns).items([12]),
        Case::of(&PARSED).input(text).output(&read).items([read.len()]),
        Case::of(&VARYING).input(&x).output(&found).items([x.len()]),
        Case::of(&OF_ARGUMENTS)
            .input(&[1_u32, 2, 3])
            .input(&[40_u32, 50])
            .scalar(true)
            .refer_mut(0_u32, 3 + 40 + 2)
            .update(&[0_u32, 0], &[40 + 40 + 40, 2 + 1])
            .output(&[9010_u32, 650, 9010, 650, 9010, 650, 9010, 650])
            .items([8]),
        Case::of(&DOUBLE_BUFFERED).input(&x[..32]).output(&scanned).groups([1], [32]),
        Case::of(&ROWS).input(&m).output(&best).items([12]),
        Case::of(&FAULTING)
            .input(&[1_u32, 2, 3, 4, 5, 6, 7])
            .output(&[3_u32, 4, 5, 0])
            .unwritten([3])
            .items([4])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2]).global_id([3, 0, 0])),
    ]
}
