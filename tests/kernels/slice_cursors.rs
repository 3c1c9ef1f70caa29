//! References to variables that hold slices: `&mut &[T]`.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod cursors {
    pub fn take_u8(cursor: &mut &[u8]) -> Option<u8> {
        let (&first, rest) = cursor.split_first()?;
        *cursor = rest;
        Some(first)
    }
    pub fn take_u16(cursor: &mut &[u8]) -> Option<u16> {
        if cursor.len() < 2 {
            return None;
        }
        let v = u16::from_le_bytes([cursor[0], cursor[1]]);
        *cursor = &cursor[2..];
        Some(v)
    }
    pub fn take_n<'a>(cursor: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
        let head = cursor.get(..n)?;
        *cursor = &cursor[n..];
        Some(head)
    }
    pub fn record(cursor: &mut &[u8]) -> Option<u32> {
        let kind = take_u8(cursor)?;
        Some(match kind % 4 {
            0 => take_u16(cursor)? as u32,
            1 => take_u8(cursor)? as u32 + 1000,
            2 => take_n(cursor, 3)?.iter().map(|&b| b as u32).sum(),
            _ => 5,
        })
    }
    pub fn all(data: &[u8]) -> u32 {
        let mut cursor = data;
        let mut h = 0_u32;
        while let Some(v) = record(&mut cursor) {
            h = h.wrapping_mul(31) ^ v;
        }
        h ^ (cursor.len() as u32) << 24
    }
    pub fn two(data: &[u8], pick: bool) -> u32 {
        let (mut a, mut b) = data.split_at(data.len() / 2);
        let cursor = if pick { &mut a } else { &mut b };
        let v = take_u16(cursor).unwrap_or(3) as u32;
        let w = take_u8(cursor).unwrap_or(4) as u32;
        v * 256 + w + (a.len() * 7 + b.len()) as u32
    }
    /// The cursor's own methods, by a trait and in a field.
    pub trait Buf {
        fn get_u8(&mut self) -> u8;
        fn remaining(&self) -> usize;
        fn skip(&mut self, n: usize) {
            for _ in 0..n {
                self.get_u8();
            }
        }
    }
    impl Buf for &[u8] {
        fn get_u8(&mut self) -> u8 {
            let v = self.first().copied().unwrap_or(255);
            if !self.is_empty() {
                *self = &self[1..];
            }
            v
        }
        fn remaining(&self) -> usize {
            self.len()
        }
    }
    fn get_u16<B: Buf>(b: &mut B) -> u16 {
        b.get_u8() as u16 * 256 + b.get_u8() as u16
    }
    struct Parser<'a, 'b> {
        input: &'a mut &'b [u8],
        count: u32,
    }
    impl Parser<'_, '_> {
        fn step(&mut self) -> u32 {
            self.count += 1;
            take_u8(self.input).map_or(9, |v| v as u32) + take_u8(&mut self.input).map_or(5, |v| v as u32)
        }
    }
    pub fn traits(data: &[u8]) -> u32 {
        let mut c = data;
        let a = c.get_u8() as u32;
        c.skip(2);
        let b = get_u16(&mut c) as u32;
        let mut p = Parser { input: &mut c, count: 0 };
        let s = p.step() * 3 + p.step();
        let n = p.count;
        let mut d = &data[1..];
        let mut q = if n == data.len() as u32 {
            Parser { input: &mut c, count: 7 }
        } else {
            Parser { input: &mut d, count: 8 }
        };
        let t = q.step() + q.count;
        let (mut src, mut dst) = (&data[..2.min(data.len())], &data[..1.min(data.len())]);
        for _ in 0..3 {
            std::mem::swap(&mut src, &mut dst);
        }
        a + b * 3
            + s * 7
            + c.remaining() as u32 * 1000
            + t * 100
            + d.len() as u32
            + take_u8(&mut &data[..1.min(data.len())]).map_or(1, |v| v as u32)
            + src.len() as u32 * 5
    }
    pub struct Reader<'a> {
        rest: &'a [u8],
        read: usize,
    }
    impl<'a> Reader<'a> {
        fn next(&mut self) -> u32 {
            match self.rest {
                [first, tail @ ..] => {
                    self.rest = tail;
                    self.read += 1;
                    *first as u32
                }
                [] => 77,
            }
        }
    }
    pub fn readers(data: &[u8], i: usize) -> u32 {
        let mut a = Reader { rest: data, read: 0 };
        let mut b = Reader { rest: &data[data.len() / 2..], read: 100 };
        let mut sum = 0_u32;
        for k in 0..6 {
            let r = if (i >> k) % 2 == 0 { &mut a } else { &mut b };
            sum = sum.wrapping_mul(31) + r.next();
            if r.read > 102 {
                break;
            }
        }
        sum ^ ((a.read * 1000 + b.read) as u32) ^ (a.rest.len() + b.rest.len()) as u32
    }
    pub fn fill(out: &mut &mut [u32], v: u32) {
        let all = std::mem::take(out);
        if let Some((first, rest)) = all.split_first_mut() {
            *first = v;
            *out = rest;
        }
    }
    pub fn filled(i: u32) -> u32 {
        let mut a = [1_u32; 5];
        let mut rest = &mut a[..];
        for k in 0..i % 7 {
            fill(&mut rest, k * 3);
        }
        let left = rest.len() as u32;
        a.iter().fold(left, |s, v| s * 10 + v)
    }
    pub fn skip_ws(input: &mut &[u8]) {
        while let [b' ', rest @ ..] = *input {
            *input = rest;
        }
    }
    pub fn number(input: &mut &[u8]) -> u32 {
        skip_ws(input);
        let mut n = 0_u32;
        while let Some((d @ b'0'..=b'9', rest)) = input.split_first() {
            n = n.wrapping_mul(10) + (d - b'0') as u32;
            *input = rest;
        }
        n
    }
}

#[device]
fn all(text: &[u8], i: usize) -> [u32; 6] {
    let mut rest = &text[i..];
    let (first, second) = (cursors::number(&mut rest), cursors::number(&mut rest));
    [
        cursors::all(&text[i..]),
        cursors::two(&text[i..], i % 2 == 0),
        first.wrapping_mul(10) + second + rest.len() as u32,
        cursors::traits(&text[i..]),
        cursors::readers(&text[i..], i),
        cursors::filled(i as u32),
    ]
}

#[kernel]
pub fn slice_cursors(text: &[u8], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = all(text, i);
}

pub fn cases() -> Vec<Case> {
    let text = b"  12 345 67\x01\x02\x03\x04\x05\x06\x07\x08\x09 1";
    let positions: Vec<usize> = (0..text.len()).collect();
    let y = map(&positions, |i| all(text, i));
    vec![Case::of(&SLICE_CURSORS).input(text).output(&y).items([y.len()])]
}
