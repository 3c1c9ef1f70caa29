//! Iterators that are advanced by `next` and its kin, from both ends, in loops and in device functions.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// Numbers, names and operators of a text, as a lexer sees them.
#[device]
fn tokens(text: &[u8]) -> [u32; 4] {
    let mut rest = text.iter().copied().peekable();
    let (mut numbers, mut sum, mut names, mut others) = (0, 0_u32, 0, 0);
    while let Some(byte) = rest.next() {
        match byte {
            b' ' => {}
            b'0'..=b'9' => {
                let mut value = (byte - b'0') as u32;
                while let Some(digit) = rest.next_if(|next| next.is_ascii_digit()) {
                    value = value * 10 + (digit - b'0') as u32;
                }
                numbers += 1;
                sum += value;
            }
            b'a'..=b'z' | b'_' => {
                names += 1;
                while let Some(&(b'a'..=b'z' | b'_')) = rest.peek() {
                    rest.next();
                }
            }
            b'<' | b'>' => {
                others += if rest.next_if_eq(&b'=').is_some() { 100 } else { 10 };
            }
            _ => others += 1,
        }
    }
    [numbers, sum, names, others]
}

/// The items that a device function takes are gone.
#[device]
fn skip_zeros<'a>(items: &mut impl Iterator<Item = &'a i32>) -> Option<i32> {
    while let Some(item) = items.next() {
        if *item != 0 {
            return Some(*item);
        }
    }
    None
}

#[device]
fn both_ends(x: &[i32]) -> [i32; 8] {
    let mut result = [0; 8];
    let mut ends = x.iter();
    while let (Some(first), Some(last)) = (ends.next(), ends.next_back()) {
        result[0] += first * 2 - last;
    }
    let mut rest = x.iter();
    result[1] = skip_zeros(&mut rest).unwrap_or(-1);
    result[2] = *rest.next().unwrap_or(&-2);
    let kept = rest.clone();
    for item in rest.by_ref() {
        if *item > 5 {
            break;
        }
        result[3] += item;
    }
    result[4] = rest.map(|item| item + 1).sum::<i32>() * 100 + kept.len() as i32;
    let mut calls = 0;
    let mut doubled = x.iter().enumerate().map(|(i, item)| {
        calls += 1;
        i as i32 * 10 + item
    });
    let second = doubled.nth(1);
    let found = doubled.find(|value| value % 3 == 0);
    let at = doubled.position(|value| value % 2 == 1);
    let any = doubled.any(|value| value > 60);
    result[5] = second.unwrap_or(0) + found.unwrap_or(0) * 7 + at.map_or(-1, |at| at as i32) + any as i32;
    result[5] = result[5] * 100 + doubled.next().unwrap_or(3);
    result[6] = calls;
    let mut chunks = x.chunks(2);
    while let Some(chunk) = chunks.next() {
        if let Some(after) = chunks.next() {
            result[7] = result[7] * 3 + chunk.len() as i32 * 10 + after[0];
        }
    }
    result
}

#[device]
fn ranges(n: i32) -> i32 {
    let mut range = 0..n;
    let mut sum = 0;
    while let Some(k) = range.next() {
        sum = sum * 3 + k;
        if let Some(last) = range.next_back() {
            sum -= last;
        }
    }
    let mut endless = (1..).step_by(3);
    endless.next();
    let mut zipped = endless.zip([1, 2, 3]);
    sum + zipped.next().map_or(0, |(a, b)| a * b) + zipped.next().map_or(0, |(a, b)| a * b)
}

/// A clone goes its own way, also in a tuple and in an `Option`.
#[device]
fn clones(x: &[i32]) -> [i32; 6] {
    let mut first = x.iter();
    first.next();
    let mut second = first.clone();
    second.next();
    let mut pair = (x.iter(), 1);
    pair.0.next();
    let mut other = pair.clone();
    other.0.next();
    other.0.next_back();
    let mut option = Some(x.iter());
    let mut same = option.clone();
    if let Some(iter) = &mut same {
        iter.next();
    }
    let (a, b) = (first.next(), second.next());
    let (c, d) = (pair.0.next(), other.0.next());
    let e = option.as_mut().map_or(0, |iter| iter.len() as i32);
    let f = same.as_mut().map_or(0, |iter| iter.len() as i32);
    let number = |item: Option<&i32>| item.copied().unwrap_or(-1);
    [number(a), number(b), number(c), number(d), e, f]
}

#[kernel]
pub fn cursor_clones(x: &[i32], y: &mut [[i32; 6]]) {
    let i = global_id(0);
    y[i] = clones(&x[i..]);
}

#[kernel]
pub fn cursor_tokens(text: &[u8], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = tokens(&text[i..]);
}

#[kernel]
pub fn cursor_both_ends(x: &[i32], y: &mut [[i32; 8]]) {
    let i = global_id(0);
    y[i] = both_ends(&x[i..]);
}

#[kernel]
pub fn cursor_ranges(y: &mut [i32]) {
    let i = global_id(0);
    y[i] = ranges(i as i32);
}

pub fn cases() -> Vec<Case> {
    let text = b"12 + alpha<=3 >beta_x< 405==7 z";
    let x = [0, 3, 0, 0, 5, 1, 9, 2, 0, 4, 8, 7];
    let from: Vec<usize> = (0..text.len()).collect();
    let starts: Vec<usize> = (0..x.len()).collect();
    let numbers: Vec<i32> = (0..9).collect();
    vec![
        Case::of(&CURSOR_TOKENS).input(text).output(&map(&from, |i| tokens(&text[i..]))).items([from.len()]),
        Case::of(&CURSOR_BOTH_ENDS).input(&x).output(&map(&starts, |i| both_ends(&x[i..]))).items([x.len()]),
        Case::of(&CURSOR_CLONES).input(&x).output(&map(&starts, |i| clones(&x[i..]))).items([x.len()]),
        Case::of(&CURSOR_RANGES).output(&map(&numbers, ranges)).items([numbers.len()]),
    ]
}
