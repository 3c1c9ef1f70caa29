// `char` and `&str`. The text of a program for devices is ASCII: it has no other literals, and makes no other text.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct char {
    code: u32,
}

impl From<u8> for char {
    fn from(byte: u8) -> char {
        char { code: byte as u32 }
    }
}

impl char {
    const MAX: char = char { code: 0x10FFFF };
    const MIN: char = char { code: 0 };
    const REPLACEMENT_CHARACTER: char = char { code: 0xFFFD };

    fn from_u32(code: u32) -> Option<char> {
        if code < 0xD800 || code > 0xDFFF && code <= 0x10FFFF { Some(char { code }) } else { None }
    }

    fn from_digit(digit: u32, radix: u32) -> Option<char> {
        if radix > 36 {
            panic!("from_digit: radix is too high (maximum 36)");
        }
        if digit >= radix {
            None
        } else if digit < 10 {
            Some(char { code: 48 + digit })
        } else {
            Some(char { code: 87 + digit })
        }
    }

    fn to_digit(self, radix: u32) -> Option<u32> {
        if radix < 2 || radix > 36 {
            panic!("to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
        }
        let letter = (self.code | 32).wrapping_sub(97).saturating_add(10);
        let digit = if self.code < 58 { self.code.wrapping_sub(48) } else { letter };
        if digit < radix { Some(digit) } else { None }
    }

    fn is_digit(self, radix: u32) -> bool {
        self.to_digit(radix).is_some()
    }

    fn is_ascii(&self) -> bool {
        self.code < 128
    }

    fn is_ascii_alphabetic(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_alphabetic()
    }

    fn is_ascii_digit(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_digit()
    }

    fn is_ascii_hexdigit(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_hexdigit()
    }

    fn is_ascii_alphanumeric(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_alphanumeric()
    }

    fn is_ascii_uppercase(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_uppercase()
    }

    fn is_ascii_lowercase(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_lowercase()
    }

    fn is_ascii_control(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_control()
    }

    fn is_ascii_graphic(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_graphic()
    }

    fn is_control(self) -> bool {
        self.code < 0x20 || self.code >= 0x7F && self.code < 0xA0
    }

    fn encode_utf16(self, units: &mut [u16]) -> &mut [u16] {
        if self.code < 0x10000 {
            units[0] = self.code as u16;
            &mut units[..1]
        } else {
            let rest = self.code - 0x10000;
            units[0] = 0xD800 + (rest >> 10) as u16;
            units[1] = 0xDC00 + (rest & 0x3FF) as u16;
            &mut units[..2]
        }
    }

    fn is_whitespace(self) -> bool {
        match self.code {
            0x09..=0x0D | 0x20 | 0x85 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => true,
            _ => false,
        }
    }

    fn len_utf8(self) -> usize {
        if self.code < 0x80 {
            1
        } else if self.code < 0x800 {
            2
        } else if self.code < 0x10000 {
            3
        } else {
            4
        }
    }

    fn len_utf16(self) -> usize {
        if self.code < 0x10000 { 1 } else { 2 }
    }

    fn make_ascii_uppercase(&mut self) {
        *self = self.to_ascii_uppercase();
    }

    fn make_ascii_lowercase(&mut self) {
        *self = self.to_ascii_lowercase();
    }

    unsafe fn from_u32_unchecked(code: u32) -> char {
        char { code }
    }

    fn is_ascii_punctuation(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_punctuation()
    }

    fn is_ascii_whitespace(&self) -> bool {
        self.code < 128 && (self.code as u8).is_ascii_whitespace()
    }

    fn to_ascii_uppercase(&self) -> char {
        if self.is_ascii_lowercase() { char { code: self.code - 32 } } else { *self }
    }

    fn to_ascii_lowercase(&self) -> char {
        if self.is_ascii_uppercase() { char { code: self.code + 32 } } else { *self }
    }

    fn eq_ignore_ascii_case(&self, other: &char) -> bool {
        self.to_ascii_lowercase().code == other.to_ascii_lowercase().code
    }

    fn __size(self) -> usize {
        1
    }

    fn __find(self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|byte| *byte as u32 == self.code)
    }

    fn __find_last(self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().rposition(|byte| *byte as u32 == self.code)
    }

    fn __is_in(self, bytes: &[u8]) -> bool {
        bytes.iter().any(|byte| *byte as u32 == self.code)
    }

    fn __starts(self, bytes: &[u8]) -> bool {
        bytes.len() > 0 && bytes[0] as u32 == self.code
    }

    fn __ends(self, bytes: &[u8]) -> bool {
        bytes.len() > 0 && bytes[bytes.len() - 1] as u32 == self.code
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct str<'a> {
    bytes: &'a [u8],
}

impl<'a> str<'a> {
    fn len(self) -> usize {
        self.bytes.len()
    }

    fn is_empty(self) -> bool {
        self.bytes.len() == 0
    }

    fn is_char_boundary(self, index: usize) -> bool {
        index <= self.bytes.len()
    }

    fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        self.bytes.iter().copied()
    }

