//! A `u8` as a character of ASCII.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[kernel]
pub fn letters(
    c: &[u8],
    letter: &mut [bool],
    lower: &mut [bool],
    upper: &mut [bool],
    to_lower: &mut [u8],
    to_upper: &mut [u8],
) {
    let i = global_id(0);
    letter[i] = c[i].is_ascii_alphabetic();
    lower[i] = c[i].is_ascii_lowercase();
    upper[i] = c[i].is_ascii_uppercase();
    to_lower[i] = c[i].to_ascii_lowercase();
    to_upper[i] = c[i].to_ascii_uppercase();
}

#[kernel]
pub fn digits(
    c: &[u8],
    ascii: &mut [bool],
    digit: &mut [bool],
    hexadecimal: &mut [bool],
    alphanumeric: &mut [bool],
) {
    let i = global_id(0);
    ascii[i] = c[i].is_ascii();
    digit[i] = c[i].is_ascii_digit();
    hexadecimal[i] = c[i].is_ascii_hexdigit();
    alphanumeric[i] = c[i].is_ascii_alphanumeric();
}

#[kernel]
pub fn marks(
    c: &[u8],
    graphic: &mut [bool],
    punctuation: &mut [bool],
    control: &mut [bool],
    whitespace: &mut [bool],
) {
    let i = global_id(0);
    graphic[i] = c[i].is_ascii_graphic();
    punctuation[i] = c[i].is_ascii_punctuation();
    control[i] = c[i].is_ascii_control();
    whitespace[i] = c[i].is_ascii_whitespace();
}

pub fn cases() -> Vec<Case> {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    vec![
        Case::of(&LETTERS)
            .input(&all)
            .output(&map(&all, |c| c.is_ascii_alphabetic()))
            .output(&map(&all, |c| c.is_ascii_lowercase()))
            .output(&map(&all, |c| c.is_ascii_uppercase()))
            .output(&map(&all, |c| c.to_ascii_lowercase()))
            .output(&map(&all, |c| c.to_ascii_uppercase()))
            .items([all.len()]),
        Case::of(&DIGITS)
            .input(&all)
            .output(&map(&all, |c| c.is_ascii()))
            .output(&map(&all, |c| c.is_ascii_digit()))
            .output(&map(&all, |c| c.is_ascii_hexdigit()))
            .output(&map(&all, |c| c.is_ascii_alphanumeric()))
            .items([all.len()]),
        Case::of(&MARKS)
            .input(&all)
            .output(&map(&all, |c| c.is_ascii_graphic()))
            .output(&map(&all, |c| c.is_ascii_punctuation()))
            .output(&map(&all, |c| c.is_ascii_control()))
            .output(&map(&all, |c| c.is_ascii_whitespace()))
            .items([all.len()]),
    ]
}
