//! The filters of PNG: bytes of an image as differences to their neighbours.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Filter {
        None = 0,
        Sub,
        Up,
        Average,
        Paeth,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DecodeError {
        BadFilter { row: usize, code: u8 },
        Truncated,
    }

    impl TryFrom<u8> for Filter {
        type Error = u8;
        fn try_from(code: u8) -> Result<Self, u8> {
            match code {
                0 => Ok(Filter::None),
                1 => Ok(Filter::Sub),
                2 => Ok(Filter::Up),
                3 => Ok(Filter::Average),
                4 => Ok(Filter::Paeth),
                other => Err(other),
            }
        }
    }

    fn paeth(a: u8, b: u8, c: u8) -> u8 {
        let (ia, ib, ic) = (i16::from(a), i16::from(b), i16::from(c));
        let p = ia + ib - ic;
        let (pa, pb, pc) = ((p - ia).abs(), (p - ib).abs(), (p - ic).abs());
        if pa <= pb && pa <= pc {
            a
        } else if pb <= pc {
            b
        } else {
            c
        }
    }

    fn unfilter(filter: Filter, bpp: usize, previous: &[u8], current: &mut [u8]) {
        let len = current.len();
        match filter {
            Filter::None => {}
            Filter::Sub => {
                for i in bpp..len {
                    current[i] = current[i].wrapping_add(current[i - bpp]);
                }
            }
            Filter::Up => {
                for (byte, above) in current.iter_mut().zip(previous) {
                    *byte = byte.wrapping_add(*above);
                }
            }
            Filter::Average => {
                for i in 0..len {
                    let left = if i >= bpp { current[i - bpp] } else { 0 };
                    let mean = (u16::from(left) + u16::from(previous[i])) / 2;
                    current[i] = current[i].wrapping_add(mean as u8);
                }
            }
            Filter::Paeth => {
                let (first, rest) = current.split_at_mut(bpp);
                for (byte, &above) in first.iter_mut().zip(previous) {
                    *byte = byte.wrapping_add(paeth(0, above, 0));
                }
                let mut left = [0u8; 4];
                left[..bpp].copy_from_slice(first);
                for (i, byte) in rest.iter_mut().enumerate() {
                    *byte = byte.wrapping_add(paeth(left[i % bpp], previous[i + bpp], previous[i]));
                    left[i % bpp] = *byte;
                }
            }
        }
    }

    fn filter_row(filter: Filter, bpp: usize, previous: &[u8], current: &[u8], out: &mut [u8]) {
        for (i, out) in out.iter_mut().enumerate() {
            let left = i.checked_sub(bpp).map_or(0, |j| current[j]);
            let corner = i.checked_sub(bpp).map_or(0, |j| previous[j]);
            let above = previous[i];
            let predicted = match filter {
                Filter::None => 0,
                Filter::Sub => left,
                Filter::Up => above,
                Filter::Average => ((left as u16 + above as u16) >> 1) as u8,
                Filter::Paeth => paeth(left, above, corner),
            };
            *out = current[i].wrapping_sub(predicted);
        }
    }

    const WIDTH: usize = 4;
    const HEIGHT: usize = 6;
    const BPP: usize = 3;
    const STRIDE: usize = WIDTH * BPP;

    fn encode(pixels: &[[u8; STRIDE]; HEIGHT], out: &mut [u8; HEIGHT * (STRIDE + 1)]) -> [u8; HEIGHT] {
        const ALL: [Filter; 5] = [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];
        let mut chosen = [0; HEIGHT];
        let mut previous = [0u8; STRIDE];
        let mut scratch = [0u8; STRIDE];
        for (y, (row, line)) in pixels.iter().zip(out.chunks_exact_mut(STRIDE + 1)).enumerate() {
            let mut best = (u32::MAX, Filter::None);
            for filter in ALL {
                filter_row(filter, BPP, &previous, row, &mut scratch);
                let cost: u32 = scratch.iter().map(|&b| (b as i8).unsigned_abs() as u32).sum();
                if cost < best.0 {
                    best = (cost, filter);
                }
            }
            let (code, body) = line.split_first_mut().unwrap();
            *code = best.1 as u8;
            chosen[y] = *code;
            filter_row(best.1, BPP, &previous, row, body);
            previous = *row;
        }
        chosen
    }

    fn decode(data: &mut [u8]) -> Result<u32, DecodeError> {
        if data.len() % (STRIDE + 1) != 0 {
            return Err(DecodeError::Truncated);
        }
        let mut previous = [0u8; STRIDE];
        let mut hash = 5381u32;
        for (row, line) in data.chunks_mut(STRIDE + 1).enumerate() {
            let filter = Filter::try_from(line[0]).map_err(|code| DecodeError::BadFilter { row, code })?;
            let body = &mut line[1..];
            unfilter(filter, BPP, &previous, body);
            previous.copy_from_slice(body);
            hash = body.iter().fold(hash, |h, &b| h.wrapping_mul(33) ^ u32::from(b));
        }
        Ok(hash)
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut pixels = [[0u8; STRIDE]; HEIGHT];
        let mut state = seed | 1;
        for (y, row) in pixels.iter_mut().enumerate() {
            for (x, byte) in row.iter_mut().enumerate() {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                *byte = ((x * 7 + y * 5) as u8).wrapping_add((state % 9) as u8);
            }
        }
        let expected = pixels.iter().flatten().fold(5381u32, |h, &b| h.wrapping_mul(33) ^ u32::from(b));
        let mut data = [0u8; HEIGHT * (STRIDE + 1)];
        let filters = encode(&pixels, &mut data);
        let encoded = data.iter().fold(0u32, |h, &b| h.rotate_left(5) ^ b as u32);
        let decoded = decode(&mut data).unwrap_or(0);
        data[(seed as usize % HEIGHT) * (STRIDE + 1)] = 5 + (seed >> 28) as u8;
        let bad = match decode(&mut data) {
            Err(DecodeError::BadFilter { row, code }) => (row as u32) << 8 | u32::from(code),
            Err(DecodeError::Truncated) => 1 << 16,
            Ok(_) => 1 << 17,
        };
        let short = decode(&mut data[..20]) == Err(DecodeError::Truncated);
        let digits = filters.iter().fold(0, |n, &f| n * 5 + f as u32);
        [encoded, digits, decoded, (decoded == expected) as u32, bad, short as u32]
    }
}

#[kernel]
pub fn png_filtered(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&PNG_FILTERED, program::run)
}