    fn chars(self) -> impl Iterator<Item = char> {
        self.bytes.iter().map(|byte| char { code: *byte as u32 })
    }

    fn char_indices(self) -> impl Iterator<Item = (usize, char)> {
        self.bytes.iter().map(|byte| char { code: *byte as u32 }).enumerate()
    }

    fn is_ascii(self) -> bool {
        true
    }

    // By the ranges of the Unicode Standard, table 3-7.
    fn from_utf8(bytes: &'a [u8]) -> Result<&'a str, std::str::Utf8Error> {
        let (mut at, mut is_ascii) = (0, true);
        while at < bytes.len() {
            let first = bytes[at];
            if first < 0x80 {
                at += 1;
                continue;
            }
            is_ascii = false;
            let (size, least, most) = match first {
                0xC2..=0xDF => (2, 0x80, 0xBF),
                0xE0 => (3, 0xA0, 0xBF),
                0xED => (3, 0x80, 0x9F),
                0xE1..=0xEF => (3, 0x80, 0xBF),
                0xF0 => (4, 0x90, 0xBF),
                0xF1..=0xF3 => (4, 0x80, 0xBF),
                0xF4 => (4, 0x80, 0x8F),
                _ => (1, 0, 0),
            };
            let mut have = 1;
            while have < size && at + have < bytes.len() {
                let next = bytes[at + have];
                let (least, most) = if have == 1 { (least, most) } else { (0x80, 0xBF) };
                if next < least || next > most {
                    break;
                }
                have += 1;
            }
            if have < size || size == 1 {
                let is_cut_off = size > 1 && at + have == bytes.len();
                let error_len = if is_cut_off { None } else { Some(have as u8) };
                return Err(std::str::Utf8Error { valid_up_to: at, error_len });
            }
            at += size;
        }
        if !is_ascii {
            panic!("the text of device code is ASCII");
        }
        Ok(str { bytes })
    }

    unsafe fn from_utf8_unchecked(bytes: &'a [u8]) -> &'a str {
        str { bytes }
    }

    fn contains<P>(self, pattern: P) -> bool {
        pattern.__is_in(self.bytes)
    }

    fn starts_with<P>(self, pattern: P) -> bool {
        pattern.__starts(self.bytes)
    }

    fn ends_with<P>(self, pattern: P) -> bool {
        pattern.__ends(self.bytes)
    }

    fn eq_ignore_ascii_case(self, other: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(other.bytes)
    }

    fn get(self, range: std::ops::Range<usize>) -> Option<&'a str> {
        match self.bytes.get(range) {
            Some(bytes) => Some(str { bytes }),
            None => None,
        }
    }

    fn split_at(self, mid: usize) -> (&'a str, &'a str) {
        let (head, tail) = self.bytes.split_at(mid);
        (str { bytes: head }, str { bytes: tail })
    }

    fn find<P>(self, pattern: P) -> Option<usize> {
        pattern.__find(self.bytes)
    }

    fn rfind<P>(self, pattern: P) -> Option<usize> {
        pattern.__find_last(self.bytes)
    }

    fn split_once<P>(self, pattern: P) -> Option<(&'a str, &'a str)> {
        match pattern.__find(self.bytes) {
            Some(at) => {
                let tail = at + pattern.__size();
                Some((str { bytes: &self.bytes[..at] }, str { bytes: &self.bytes[tail..] }))
            }
            None => None,
        }
    }

    fn rsplit_once<P>(self, pattern: P) -> Option<(&'a str, &'a str)> {
        match pattern.__find_last(self.bytes) {
            Some(at) => {
                let tail = at + pattern.__size();
                Some((str { bytes: &self.bytes[..at] }, str { bytes: &self.bytes[tail..] }))
            }
            None => None,
        }
    }

    fn strip_prefix<P>(self, pattern: P) -> Option<&'a str> {
        if pattern.__starts(self.bytes) { Some(str { bytes: &self.bytes[pattern.__size()..] }) } else { None }
    }

