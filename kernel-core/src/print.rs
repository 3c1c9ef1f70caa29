//! Printing: what a kernel that prints leaves for the host to format.
//!
//! Before its fault record, such a kernel takes two more device arguments: a pointer to a print buffer in CrossWorkgroup memory and
//! a number, not zero, by which the host tells the kernels that share the buffer. The buffer is a [`PrintHeader`] and then
//! `capacity` words. Each call of `println!` takes a record of these by an atomic addition to `used`: the number of the
//! kernel, the index of the [`PrintSite`] and the words of the arguments. A record that does not fit is not written. All that
//! were written come before the first that was not.

use crate::vector::{Lane, Vector};
use crate::{bf16, f16};
use bytemuck::{Pod, Zeroable};
use core::fmt;

/// The words of a record before those of its arguments.
const WORDS_OF_RECORD: usize = 2;

/// The start of a print buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct PrintHeader {
    /// How many words follow; at most [`MAX_CAPACITY`](Self::MAX_CAPACITY). Set by the host.
    pub capacity: u32,
    /// How many words were asked for; may be more than there are.
    pub used: u32,
    /// How many records were asked for; it wraps.
    pub calls: u32,
    /// Not used.
    pub reserved: u32,
}

impl PrintHeader {
    /// The largest capacity. No device has as many work-items at a time as it takes for `used` to wrap from here.
    pub const MAX_CAPACITY: u32 = 1 << 28;
}

/// A place in the source of a kernel that prints.
#[derive(Clone, Copy, Debug)]
pub struct PrintSite {
    /// Where the text goes.
    pub stream: PrintStream,
    /// Whether a line break follows.
    pub newline: bool,
    /// How many words the arguments have.
    pub words: u32,
    /// Formats the words as the program says.
    pub write: fn(&[u32], &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// Where the text goes that a kernel prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintStream {
    /// The standard output.
    Output,
    /// The standard error.
    Error,
}

/// One record of a print buffer. It is displayed as what the kernel printed.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a> {
    /// Where it was printed.
    pub site: &'static PrintSite,
    words: &'a [u32],
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.site.write)(self.words, f)?;
        if self.site.newline { f.write_str("\n") } else { Ok(()) }
    }
}

/// A print buffer that no kernel leaves so: something else has overwritten it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedPrint {
    /// The number of the kernel.
    pub kernel: u32,
    /// The index of the site.
    pub site: u32,
}

impl fmt::Display for MalformedPrint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, site } = self;
        write!(f, "a print buffer has a record of kernel {kernel} and site {site}, which do not exist")
    }
}

impl core::error::Error for MalformedPrint {}

/// Takes the first record of the words of a print buffer; none if there is no more.
///
/// `words` are as many of those after the header as were used, and `sites` finds those of a kernel by its number.
///
/// # Errors
///
/// [`MalformedPrint`] if there is no such kernel or site, or the record is longer than what is left.
pub fn take_record<'a>(
    words: &mut &'a [u32],
    sites: impl FnOnce(u32) -> Option<&'static [PrintSite]>,
) -> Result<Option<Printed<'a>>, MalformedPrint> {
    let [kernel, site, rest @ ..] = *words else { return Ok(None) };
    // What did not fit was not written, and the buffer was zero before.
    if *kernel == 0 {
        return Ok(None);
    }
    let malformed = MalformedPrint { kernel: *kernel, site: *site };
    let site = sites(*kernel).and_then(|sites| sites.get(usize::try_from(*site).ok()?)).ok_or(malformed)?;
    let (own, rest) = rest.split_at_checked(site.words as usize).ok_or(malformed)?;
    *words = rest;
    Ok(Some(Printed { site, words: own }))
}

/// How many words a record takes whose arguments have so many.
#[must_use]
pub const fn record_words(of_arguments: u32) -> u32 {
    WORDS_OF_RECORD as u32 + of_arguments
}

/// A type whose values can be printed.
pub trait Printable: Copy {
    /// Takes a value from the words of a record.
    fn take(words: &mut &[u32]) -> Self;
}

/// Text that a kernel has at run time, as far as a record has room for it.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; Text::MOST],
    len: usize,
}

impl Text {
    /// The most bytes of it.
    pub const MOST: usize = 48;
    /// The words that it takes: its length, and its bytes.
    pub const WORDS: usize = 1 + Self::MOST / 4;

