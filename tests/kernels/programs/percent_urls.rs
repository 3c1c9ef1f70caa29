//! Percent-encoding and the parts of an address, in the manner of `percent-encoding` and `url`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt::{self, Write};
    use core::iter::FusedIterator;
    use core::str;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AsciiSet {
        mask: [u32; 4],
    }

    impl AsciiSet {
        pub const EMPTY: AsciiSet = AsciiSet { mask: [0; 4] };

        const fn contains(&self, byte: u8) -> bool {
            let chunk = self.mask[byte as usize / 32];
            let mask = 1 << (byte as usize % 32);
            (chunk & mask) != 0
        }

        fn should_percent_encode(&self, byte: u8) -> bool {
            !byte.is_ascii() || self.contains(byte)
        }

        pub const fn add(&self, byte: u8) -> Self {
            let mut mask = self.mask;
            mask[byte as usize / 32] |= 1 << (byte as usize % 32);
            AsciiSet { mask }
        }
    }

    impl core::ops::Add for AsciiSet {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            let mut mask = self.mask;
            for (a, b) in mask.iter_mut().zip(other.mask) {
                *a |= b;
            }
            AsciiSet { mask }
        }
    }

    pub const QUERY: &AsciiSet = &AsciiSet::EMPTY.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
    pub const PATH: &AsciiSet = &QUERY.add(b'?').add(b'`').add(b'{').add(b'}');

    const ENC_TABLE: &[u8; 48] = b"%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2D%2E%2F";

    pub fn percent_encode_byte(byte: u8) -> [u8; 3] {
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        if let 0x20..=0x2F = byte {
            let at = (byte - 0x20) as usize * 3;
            return ENC_TABLE[at..at + 3].try_into().unwrap();
        }
        [b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]
    }

    #[derive(Clone)]
    pub struct PercentEncode<'a> {
        bytes: &'a [u8],
        ascii_set: &'static AsciiSet,
    }

    impl<'a> Iterator for PercentEncode<'a> {
        type Item = &'a [u8];

        fn next(&mut self) -> Option<&'a [u8]> {
            let (&first_byte, remaining) = self.bytes.split_first()?;
            if self.ascii_set.should_percent_encode(first_byte) {
                self.bytes = remaining;
                return Some(b"%");
            }
            let n = self
                .bytes
                .iter()
                .position(|&b| self.ascii_set.should_percent_encode(b))
                .unwrap_or(self.bytes.len());
            let (unchanged_slice, remaining) = self.bytes.split_at(n);
            self.bytes = remaining;
            Some(unchanged_slice)
        }
    }

    impl FusedIterator for PercentEncode<'_> {}

    fn after_percent_sign(iter: &mut core::slice::Iter<'_, u8>) -> Option<u8> {
        let mut cloned_iter = iter.clone();
        let h = char::from(*cloned_iter.next()?).to_digit(16)?;
        let l = char::from(*cloned_iter.next()?).to_digit(16)?;
        iter.nth(1);
        Some(h as u8 * 0x10 + l as u8)
    }

    #[derive(Clone, Debug)]
    pub struct PercentDecode<'a> {
        bytes: core::slice::Iter<'a, u8>,
    }

    pub fn percent_decode(input: &[u8]) -> PercentDecode<'_> {
        PercentDecode { bytes: input.iter() }
    }

    impl Iterator for PercentDecode<'_> {
        type Item = u8;

        fn next(&mut self) -> Option<u8> {
            self.bytes.next().map(|&byte| {
                if byte == b'%' { after_percent_sign(&mut self.bytes).unwrap_or(byte) } else { byte }
            })
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            let bytes = self.bytes.len();
            ((bytes + 2) / 3, Some(bytes))
        }
    }

    pub struct Buf<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Buf<N> {
        pub const fn new() -> Self {
            Buf { bytes: [0; N], len: 0 }
        }

        pub fn as_str(&self) -> &str {
            str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
        }
    }

    impl<const N: usize> fmt::Write for Buf<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len + s.len();
            self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    #[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
    pub struct Url<'a> {
        pub scheme: &'a str,
        pub host: &'a str,
        pub port: Option<u16>,
        pub path: &'a str,
        pub query: Option<&'a str>,
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum ParseError {
        NoScheme,
        EmptyHost,
        InvalidPort,
    }

    impl<'a> TryFrom<&'a str> for Url<'a> {
        type Error = ParseError;

        fn try_from(input: &'a str) -> Result<Self, Self::Error> {
            let (scheme, rest) = input.split_once("://").ok_or(ParseError::NoScheme)?;
            let (authority, tail) = match rest.find('/') {
                Some(at) => rest.split_at(at),
                None => (rest, "/"),
            };
            let (host, port) = match authority.rsplit_once(':') {
                Some((host, port)) => (host, Some(port.parse().map_err(|_| ParseError::InvalidPort)?)),
                None => (authority, None),
            };
            if host.is_empty() {
                return Err(ParseError::EmptyHost);
            }
            let (path, query) = match tail.split_once('?') {
                Some((path, query)) => (path, Some(query)),
                None => (tail, None),
            };
            Ok(Url { scheme, host, port, path, query })
        }
    }

    impl<'a> Url<'a> {
        pub fn query_pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
            self.query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='))
        }
    }

    const URLS: [&str; 4] =
        ["http://example.org:8080/a%20b/c?x=1&y=%41%zz", "ftp://files/", "no scheme", "https://:99999/x"];

    pub fn run(i: u32) -> u64 {
        let text = URLS[i as usize % URLS.len()];
        let mut out = Buf::<96>::new();
        let mut h = match Url::try_from(text) {
            Ok(url) => {
                let mut h = url.port.map_or(80, u64::from);
                for (key, value) in url.query_pairs() {
                    h = h * 17 + key.len() as u64;
                    h = percent_decode(value.as_bytes()).fold(h, |h, b| h.wrapping_mul(257) ^ b as u64);
                }
                write!(out, "{}|{}|{:?}", url.scheme, url.host, url.port).unwrap();
                h ^ (url.path.len() as u64) << 40
            }
            Err(e) => {
                write!(out, "{e:?}").unwrap();
                e as u64
            }
        };
        let set = if i % 3 == 0 { PATH } else { QUERY };
        for part in (PercentEncode { bytes: text.as_bytes(), ascii_set: set }) {
            h = part.iter().fold(h, |h, &b| (h ^ b as u64).wrapping_mul(0x100_0000_01b3));
        }
        for b in percent_encode_byte(i as u8 * 5) {
            h = h.rotate_left(7) ^ b as u64;
        }
        out.as_str().bytes().fold(h, |h, b| h.wrapping_mul(31).wrapping_add(b.into()))
    }
}

#[kernel]
pub fn percent_urls(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&PERCENT_URLS, program::run)
}