    fn strip_suffix<P>(self, pattern: P) -> Option<&'a str> {
        if pattern.__ends(self.bytes) {
            Some(str { bytes: &self.bytes[..self.bytes.len() - pattern.__size()] })
        } else {
            None
        }
    }

    fn split<P>(self, pattern: P) -> std::str::Split<'a, P> {
        std::str::Split { bytes: self.bytes, start: 0, end: self.bytes.len(), front: 0, is_done: false, pattern }
    }

    fn splitn<P>(self, count: usize, pattern: P) -> impl Iterator<Item = &'a str> {
        self.__parts(pattern, count, false, true)
    }

    fn split_terminator<P>(self, pattern: P) -> impl Iterator<Item = &'a str> {
        self.__parts(pattern, usize::MAX, false, false)
    }

    fn split_inclusive<P>(self, pattern: P) -> impl Iterator<Item = &'a str> {
        self.__parts(pattern, usize::MAX, true, false)
    }

    // At most so many parts, each with the match behind it or without, and what is behind the last match even if that is nothing.
    fn __parts<P>(self, pattern: P, count: usize, has_match: bool, has_empty_end: bool) -> impl Iterator<Item = &'a str> {
        let bytes = self.bytes;
        let size = pattern.__size();
        let step = if size == 0 { 1 } else { size };
        let (mut start, mut from, mut left) = (0, 0, count);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            left -= 1;
            let first = start;
            // What is empty is found once more at the end.
            let is_last = left == 0 || from > bytes.len();
            let found = if is_last { None } else { pattern.__find(&bytes[from..]) };
            match found {
                Some(at) => {
                    let end = from + at;
                    start = end + size;
                    from = end + step;
                    Some(str { bytes: &bytes[first..if has_match { start } else { end }] })
                }
                None => {
                    left = 0;
                    if has_empty_end || first < bytes.len() { Some(str { bytes: &bytes[first..] }) } else { None }
                }
            }
        })
    }

    fn rsplit<P>(self, pattern: P) -> impl Iterator<Item = &'a str> {
        let bytes = self.bytes;
        let size = pattern.__size();
        let (mut end, mut before, mut is_done) = (bytes.len(), Some(bytes.len()), false);
        std::iter::from_fn(move || {
            if is_done {
                return None;
            }
            let last = end;
            let found = match before {
                Some(before) => pattern.__find_last(&bytes[..before]),
                None => None,
            };
            match found {
                Some(at) => {
                    end = at;
                    before = if size == 0 { at.checked_sub(1) } else { Some(at) };
                    Some(str { bytes: &bytes[at + size..last] })
                }
                None => {
                    is_done = true;
                    Some(str { bytes: &bytes[..last] })
                }
            }
        })
    }

    fn lines(self) -> std::str::Lines<'a> {
        std::str::Lines { bytes: self.bytes, start: 0, end: self.bytes.len() }
    }

    fn split_whitespace(self) -> std::str::SplitWhitespace<'a> {
        std::str::SplitWhitespace { bytes: self.bytes, start: 0, end: self.bytes.len() }
    }

    fn split_ascii_whitespace(self) -> std::str::SplitAsciiWhitespace<'a> {
        std::str::SplitAsciiWhitespace { bytes: self.bytes, start: 0, end: self.bytes.len() }
    }

    fn match_indices<P>(self, pattern: P) -> impl Iterator<Item = (usize, &'a str)> {
        let bytes = self.bytes;
        let size = pattern.__size();
        let step = if size == 0 { 1 } else { size };
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = if from > bytes.len() { None } else { pattern.__find(&bytes[from..]) };
            match found {
                Some(at) => {
                    let start = from + at;
                    from = start + step;
                    Some((start, str { bytes: &bytes[start..start + size] }))
                }
                None => None,
            }
        })
    }

    fn matches<P>(self, pattern: P) -> impl Iterator<Item = &'a str> {
        self.match_indices(pattern).map(|found| found.1)
    }

    fn trim_start_matches<P>(self, pattern: P) -> &'a str {
        let size = pattern.__size();
        let mut start = 0;
        while size > 0 && pattern.__starts(&self.bytes[start..]) {
            start += size;
        }
        str { bytes: &self.bytes[start..] }
    }

    fn trim_end_matches<P>(self, pattern: P) -> &'a str {
        let size = pattern.__size();
        let mut end = self.bytes.len();
        while size > 0 && pattern.__ends(&self.bytes[..end]) {
            end -= size;
        }
        str { bytes: &self.bytes[..end] }
    }

    fn trim_matches<P>(self, pattern: P) -> &'a str {
        self.trim_start_matches(pattern).trim_end_matches(pattern)
    }

    fn trim_start(self) -> &'a str {
        let mut start = 0;
        while start < self.bytes.len() && (self.bytes[start] == 32 || self.bytes[start] >= 9 && self.bytes[start] <= 13) {
            start += 1;
        }
        str { bytes: &self.bytes[start..] }
    }

    fn trim_end(self) -> &'a str {
        let mut end = self.bytes.len();
        while end > 0 && (self.bytes[end - 1] == 32 || self.bytes[end - 1] >= 9 && self.bytes[end - 1] <= 13) {
            end -= 1;
        }
        str { bytes: &self.bytes[..end] }
    }

    fn trim(self) -> &'a str {
        self.trim_start().trim_end()
    }

    fn __size(self) -> usize {
        self.bytes.len()
    }

    fn __find(self, bytes: &[u8]) -> Option<usize> {
        let size = self.bytes.len();
        if size > bytes.len() {
            return None;
        }
        (0..bytes.len() - size + 1).find(|&at| &bytes[at..at + size] == self.bytes)
    }

    fn __find_last(self, bytes: &[u8]) -> Option<usize> {
        let size = self.bytes.len();
        if size > bytes.len() {
            return None;
        }
        (0..bytes.len() - size + 1).rfind(|&at| &bytes[at..at + size] == self.bytes)
    }

    fn __is_in(self, bytes: &[u8]) -> bool {
        if self.bytes.len() == 0 {
            return true;
        }
        bytes.windows(self.bytes.len()).any(|part| part == self.bytes)
    }

    fn __starts(self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.bytes)
    }

    fn __ends(self, bytes: &[u8]) -> bool {
        bytes.ends_with(self.bytes)
    }
}