    /// Calls a function with the text; what there was no room for is three points.
    fn shown<T>(&self, show: impl FnOnce(&str) -> T) -> T {
        const POINTS: &[u8] = b"...";
        let mut bytes = [0; Self::MOST + POINTS.len()];
        let kept = &self.bytes[..self.len.min(Self::MOST)];
        // A character that is there in part is not.
        let mut end = core::str::from_utf8(kept).map_or_else(|error| error.valid_up_to(), str::len);
        bytes[..end].copy_from_slice(&kept[..end]);
        if self.len > Self::MOST {
            bytes[end..end + POINTS.len()].copy_from_slice(POINTS);
            end += POINTS.len();
        }
        show(core::str::from_utf8(&bytes[..end]).unwrap_or_default())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown(|text| f.pad(text))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown(|text| fmt::Debug::fmt(text, f))
    }
}

impl Printable for Text {
    fn take(words: &mut &[u32]) -> Self {
        let len = word(words) as usize;
        let mut bytes = [0; Self::MOST];
        for four in bytes.chunks_mut(4) {
            four.copy_from_slice(&word(words).to_le_bytes());
        }
        Self { bytes, len }
    }
}

/// Takes a word; zero if there is none, which is not so in a record.
fn word(words: &mut &[u32]) -> u32 {
    let Some((first, rest)) = words.split_first() else { return 0 };
    *words = rest;
    *first
}

/// Takes 64 bits, of which the low ones come first.
fn double_word(words: &mut &[u32]) -> u64 {
    let [low, high] = [word(words), word(words)];
    u64::from(low) | u64::from(high) << 32
}

macro_rules! printable {
    ($($ty:ty = |$words:ident| $value:expr;)*) => {$(
        impl Printable for $ty {
            fn take($words: &mut &[u32]) -> Self {
                $value
            }
        }
    )*};
}

printable! {
    bool = |words| word(words) != 0;
    char = |words| char::from_u32(word(words)).unwrap_or(char::REPLACEMENT_CHARACTER);
    u8 = |words| word(words) as Self;
    u16 = |words| word(words) as Self;
    u32 = |words| word(words);
    u64 = |words| double_word(words);
    usize = |words| double_word(words) as Self;
    i8 = |words| word(words) as Self;
    i16 = |words| word(words) as Self;
    i32 = |words| word(words).cast_signed();
    i64 = |words| double_word(words).cast_signed();
    isize = |words| double_word(words) as Self;
    f16 = |words| Self::from_bits(word(words) as u16);
    bf16 = |words| Self::from_bits(word(words) as u16);
    f32 = |words| Self::from_bits(word(words));
    f64 = |words| Self::from_bits(double_word(words));
}

impl<T: Printable + Lane<N>, const N: usize> Printable for Vector<T, N> {
    fn take(words: &mut &[u32]) -> Self {
        Self::from_array(core::array::from_fn(|_| T::take(words)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    static SITES: [PrintSite; 2] = [
        PrintSite {
            stream: PrintStream::Output,
            newline: true,
            words: 3,
            write: |mut words, f| {
                let (x, y) = (i32::take(&mut words), f64::take(&mut words));
                write!(f, "x = {x}, y = {y:.1}")
            },
        },
        PrintSite { stream: PrintStream::Error, newline: false, words: 0, write: |_, f| write!(f, "done") },
    ];

    fn sites(kernel: u32) -> Option<&'static [PrintSite]> {
        (kernel == 7).then_some(&SITES[..])
    }

    #[test]
    fn records_are_displayed_as_rust_formats_them() {
        let bits = 2.25_f64.to_bits();
        let words =
            [7, 0, 5_i32.wrapping_neg().cast_unsigned(), bits as u32, (bits >> 32) as u32, 7, 1, 0, 0];
        let mut rest = &words[..];
        assert_eq!(take_record(&mut rest, sites).unwrap().unwrap().to_string(), "x = -5, y = 2.2\n");
        let second = take_record(&mut rest, sites).unwrap().unwrap();
        assert_eq!((second.to_string(), second.site.stream), ("done".to_string(), PrintStream::Error));
        assert!(take_record(&mut rest, sites).unwrap().is_none());
    }

    #[test]
    fn what_no_kernel_writes_is_an_error() {
        for (words, kernel, site) in [(&[6, 0, 0][..], 6, 0), (&[7, 2], 7, 2), (&[7, 0, 1, 2], 7, 0)] {
            let mut rest = words;
            assert_eq!(take_record(&mut rest, sites).unwrap_err(), MalformedPrint { kernel, site });
        }
    }
}
