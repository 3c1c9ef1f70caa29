//! Programs for milling machines (G-code): words, modal state, moves and arcs.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{Index, IndexMut};

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Word {
        letter: char,
        value: f32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Letter(usize, char),
        Number(usize),
        Code(u32),
        Missing(Axis),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Axis {
        X,
        Y,
        Z,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Point([f32; 3]);

    impl Index<Axis> for Point {
        type Output = f32;
        fn index(&self, axis: Axis) -> &f32 {
            &self.0[axis as usize]
        }
    }

    impl IndexMut<Axis> for Point {
        fn index_mut(&mut self, axis: Axis) -> &mut f32 {
            &mut self.0[axis as usize]
        }
    }

    pub struct Words<'a> {
        line: &'a str,
        offset: usize,
    }

    /// A number of at most seven digits.
    fn decimal(text: &str) -> Option<f32> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() + fraction.len() == 0 || whole.len() + fraction.len() > 7 {
            return None;
        }
        let mut value = 0u32;
        for c in whole.chars().chain(fraction.chars()) {
            value = value * 10 + c.to_digit(10)?;
        }
        let value = value as f32 / 10u32.pow(fraction.len() as u32) as f32;
        Some(if negative { -value } else { value })
    }

    impl Iterator for Words<'_> {
        type Item = Result<Word, Error>;

        fn next(&mut self) -> Option<Self::Item> {
            let trimmed = self.line.trim_start();
            self.offset += self.line.len() - trimmed.len();
            if trimmed.is_empty() || trimmed.starts_with([';', '(']) {
                return None;
            }
            let letter = trimmed.chars().next()?;
            let rest = &trimmed[letter.len_utf8()..];
            let end =
                rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(rest.len());
            let (number, rest) = rest.split_at(end);
            let at = self.offset;
            self.offset += trimmed.len() - rest.len();
            self.line = rest;
            if !letter.is_ascii_alphabetic() {
                self.line = "";
                return Some(Err(Error::Letter(at, letter)));
            }
            Some(match decimal(number) {
                Some(value) => Ok(Word { letter: letter.to_ascii_uppercase(), value }),
                None => Err(Error::Number(at)),
            })
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Motion {
        Rapid,
        Linear,
        Arc { clockwise: bool },
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Machine {
        position: Point,
        motion: Motion,
        absolute: bool,
        scale: f32,
        feed: f32,
        travelled: f32,
        spindle: Option<u32>,
    }

    impl Machine {
        pub const fn new() -> Self {
            Machine {
                position: Point([0.0; 3]),
                motion: Motion::Rapid,
                absolute: true,
                scale: 1.0,
                feed: 100.0,
                travelled: 0.0,
                spindle: None,
            }
        }

        pub fn execute(&mut self, line: &str) -> Result<bool, Error> {
            let mut target = if self.absolute { self.position } else { Point::default() };
            let mut center = [None::<f32>; 2];
            let mut moves = false;
            for word in (Words { line, offset: 0 }) {
                let Word { letter, value } = word?;
                match letter {
                    'G' => match value as u32 {
                        0 => self.motion = Motion::Rapid,
                        1 => self.motion = Motion::Linear,
                        code @ (2 | 3) => self.motion = Motion::Arc { clockwise: code == 2 },
                        20 => self.scale = 25.4,
                        21 => self.scale = 1.0,
                        90 => (self.absolute, target) = (true, self.position),
                        91 => (self.absolute, target) = (false, Point::default()),
                        code => return Err(Error::Code(code)),
                    },
                    'X' | 'Y' | 'Z' => {
                        let axis = match letter {
                            'X' => Axis::X,
                            'Y' => Axis::Y,
                            _ => Axis::Z,
                        };
                        target[axis] = value * self.scale;
                        moves = true;
                    }
                    'I' => center[0] = Some(value * self.scale),
                    'J' => center[1] = Some(value * self.scale),
                    'F' => self.feed = value,
                    'S' => self.spindle = self.spindle.map(|_| value as u32),
                    'M' if value == 3.0 => self.spindle = Some(0),
                    'M' if value == 5.0 => self.spindle = None,
                    'M' if value == 30.0 => return Ok(false),
                    'N' => {}
                    _ => return Err(Error::Code(letter as u32)),
                }
            }
            if !self.absolute {
                for (t, p) in target.0.iter_mut().zip(self.position.0) {
                    *t += p;
                }
            }
            if moves {
                self.travelled += match (self.motion, center) {
                    (Motion::Arc { .. }, [None, _]) => return Err(Error::Missing(Axis::X)),
                    (Motion::Arc { .. }, [_, None]) => return Err(Error::Missing(Axis::Y)),
                    (Motion::Arc { clockwise }, [Some(i), Some(j)]) => self.chords(&target, i, j, clockwise),
                    (Motion::Rapid | Motion::Linear, _) => {
                        let d: [f32; 3] = core::array::from_fn(|k| target.0[k] - self.position.0[k]);
                        d.iter().map(|d| d.abs()).fold(0.0, f32::max)
                    }
                };
                self.position = target;
            }
            Ok(true)
        }

        /// How many quarter turns an arc touches, times its radius.
        fn chords(&self, target: &Point, i: f32, j: f32, clockwise: bool) -> f32 {
            let quadrant = |x: f32, y: f32| match (x >= 0.0, y >= 0.0) {
                (true, true) => 0,
                (false, true) => 1,
                (false, false) => 2,
                (true, false) => 3,
            };
            let (cx, cy) = (self.position[Axis::X] + i, self.position[Axis::Y] + j);
            let from = quadrant(-i, -j);
            let to = quadrant(target[Axis::X] - cx, target[Axis::Y] - cy);
            let quarters: i32 = if clockwise { from - to } else { to - from };
            quarters.rem_euclid(4) as f32 * i.abs().max(j.abs())
        }
    }

    const PROGRAM: &str = "N10 G21 G90 ; metric
G0 X10 Y-2.5 Z5
M3 S12000
g1 z-1.25 f300
G91 x4.5 Y0.25
G2 X5 Y5 I5 J0
G20 X.5
(comment)
G90 G3 X0 Y0 I-1 J-.5

M5
M30
G99";
    const EXTRA: [&str; 6] = ["G2 X1", "G1 X--2", "#5", "Q7", "G3 X1 I2", "G17"];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut machine = Machine::new();
        let stop = (seed >> 4) as usize % 14;
        let mut executed = 0;
        for line in PROGRAM.lines().take(stop) {
            match machine.execute(line) {
                Ok(true) => executed += 1,
                Ok(false) => break,
                Err(_) => executed += 1000,
            }
        }
        let code = match machine.execute(EXTRA[(seed % 6) as usize]) {
            Ok(more) => u32::from(more),
            Err(Error::Letter(at, c)) => 100 + at as u32 * 1000 + c as u32,
            Err(Error::Number(at)) => 200_000 + at as u32,
            Err(Error::Code(code)) => 300_000 + code,
            Err(Error::Missing(axis)) => 400_000 + axis as u32,
        };
        let Machine { position: Point([x, y, z]), travelled, feed, spindle, .. } = machine;
        [
            x.to_bits(),
            y.to_bits(),
            z.to_bits(),
            travelled.to_bits(),
            feed.to_bits(),
            spindle.unwrap_or(7),
            executed,
            code,
        ]
    }
}

#[kernel]
pub fn gcode_executed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&GCODE_EXECUTED, program::run)
}
