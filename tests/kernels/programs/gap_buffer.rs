//! A gap buffer: the text of an editor, with the hole at the cursor.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::{self, Write};
    use core::ops::{Bound, Index, RangeBounds};

    #[derive(Clone)]
    pub struct GapBuffer<const N: usize> {
        bytes: [u8; N],
        gap_start: usize,
        gap_end: usize,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum EditError {
        Full,
        AtStart,
        AtEnd,
        OutOfRange { index: usize, len: usize },
    }

    pub type Result<T, E = EditError> = core::result::Result<T, E>;

    impl<const N: usize> Default for GapBuffer<N> {
        fn default() -> Self {
            Self { bytes: [0; N], gap_start: 0, gap_end: N }
        }
    }

    impl<const N: usize> GapBuffer<N> {
        pub const CAPACITY: usize = N;

        pub fn new() -> Self {
            Self::default()
        }

        #[inline]
        pub const fn len(&self) -> usize {
            N - (self.gap_end - self.gap_start)
        }

        #[must_use]
        pub const fn is_empty(&self) -> bool {
            self.len() == 0
        }

        pub fn insert(&mut self, byte: u8) -> Result<()> {
            if self.gap_start == self.gap_end {
                return Err(EditError::Full);
            }
            self.bytes[self.gap_start] = byte;
            self.gap_start += 1;
            Ok(())
        }

        pub fn backspace(&mut self) -> Result<u8> {
            self.gap_start = self.gap_start.checked_sub(1).ok_or(EditError::AtStart)?;
            Ok(self.bytes[self.gap_start])
        }

        pub fn delete(&mut self) -> Result<u8> {
            let byte = *self.bytes.get(self.gap_end).ok_or(EditError::AtEnd)?;
            self.gap_end += 1;
            Ok(byte)
        }

        pub fn move_to(&mut self, index: usize) -> Result<()> {
            let len = self.len();
            if index > len {
                return Err(EditError::OutOfRange { index, len });
            }
            if index < self.gap_start {
                let count = self.gap_start - index;
                self.bytes.copy_within(index..self.gap_start, self.gap_end - count);
                self.gap_start -= count;
                self.gap_end -= count;
            } else {
                let count = index - self.gap_start;
                self.bytes.copy_within(self.gap_end..self.gap_end + count, self.gap_start);
                self.gap_start += count;
                self.gap_end += count;
            }
            Ok(())
        }

        pub fn as_slices(&self) -> (&[u8], &[u8]) {
            (&self.bytes[..self.gap_start], &self.bytes[self.gap_end..])
        }

        pub fn iter(&self) -> impl DoubleEndedIterator<Item = u8> + '_ {
            let (before, after) = self.as_slices();
            before.iter().chain(after).copied()
        }

        pub fn count_in(&self, range: impl RangeBounds<usize>, predicate: impl Fn(u8) -> bool) -> usize {
            let start = match range.start_bound() {
                Bound::Included(&s) => s,
                Bound::Excluded(&s) => s + 1,
                Bound::Unbounded => 0,
            };
            let end = match range.end_bound() {
                Bound::Included(&e) => e + 1,
                Bound::Excluded(&e) => e,
                Bound::Unbounded => self.len(),
            };
            self.iter().skip(start).take(end - start).filter(|&b| predicate(b)).count()
        }
    }

    impl<const N: usize> Write for GapBuffer<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            s.bytes().try_for_each(|b| self.insert(b)).map_err(|_| fmt::Error)
        }
    }

    impl<const N: usize> Index<usize> for GapBuffer<N> {
        type Output = u8;
        fn index(&self, index: usize) -> &u8 {
            if index < self.gap_start {
                &self.bytes[index]
            } else {
                &self.bytes[index + (self.gap_end - self.gap_start)]
            }
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut text = GapBuffer::<40>::new();
        text.write_str("hello, world").unwrap();
        text.move_to(5).unwrap();
        let _ = write!(text, " #{} {:x}", seed % 1000, seed & 0xff);
        let mut errors = 0;
        for i in 0..(seed % 7) {
            match text.backspace() {
                Ok(b) if b.is_ascii_digit() => errors += 1,
                Ok(_) => {}
                Err(EditError::AtStart) => break,
                Err(e) => errors += 100 + (e == EditError::Full) as u32 + i,
            }
        }
        let beyond = text.move_to(99);
        if let Err(EditError::OutOfRange { index, len }) = beyond {
            errors += (index * 1000 + len) as u32;
        }
        text.move_to(text.len()).unwrap();
        let at_end = text.delete().is_err();
        let mut full = 0u32;
        while text.insert(b'!').is_ok() {
            full += 1;
        }
        let hash = text.iter().fold(5381u32, |h, b| h.wrapping_mul(33) ^ u32::from(b));
        let back = text.iter().rev().position(|b| b != b'!').unwrap_or(usize::MAX);
        [
            hash,
            text.len() as u32,
            back as u32,
            full,
            errors,
            at_end as u32,
            text.count_in(2..=20, |b| matches!(b, b'a'..=b'z' | b' ')) as u32,
            u32::from(text[7]) | (GapBuffer::<40>::CAPACITY as u32) << 8 | (text.is_empty() as u32) << 16,
        ]
    }
}

#[kernel]
pub fn text_edited(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&TEXT_EDITED, program::run)
}
