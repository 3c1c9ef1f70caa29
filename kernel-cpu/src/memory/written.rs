//! Which bytes of some memory have been written.

use std::sync::atomic::{AtomicU64, Ordering};

/// A bit for each byte that has been written. Threads that race for a byte get what they get, as they do with the byte itself.
#[derive(Debug)]
pub(crate) struct Written(Box<[AtomicU64]>);

/// The bytes of one of the words that are in a range, as bits.
#[inline(always)]
fn bits(word: u64, start: u64, end: u64) -> u64 {
    let first = start.saturating_sub(word * 64);
    let count = (end - word * 64).min(64) - first;
    (u64::MAX >> (64 - count)) << first
}

impl Written {
    /// Of so many bytes, none of which has been written.
    pub(crate) fn new(bytes: u64) -> Self {
        let words = usize::try_from(bytes.div_ceil(64)).unwrap_or(0);
        Self(std::iter::repeat_with(AtomicU64::default).take(words).collect())
    }

    /// The words that a range of bytes is in, each with its bits of them; what is beyond the end is left out.
    #[inline(always)]
    fn words(&self, offset: u64, size: u64) -> impl Iterator<Item = (&AtomicU64, u64, u64)> {
        let end = offset.saturating_add(size).min(self.0.len() as u64 * 64);
        (offset / 64..end.div_ceil(64))
            .filter(move |_| offset < end)
            .map(move |word| (&self.0[word as usize], word, bits(word, offset, end)))
    }

    /// Notes that bytes have been written.
    #[inline(always)]
    pub(crate) fn mark(&self, offset: u64, size: u64) {
        for (word, _, bits) in self.words(offset, size) {
            if word.load(Ordering::Relaxed) & bits != bits {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// Notes that bytes hold nothing any more.
    pub(crate) fn clear(&self, offset: u64, size: u64) {
        for (word, _, bits) in self.words(offset, size) {
            word.fetch_and(!bits, Ordering::Relaxed);
        }
    }

    /// The first of some bytes that nobody has written.
    #[inline(always)]
    pub(crate) fn first_unwritten(&self, offset: u64, size: u64) -> Option<u64> {
        self.words(offset, size).find_map(|(word, number, bits)| {
            let missing = bits & !word.load(Ordering::Relaxed);
            (missing != 0).then(|| number * 64 + u64::from(missing.trailing_zeros()))
        })
    }

    /// Whether nobody has written any of some bytes. An atomic on a word may be one on the part of it that somebody has written, as those of bytes are, so that for
    /// it this is what matters.
    pub(crate) fn is_unwritten(&self, offset: u64, size: u64) -> bool {
        self.words(offset, size).all(|(word, _, bits)| word.load(Ordering::Relaxed) & bits == 0)
    }

    /// Notes that bytes have been copied here, which are then as they are where they come from.
    pub(crate) fn copy(&self, offset: u64, from: Option<(&Self, u64)>, size: u64) {
        self.mark(offset, size);
        let Some((from, start)) = from else { return };
        let mut at = 0;
        while let Some(missing) = from.first_unwritten(start + at, size - at) {
            at = missing - start;
            self.clear(offset + at, 1);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_one_by_one() {
        let written = Written::new(300);
        for (offset, size) in [(3, 1), (60, 10), (128, 64), (200, 100), (290, 100), (7, 0)] {
            written.mark(offset, size);
        }
        let is_written = |byte: u64| {
            byte == 3 || (60..70).contains(&byte) || (128..192).contains(&byte) || (200..320).contains(&byte)
        };
        for start in 0..320 {
            for size in [1, 2, 4, 8, 63, 64, 65, 200] {
                let expected = (start..start + size).find(|&byte| byte < 320 && !is_written(byte));
                assert_eq!(written.first_unwritten(start, size), expected, "{start} {size}");
            }
        }
        assert!(written.is_unwritten(4, 56) && !written.is_unwritten(4, 57) && !written.is_unwritten(3, 1));
        written.clear(62, 4);
        assert_eq!(written.first_unwritten(60, 10), Some(62));
        assert_eq!(written.first_unwritten(66, 4), None);
        assert_eq!(written.first_unwritten(u64::MAX - 2, 2), None);
    }

    #[test]
    fn what_is_copied_is_as_written_as_before() {
        let (from, to) = (Written::new(64), Written::new(64));
        from.mark(8, 4);
        from.mark(14, 1);
        to.mark(0, 64);
        to.copy(20, Some((&from, 6)), 10);
        let unwritten: Vec<u64> = (0..64).filter(|&byte| to.first_unwritten(byte, 1).is_some()).collect();
        assert_eq!(unwritten, [20, 21, 26, 27, 29]);
        to.copy(20, None, 10);
        assert_eq!(to.first_unwritten(0, 64), None);
    }
}
