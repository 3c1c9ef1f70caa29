//! Parts of slices: by size, by what a closure decides, from both ends; and what is copied, selected and compared in them.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
fn mixed<'a>(parts: impl Iterator<Item = &'a [i32]>) -> i32 {
    let mut sum = 1;
    for part in parts {
        sum = part.iter().fold(sum * 7 + part.len() as i32, |sum, v| (sum * 3 + v) % 10007);
    }
    sum
}

#[device]
#[allow(clippy::suspicious_splitn, reason = "no part at all is a case too")]
fn divided(x: &[i32]) -> [i32; 16] {
    let mut words = x.split(|v| *v == 0);
    let first = words.next().map_or(-1, |word| word.len() as i32);
    let second = words.next().map_or(-1, |word| word.len() as i32);
    let mut limit = 0;
    let exact = x.chunks_exact(3);
    [
        mixed(x.split(|v| *v == 0)),
        mixed(x.rsplit(|v| *v == 0)),
        mixed(x.split_inclusive(|v| *v % 3 == 0)),
        mixed(x.splitn(2, |v| *v == 0)),
        mixed(x.rsplitn(2, |v| *v == 0)),
        mixed(x.splitn(0, |v| *v == 0)),
        mixed(x.chunk_by(|a, b| a <= b)),
        mixed(x.rchunks(3)),
        mixed(x.rchunks_exact(2)),
        mixed(x.rchunks(4).rev()),
        mixed(x.split(|_| {
            limit += 1;
            limit % 3 == 0
        })),
        first * 100 + second,
        exact.remainder().iter().sum::<i32>() * 100 + exact.map(|chunk| chunk[1]).sum::<i32>(),
        x.array_windows::<3>().map(|[a, b, c]| a * c - b).sum(),
        x.windows(2).rev().map(|pair| pair[0]).fold(0, |sum, v| (sum * 3 + v) % 1009),
        x.iter().rev().enumerate().map(|(i, v)| i as i32 * v).sum(),
    ]
}

#[device]
fn ends(x: &[i32], n: usize) -> [i32; 12] {
    let sum = |part: &[i32]| part.iter().fold(part.len() as i32, |sum, v| sum * 3 + v);
    let n = n % 6;
    [
        x.split_at_checked(n).map_or(-1, |(a, b)| sum(a) * 5 + sum(b)),
        x.first_chunk::<2>().map_or(-1, |[a, b]| a * 10 + b),
        x.last_chunk::<2>().map_or(-1, |chunk| chunk[0] * 10 + chunk[1]),
        x.split_first_chunk::<3>().map_or(-1, |(chunk, rest)| chunk[2] * 100 + sum(rest)),
        x.split_last_chunk::<3>().map_or(-1, |(rest, chunk)| chunk[0] * 100 + sum(rest)),
        x.strip_prefix(&[3, 1]).map_or(-1, sum),
        x.strip_suffix(&x[x.len() / 2..]).map_or(-1, sum),
        x.strip_suffix(&[99]).map_or(-1, sum),
        [1, 2, 4, 8].partition_point(|v| *v < n) as i32,
        [1, 2, 4, 8].binary_search_by(|v| v.cmp(&n)).map_or_else(|at| -(at as i32), |at| at as i32),
        [1, 2, 4, 8].binary_search_by_key(&n, |v| v / 2).map_or_else(|at| -(at as i32), |at| at as i32),
        x.iter().as_slice().len() as i32,
    ]
}

#[device]
fn rewritten(n: usize) -> [i32; 12] {
    let n = n % 8;
    let mut a = [5, 1, 4, 2, 3, 9, 7, 6, 0, 8];
    a.copy_within(n..n + 2, 8 - n);
    a.copy_within(7.., n.min(6));
    a.copy_within(..=2, n);
    let copied = digest(&a);
    let mut b = [0; 10];
    let mut next = n as i32;
    b.fill_with(|| {
        next += 3;
        next
    });
    b[..n].swap_with_slice(&mut a[..n]);
    a[n..].clone_from_slice(&b[..10 - n]);
    let swapped = digest(&a) ^ digest(&b);
    let mut c = [5, 1, 4, 2, 3, 9, 7, 6, 5, 5];
    let (before, nth, after) = c.select_nth_unstable(n);
    let selected = *nth * 100 + before.len() as i32 * 10 + after.len() as i32;
    let fits = before.iter().all(|v| *v <= *nth) && after.iter().all(|v| *v >= *nth);
    let down = *c.select_nth_unstable_by(n, |a, b| b.cmp(a)).1;
    let key = *c.select_nth_unstable_by_key(n, |v| *v % 4).1 % 4;
    let mut d = [1, 2, 3, 4, 5, 6, 7, 8];
    for (i, chunk) in d.rchunks_mut(3).enumerate() {
        chunk[0] = (i + n) as i32;
    }
    for part in d.split_mut(|v| *v == 4) {
        part.reverse();
    }
    for pair in d.chunk_by_mut(|a, b| a > b) {
        pair[0] += 10;
    }
    if let Some((low, high)) = d.split_at_mut_checked(n) {
        low.fill(1);
        high.rotate_left(1);
    }
    let sorted = {
        let mut pairs = [(3, 1), (1, 2), (3, 0), (n as i32, 4)];
        pairs.sort_unstable_by_key(|pair| (pair.0, -pair.1));
        pairs.iter().fold(0, |sum, pair| sum * 7 + pair.0 * 2 + pair.1)
    };
    let empty: &[i32] = &[];
    [
        copied,
        swapped,
        selected,
        fits as i32,
        down,
        key,
        digest(&d),
        sorted,
        [(1, n), (2, 3)].is_sorted() as i32,
        empty.split(|_| true).count() as i32,
        empty.chunk_by(|_, _| true).count() as i32,
        empty.split_inclusive(|_| true).count() as i32,
    ]
}

