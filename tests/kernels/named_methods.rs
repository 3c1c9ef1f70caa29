//! Methods by the names of their traits, besides methods of the same name that a type has itself; functions as values of which something else says the type.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::{self, Write};
    use core::mem::{align_of, size_of, size_of_val};
    use core::num::{NonZeroI8, NonZeroU16, NonZeroU32};
    use core::ops::{Add, Shl};
    use core::str::FromStr;

    #[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
    struct Meters(i32);

    impl Add for Meters {
        type Output = Meters;
        fn add(self, other: Meters) -> Meters {
            Meters(self.0 + other.0)
        }
    }

    impl From<i32> for Meters {
        fn from(value: i32) -> Meters {
            Meters(value)
        }
    }

    struct Steps {
        at: u32,
        end: u32,
    }

    impl Steps {
        fn next(&self) -> u32 {
            self.at + 100
        }
    }

    impl Iterator for Steps {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            if self.at == self.end {
                return None;
            }
            self.at += 1;
            Some(self.at)
        }
    }

    struct Text {
        bytes: [u8; 24],
        len: usize,
    }

    impl Write for Text {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for &byte in text.as_bytes() {
                *self.bytes.get_mut(self.len).ok_or(fmt::Error)? = byte;
                self.len += 1;
            }
            Ok(())
        }
    }

    #[repr(i16)]
    #[derive(Clone, Copy)]
    enum Level {
        Low = -5,
        High,
    }

    fn by_traits(seed: u32) -> u32 {
        let sum = Add::add(Meters(3), Meters(seed as i32));
        let more = <Meters as Add>::add(sum, Into::into(1));
        let order = PartialOrd::partial_cmp(&sum, &more).map_or(9, |order| order as i32 + 1);
        let items = Iterator::sum::<u32>(Steps { at: 0, end: seed % 5 });
        let mapped = Iterator::map([1, 2, 3].iter(), |x| x * seed).fold(0, u32::wrapping_add);
        let mut numbers = [seed, 2, 3].into_iter();
        let number = Iterator::next(&mut numbers).unwrap_or_default();
        let parsed = <u32 as FromStr>::from_str("42").unwrap_or(0);
        let shifted = Shl::shl(1u32, seed % 8);
        let lesser = PartialOrd::lt(&seed, &7) as u32;
        order as u32 + items * 3 + mapped * 5 + number * 7 + parsed + shifted + lesser * 11
    }

    fn of_its_own(seed: u32) -> u32 {
        let mut steps = Steps { at: seed, end: seed + 4 };
        let own = steps.next();
        let of_trait = Iterator::next(&mut steps).unwrap_or(0);
        let mut sum = 0;
        for step in &mut steps {
            sum = sum * 3 + step;
            if sum % 2 == 0 {
                break;
            }
        }
        own + of_trait * 3 + sum * 5 + steps.sum::<u32>() * 7
    }

    fn written(seed: u32) -> u32 {
        let mut text = Text { bytes: [0; 24], len: 0 };
        let first = fmt::Write::write_fmt(&mut text, format_args!("{}-{:x}", seed, seed * 3)).is_ok();
        let second = Write::write_str(&mut text, "ab").is_ok();
        let third = <Text as fmt::Write>::write_char(&mut text, 'z').is_ok();
        let hash = text.bytes.iter().fold(0u32, |hash, &byte| hash.wrapping_mul(131) ^ u32::from(byte));
        hash ^ (first as u32 + second as u32 * 2 + third as u32 * 4)
    }

    fn checked(seed: u32) -> Result<u32, u8> {
        if seed % 3 == 0 { Err(seed as u8) } else { Ok(seed) }
    }

    fn as_values(seed: u32) -> u32 {
        let by: fn(i32, i32) -> Option<i32> = match seed % 3 {
            0 => |a, b| Some(a.wrapping_add(b)),
            1 => |a, b| {
                let greater = a.max(b);
                greater.checked_mul(3)
            },
            _ => i32::checked_div,
        };
        let turned: fn(u32) -> u32 = if seed % 2 == 0 { |x| x.rotate_left(3) } else { |x| x.wrapping_mul(7) };
        let dropped: Result<(), u8> = checked(seed).map(drop);
        let error = checked(seed).map_err(drop).unwrap_or(4);
        let met = [Meters(1), Meters(seed as i32)].iter().map(Clone::clone).fold(Meters(0), Add::add);
        let level = if seed % 2 == 0 { Level::Low } else { Level::High };
        let sizes = size_of::<Level>() + align_of::<Level>() * 3 + size_of_val(&level) * 5;
        let bounds =
            NonZeroU32::MIN.get() + NonZeroI8::MIN.get() as u8 as u32 + u32::from(NonZeroU16::MAX.get());
        by(seed as i32, seed as i32 - 4).map_or(77, |found| found as u32)
            ^ turned(seed)
            ^ (dropped.is_ok() as u32
                + error * 3
                + met.0 as u32 * 5
                + sizes as u32
                + level as i16 as u8 as u32)
            ^ (bounds + NonZeroU32::BITS)
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let seed = seed % 1_000;
        [by_traits(seed), of_its_own(seed), written(seed), as_values(seed)]
    }
}

#[kernel]
pub fn methods_by_name(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&METHODS_BY_NAME, program::run)]
}
