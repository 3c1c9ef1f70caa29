//! A `u8` as a character of ASCII.

use crate::ir::{Handle, Value};
use crate::lower::Builder;
use crate::methods::row::{NONE, one, test};
use crate::methods::{Method, One, Receiver};
use kernel_core::semantics::BinaryOp;

/// The bit in which the two cases of a letter differ.
const CASE: u8 = b'a' ^ b'A';

pub(in crate::methods) const METHODS: &[Method] = &[
    is("is_ascii", |b, args| within(b, args[0], 0, 0x7f)),
    is("is_ascii_alphabetic", |b, args| is_letter(b, args[0])),
    is("is_ascii_alphanumeric", |b, args| {
        let (letter, digit) = (is_letter(b, args[0]), within(b, args[0], b'0', b'9'));
        b.binary(BinaryOp::Or, letter, digit)
    }),
    is("is_ascii_control", |b, args| {
        let (low, delete) = (within(b, args[0], 0, 0x1f), within(b, args[0], 0x7f, 0x7f));
        b.binary(BinaryOp::Or, low, delete)
    }),
    is("is_ascii_digit", |b, args| within(b, args[0], b'0', b'9')),
    is("is_ascii_graphic", |b, args| within(b, args[0], b'!', b'~')),
    is("is_ascii_hexdigit", |b, args| {
        let lowered = with_case(b, args[0]);
        let (letter, digit) = (within(b, lowered, b'a', b'f'), within(b, args[0], b'0', b'9'));
        b.binary(BinaryOp::Or, letter, digit)
    }),
    is("is_ascii_lowercase", |b, args| within(b, args[0], b'a', b'z')),
    is("is_ascii_punctuation", is_punctuation),
    is("is_ascii_uppercase", |b, args| within(b, args[0], b'A', b'Z')),
    is("is_ascii_whitespace", is_whitespace),
    one("to_ascii_lowercase", Receiver::Byte, NONE, |b, args| switch_case(b, args[0], b'A', b'Z')),
    one("to_ascii_uppercase", Receiver::Byte, NONE, |b, args| switch_case(b, args[0], b'a', b'z')),
];

const fn is(name: &'static str, lowering: One) -> Method {
    test(name, Receiver::Byte, NONE, lowering)
}

/// Returns whether a byte is in a range.
fn within(b: &mut Builder<'_, '_>, byte: Handle<Value>, first: u8, last: u8) -> Handle<Value> {
    let start = b.integer_like(byte, first.into());
    let offset = b.binary(BinaryOp::Sub, byte, start);
    let length = b.integer_like(byte, (last - first).into());
    b.binary(BinaryOp::Le, offset, length)
}

/// The lower case of what is a letter.
fn with_case(b: &mut Builder<'_, '_>, byte: Handle<Value>) -> Handle<Value> {
    let case = b.integer_like(byte, CASE.into());
    b.binary(BinaryOp::Or, byte, case)
}

fn is_letter(b: &mut Builder<'_, '_>, byte: Handle<Value>) -> Handle<Value> {
    let lowered = with_case(b, byte);
    within(b, lowered, b'a', b'z')
}

/// What is graphic and neither a letter nor a digit.
fn is_punctuation(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let ranges = [(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')];
    any_of(b, args[0], &ranges)
}

/// Space, tab, line feed, form feed and carriage return, but not the vertical tab.
fn is_whitespace(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let ranges = [(b'\t', b'\n'), (0x0c, b'\r'), (b' ', b' ')];
    any_of(b, args[0], &ranges)
}

fn any_of(b: &mut Builder<'_, '_>, byte: Handle<Value>, ranges: &[(u8, u8)]) -> Handle<Value> {
    let (first, last) = ranges[0];
    let initial = within(b, byte, first, last);
    ranges[1..].iter().fold(initial, |any, &(first, last)| {
        let is_in = within(b, byte, first, last);
        b.binary(BinaryOp::Or, any, is_in)
    })
}

/// Changes the case of the letters in a range.
fn switch_case(b: &mut Builder<'_, '_>, byte: Handle<Value>, first: u8, last: u8) -> Handle<Value> {
    let case = b.integer_like(byte, CASE.into());
    let switched = b.binary(BinaryOp::Xor, byte, case);
    let is_letter = within(b, byte, first, last);
    b.select(is_letter, switched, byte)
}
