//! Geohashes and their neighbours.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    const BASE32: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Coord {
        pub x: f64,
        pub y: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rect {
        min: Coord,
        max: Coord,
    }

    impl Rect {
        pub const WORLD: Rect = Rect { min: Coord { x: -180.0, y: -90.0 }, max: Coord { x: 180.0, y: 90.0 } };

        pub fn center(&self) -> Coord {
            let Rect { min, max } = *self;
            Coord { x: (min.x + max.x) / 2.0, y: (min.y + max.y) / 2.0 }
        }
        pub fn width(&self) -> f64 {
            self.max.x - self.min.x
        }
    }

    #[derive(Debug)]
    pub enum GeohashError {
        InvalidHashCharacter(char),
        InvalidCoordinateRange(Coord),
        InvalidLength(usize),
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Direction {
        N = 0,
        E,
        S = 4,
        W,
    }

    impl Direction {
        const ALL: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];
        const fn to_tuple(self) -> (f64, f64) {
            match self {
                Direction::N => (1.0, 0.0),
                Direction::E => (0.0, 1.0),
                Direction::S => (-1.0, 0.0),
                Direction::W => (0.0, -1.0),
            }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Geohash {
        text: [u8; 12],
        len: usize,
    }

    impl Geohash {
        pub fn encode(c: Coord, len: usize) -> Result<Geohash, GeohashError> {
            if !(-180.0..=180.0).contains(&c.x) || !(-90.0..=90.0).contains(&c.y) {
                return Err(GeohashError::InvalidCoordinateRange(c));
            }
            if !(1..=12).contains(&len) {
                return Err(GeohashError::InvalidLength(len));
            }
            let mut text = [0; 12];
            let Rect { mut min, mut max } = Rect::WORLD;
            let mut even = true;
            for letter in text.iter_mut().take(len) {
                let mut index = 0;
                for _ in 0..5 {
                    let (low, high, value) =
                        if even { (&mut min.x, &mut max.x, c.x) } else { (&mut min.y, &mut max.y, c.y) };
                    let mid = (*low + *high) / 2.0;
                    index <<= 1;
                    if value > mid {
                        index |= 1;
                        *low = mid;
                    } else {
                        *high = mid;
                    }
                    even = !even;
                }
                *letter = BASE32[index];
            }
            Ok(Geohash { text, len })
        }

        pub fn as_str(&self) -> &str {
            core::str::from_utf8(&self.text[..self.len]).unwrap()
        }

        pub fn neighbor(&self, direction: Direction) -> Result<Geohash, GeohashError> {
            let bounds = decode_bbox(self.as_str())?;
            let (dlat, dlng) = direction.to_tuple();
            let Coord { x, y } = bounds.center();
            let height = (bounds.max.y - bounds.min.y).abs();
            Geohash::encode(Coord { x: x + bounds.width().abs() * dlng, y: y + height * dlat }, self.len)
        }
    }

    fn hash_value_of_char(c: char) -> Result<usize, GeohashError> {
        let ord = c as u32;
        if c.is_ascii() && (48..=57).contains(&ord) {
            return Ok(ord as usize - 48);
        }
        BASE32.iter().position(|&b| b == c as u8).ok_or(GeohashError::InvalidHashCharacter(c))
    }

    pub fn decode_bbox(hash: &str) -> Result<Rect, GeohashError> {
        let mut is_lon = true;
        let mut rect = Rect::WORLD;
        for c in hash.chars() {
            let value = hash_value_of_char(c)?;
            for bs in 0..5 {
                let bit = (value >> (4 - bs)) & 1usize;
                let mid = rect.center();
                match (is_lon, bit) {
                    (true, 1) => rect.min.x = mid.x,
                    (true, _) => rect.max.x = mid.x,
                    (false, 1) => rect.min.y = mid.y,
                    (false, _) => rect.max.y = mid.y,
                }
                is_lon = !is_lon;
            }
        }
        Ok(rect)
    }

    fn digest(hash: &Geohash) -> u32 {
        hash.as_str().bytes().fold(0, |h: u32, b| h.wrapping_mul(37).wrapping_add(b as u32))
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let coord = Coord { x: (seed % 721) as f64 * 0.5 - 179.7, y: (seed % 361) as f64 / 2.0 - 90.0 };
        let len = seed as usize % 14;
        let mut out = [0; 8];
        match Geohash::encode(coord, len) {
            Ok(hash) => {
                out[0] = digest(&hash);
                out[1] = hash.as_str().len() as u32;
                let rect = decode_bbox(hash.as_str()).unwrap_or(Rect::WORLD);
                out[2] = (rect.width().to_bits() >> 32) as u32;
                for (slot, direction) in out[3..7].iter_mut().zip(Direction::ALL) {
                    *slot = match hash.neighbor(direction) {
                        Ok(n) => digest(&n) ^ direction as u32,
                        Err(GeohashError::InvalidCoordinateRange(Coord { x, .. })) => x as i32 as u32,
                        Err(_) => 5,
                    };
                }
                out[7] = hash.as_str().starts_with("s") as u32;
            }
            Err(GeohashError::InvalidLength(n)) => out[0] = n as u32,
            Err(_) => out[0] = 77,
        }
        if let Err(GeohashError::InvalidHashCharacter(c)) = decode_bbox("ezs4a") {
            out[7] |= (c as u32) << 8;
        }
        out
    }
}

#[kernel]
pub fn geohashes(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&GEOHASHES, program::run)
}