#[device]
fn digest(x: &[i32]) -> i32 {
    x.iter().fold(x.len() as i32, |sum, v| (sum * 31 + v) % 1_000_003)
}

/// The digits of a number in hexadecimal, with blanks around it and a prefix.
#[device]
fn hexadecimal(text: &[u8]) -> [u32; 4] {
    let trimmed = text.trim_ascii();
    let digits = trimmed.strip_prefix(b"0x").or_else(|| trimmed.strip_prefix(b"0X")).unwrap_or(trimmed);
    let value = digits.iter().try_fold(0_u32, |value, digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        Some(value << 4 | digit as u32)
    });
    let mut shout = [b'.'; 4];
    for (to, from) in shout.iter_mut().zip(trimmed) {
        *to = *from;
    }
    shout.make_ascii_uppercase();
    let same = shout.eq_ignore_ascii_case(&trimmed[..trimmed.len().min(4)]);
    shout.make_ascii_lowercase();
    [
        value.unwrap_or(u32::MAX),
        u32::from_be_bytes(shout),
        same as u32 * 2 + text.is_ascii() as u32,
        (text.trim_ascii_start().len() * 100 + text.trim_ascii_end().len()) as u32,
    ]
}

#[kernel]
pub fn slices_divided(x: &[i32], y: &mut [[i32; 16]]) {
    let i = global_id(0);
    y[i] = divided(&x[i..]);
}

#[kernel]
pub fn slice_ends(x: &[i32], y: &mut [[i32; 12]]) {
    let i = global_id(0);
    y[i] = ends(&x[i..], i);
}

#[kernel]
pub fn slices_rewritten(y: &mut [[i32; 12]]) {
    let i = global_id(0);
    y[i] = rewritten(i);
}

#[kernel]
pub fn hexadecimals(text: &[[u8; 10]], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = hexadecimal(&text[i]);
}

/// What is out of bounds changes nothing.
#[kernel(requires(global_size(0) == 1))]
pub fn copied_out_of_bounds(form: u32, n: usize, x: &mut [u32]) {
    match form {
        0 => x.copy_within(n.., 1),
        1 => x.copy_within(0..2, n),
        2 => x.swap_with_slice(&mut [1, 2, 3]),
        3 => x.select_nth_unstable(n).0.fill(7),
        _ => x[0] = x.rchunks(n - 9).count() as u32,
    }
}

fn panics(form: u32, message: &'static str) -> Case {
    Case::of(&COPIED_OUT_OF_BOUNDS)
        .label(message)
        .scalar(form)
        .scalar(9_usize)
        .input(&[1_u32, 2])
        .faults(ExpectedFault::new(FaultKind::Panic).message(message))
}

#[device]
fn chunks_changed(x: &mut [i32]) -> i32 {
    let (chunks, rest) = x.as_chunks_mut::<4>();
    let count = chunks.len();
    for chunk in chunks.iter_mut() {
        chunk.reverse();
        chunk[0] += 100;
    }
    if let Some(last) = chunks.last_mut() {
        last.swap(1, 2);
        last[3] -= 7;
    }
    if count > 1 {
        chunks[1][2] *= 5;
    }
    let first = if chunks.is_empty() { -1 } else { chunks[0][1] };
    rest.fill(count as i32);
    let (rest, chunks) = x.as_rchunks_mut::<3>();
    for [one, _, other] in chunks {
        std::mem::swap(one, other);
    }
    rest.len() as i32 * 1_000 + first
}

#[kernel]
pub fn chunks_that_change(y: &mut [[i32; 15]]) {
    let i = global_id(0);
    let mut x: [i32; 14] = std::array::from_fn(|k| (k * i) as i32);
    let answer = chunks_changed(&mut x[..i]);
    y[i][..14].copy_from_slice(&x);
    y[i][14] = answer;
}

fn chunks_that_change_on_host(i: usize) -> [i32; 15] {
    let mut x: [i32; 15] = std::array::from_fn(|k| (k * i) as i32);
    x[14] = chunks_changed(&mut x[..i]);
    x
}

pub fn cases() -> Vec<Case> {
    let x = [3, 1, 4, 0, 1, 5, 9, 0, 0, 2, 6, 5, 0, 3];
    let starts: Vec<usize> = (0..=x.len()).collect();
    let numbers: Vec<usize> = (0..8).collect();
    let text = [*b"  0x12aF  ", *b"deadbeef  ", *b"          ", *b" 0Xfg     ", *b"7        \xff"];
    let lengths: Vec<usize> = (0..=14).collect();
    vec![
        Case::of(&CHUNKS_THAT_CHANGE)
            .output(&map(&lengths, chunks_that_change_on_host))
            .items([lengths.len()]),
        Case::of(&SLICES_DIVIDED).input(&x).output(&map(&starts, |i| divided(&x[i..]))).items([starts.len()]),
        Case::of(&SLICE_ENDS).input(&x).output(&map(&starts, |i| ends(&x[i..], i))).items([starts.len()]),
        Case::of(&SLICES_REWRITTEN).output(&map(&numbers, rewritten)).items([numbers.len()]),
        Case::of(&HEXADECIMALS)
            .input(&text)
            .output(&map(&text, |text| hexadecimal(&text)))
            .items([text.len()]),
        panics(0, "slice index starts at 9 but ends at 2"),
        panics(1, "dest is out of bounds"),
        panics(2, "destination and source slices have different lengths"),
        panics(3, "partition_at_index index 9 greater than length of slice 2"),
        panics(4, "chunk size must be non-zero"),
    ]
}
