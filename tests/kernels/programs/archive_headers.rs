//! Headers of archives, in the manner of `tar` and `zerocopy`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::convert::TryFrom;
    use core::fmt;
    use core::mem::size_of;
    use core::ops::Range;
    use core::str;

    const BLOCK: usize = 64;

    const NAME: Range<usize> = 0..16;
    const MODE: Range<usize> = 16..22;
    const SIZE: Range<usize> = 22..30;
    const SUM: Range<usize> = 30..38;
    const KIND: usize = 38;
    const MAGIC: Range<usize> = 40..46;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum TarError {
        Truncated { needed: usize, available: usize },
        Checksum { expected: u32, found: u32 },
        InvalidOctal(Option<u8>),
        BadMagic,
        BadKind(u8),
        Utf8(str::Utf8Error),
    }

    impl From<str::Utf8Error> for TarError {
        fn from(error: str::Utf8Error) -> Self {
            TarError::Utf8(error)
        }
    }

    impl fmt::Display for TarError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {
                Self::Truncated { needed, available } => {
                    write!(f, "{needed} bytes are needed, of {available}")
                }
                Self::Checksum { expected, found } => write!(f, "sum is {found:#o}, not {expected:#o}"),
                Self::InvalidOctal(Some(b)) => write!(f, "{:?} is no octal digit", b as char),
                Self::InvalidOctal(None) => f.write_str("no digits"),
                Self::BadMagic => f.write_str("bad magic"),
                Self::BadKind(kind) => write!(f, "bad kind {kind:02x}"),
                Self::Utf8(_) => f.write_str("no text"),
            }
        }
    }

    #[repr(u8)]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EntryKind {
        File = b'0',
        Link = b'1',
        Directory = b'5',
    }

    impl TryFrom<u8> for EntryKind {
        type Error = TarError;

        fn try_from(value: u8) -> Result<Self, Self::Error> {
            Ok(match value {
                0 | b'0' => Self::File,
                b'1' => Self::Link,
                b'5' => Self::Directory,
                other => return Err(TarError::BadKind(other)),
            })
        }
    }

    fn octal(field: &[u8]) -> Result<u32, TarError> {
        let digits = field.trim_ascii_start();
        let end = digits.iter().position(|b| matches!(b, b'\0' | b' ')).unwrap_or(digits.len());
        let digits = &digits[..end];
        if digits.is_empty() {
            return Err(TarError::InvalidOctal(None));
        }
        digits.iter().try_fold(0u32, |n, &b| match (b as char).to_digit(8) {
            Some(d) => Ok(n << 3 | d),
            None => Err(TarError::InvalidOctal(Some(b))),
        })
    }

    #[derive(Clone, Copy)]
    pub struct Header<'a>(&'a [u8; BLOCK]);

    impl<'a> Header<'a> {
        pub fn name(&self) -> Result<&'a str, TarError> {
            let field = &self.0[NAME];
            let len = field.iter().take_while(|&&b| b != 0).count();
            Ok(str::from_utf8(&field[..len])?)
        }

        pub fn mode(self) -> Result<u32, TarError> {
            octal(&self.0[MODE])
        }

        pub fn size(self) -> Result<usize, TarError> {
            octal(&self.0[SIZE]).map(|n| n as usize)
        }

        fn checksum(&self) -> u32 {
            self.0
                .iter()
                .enumerate()
                .map(|(i, &b)| if SUM.contains(&i) { u32::from(b' ') } else { b.into() })
                .sum()
        }
    }

    impl<'a> TryFrom<&'a [u8]> for Header<'a> {
        type Error = TarError;

        fn try_from(bytes: &'a [u8]) -> Result<Self, TarError> {
            let header = Header(
                bytes.first_chunk().ok_or(TarError::Truncated { needed: BLOCK, available: bytes.len() })?,
            );
            let (expected, found) = (octal(&header.0[SUM])?, header.checksum());
            if expected != found {
                return Err(TarError::Checksum { expected, found });
            }
            if !header.0[MAGIC].starts_with(b"ustar") {
                return Err(TarError::BadMagic);
            }
            Ok(header)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Entry<'a> {
        pub header: Header<'a>,
        pub kind: EntryKind,
        pub data: &'a [u8],
    }

    /// Goes through an archive, and ends after an error.
    pub struct Entries<'a> {
        rest: &'a [u8],
        done: bool,
    }

    impl<'a> Entries<'a> {
        pub const fn new(archive: &'a [u8]) -> Self {
            Entries { rest: archive, done: false }
        }

        fn entry(&mut self) -> Result<Option<Entry<'a>>, TarError> {
            if self.rest.iter().take(BLOCK).all(|&b| b == 0) {
                return Ok(None);
            }
            let header = Header::try_from(self.rest)?;
            let kind = header.0[KIND].try_into()?;
            let size = if kind == EntryKind::File { header.size()? } else { 0 };
            let body = &self.rest[BLOCK..];
            let data = body.get(..size).ok_or(TarError::Truncated { needed: size, available: body.len() })?;
            self.rest = &body[size.next_multiple_of(BLOCK).min(body.len())..];
            Ok(Some(Entry { header, kind, data }))
        }
    }

    impl<'a> Iterator for Entries<'a> {
        type Item = Result<Entry<'a>, TarError>;

        fn next(&mut self) -> Option<Self::Item> {
            if self.done {
                return None;
            }
            let entry = self.entry().transpose();
            self.done = !matches!(entry, Some(Ok(_)));
            entry
        }
    }

    /// Writes archives.
    struct Builder<'b> {
        out: &'b mut [u8],
        at: usize,
    }

    impl Builder<'_> {
        fn append(&mut self, name: &str, kind: EntryKind, mode: u16, data: &[u8]) -> Option<()> {
            let blocks = 1 + data.len().div_ceil(BLOCK);
            let part = self.out.get_mut(self.at..)?.get_mut(..blocks * BLOCK)?;
            let (head, body) = part.split_at_mut(BLOCK);
            head[NAME].get_mut(..name.len())?.copy_from_slice(name.as_bytes());
            put_octal(&mut head[MODE], mode.into());
            put_octal(&mut head[SIZE], data.len() as u32);
            head[KIND] = kind as u8;
            head[MAGIC].copy_from_slice(b"ustar\0");
            head[SUM].fill(b' ');
            let sum = head.iter().map(|&b| b as u32).sum();
            put_octal(&mut head[SUM], sum);
            body[..data.len()].copy_from_slice(data);
            self.at += part.len();
            Some(())
        }
    }

    fn put_octal(field: &mut [u8], mut value: u32) {
        let (last, digits) = field.split_last_mut().expect("fields have bytes");
        *last = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (value & 7) as u8;
            value >>= 3;
        }
    }

    pub fn run(i: u32) -> u64 {
        let mut archive = [0u8; BLOCK * 6];
        let mut builder = Builder { out: &mut archive, at: 0 };
        let text: [u8; 70] = core::array::from_fn(|k| (k as u32 * (i + 3)) as u8);
        let mut ok = builder.append("src/", EntryKind::Directory, 0o755, &[]).is_some();
        ok &= builder.append("src/main.rs", EntryKind::File, 0o644, &text[..i as usize % 70]).is_some();
        ok &= builder.append("a", EntryKind::Link, 0o777, b"").is_some();
        ok &= builder.append("too-long-a-name-it-is", EntryKind::File, 0, b"").is_some();
        if i % 4 == 3 {
            archive[i as usize * 5 % 200] ^= (i * 7) as u8;
        }
        let mut hash = ok as u64 + size_of::<EntryKind>() as u64 * 2;
        for entry in Entries::new(&archive) {
            hash = hash.wrapping_mul(0x100_0000_01b3);
            hash ^= match entry {
                Ok(Entry { header, kind, data }) => {
                    let name = header.name().map_or(0, |n| n.len() + n.rfind('/').unwrap_or(50)) as u64;
                    let mode = header.mode().unwrap_or(0o7777) as u64;
                    name << 32 ^ mode << 8 ^ kind as u64 ^ data.iter().map(|&b| b as u64).sum::<u64>() << 40
                }
                Err(TarError::Checksum { expected, found }) => u64::from(expected.abs_diff(found)) << 3 | 1,
                Err(TarError::InvalidOctal(b)) => 2 + b.map_or(1000, u64::from),
                Err(TarError::BadKind(k)) => 3 + k as u64 * 16,
                Err(TarError::Truncated { needed, available }) => (needed * available) as u64,
                Err(TarError::BadMagic) => 5,
                Err(TarError::Utf8(e)) => 6 + e.valid_up_to() as u64,
            };
        }
        hash
    }
}

#[kernel]
pub fn archive_headers(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&ARCHIVE_HEADERS, program::run)
}
