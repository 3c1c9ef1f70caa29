// `char` and `&str`, which is UTF-8.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
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

    fn is_alphabetic(self) -> bool {
        if self.code < 128 { (self.code as u8).is_ascii_alphabetic() } else { std::char::Alphabetic::has(self.code) }
    }

    fn is_numeric(self) -> bool {
        if self.code < 128 { (self.code as u8).is_ascii_digit() } else { std::char::Numeric::has(self.code) }
    }

    fn is_alphanumeric(self) -> bool {
        if self.code < 128 {
            (self.code as u8).is_ascii_alphanumeric()
        } else {
            std::char::Alphabetic::has(self.code) || std::char::Numeric::has(self.code)
        }
    }

    fn is_lowercase(self) -> bool {
        if self.code < 128 { (self.code as u8).is_ascii_lowercase() } else { std::char::Lowercase::has(self.code) }
    }

    fn is_uppercase(self) -> bool {
        if self.code < 128 { (self.code as u8).is_ascii_uppercase() } else { std::char::Uppercase::has(self.code) }
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

    fn encode_utf8(self, bytes: &mut [u8]) -> &str {
        let code = self.code;
        if code < 0x80 {
            bytes[0] = code as u8;
            return str { bytes: &bytes[..1] };
        }
        let last = 0x80 | (code & 0x3F) as u8;
        if code < 0x800 {
            bytes[0] = 0xC0 | (code >> 6) as u8;
            bytes[1] = last;
            return str { bytes: &bytes[..2] };
        }
        let last_but_one = 0x80 | (code >> 6 & 0x3F) as u8;
        if code < 0x10000 {
            bytes[0] = 0xE0 | (code >> 12) as u8;
            bytes[1] = last_but_one;
            bytes[2] = last;
            return str { bytes: &bytes[..3] };
        }
        bytes[0] = 0xF0 | (code >> 18) as u8;
        bytes[1] = 0x80 | (code >> 12 & 0x3F) as u8;
        bytes[2] = last_but_one;
        bytes[3] = last;
        str { bytes: &bytes[..4] }
    }

    // The one that starts at a place in UTF-8.
    fn __at(bytes: &[u8], at: usize) -> char {
        let first = bytes[at] as u32;
        if first < 0x80 {
            return char { code: first };
        }
        // One access in a loop: text may be in several memories, and each access is code for all of them.
        let more = if first < 0xE0 {
            1
        } else if first < 0xF0 {
            2
        } else {
            3
        };
        let mut code = first & (0x3Fu32 >> more);
        for behind in 1..more + 1 {
            code = code << 6 | (bytes[at + behind as usize] & 0x3F) as u32;
        }
        char { code }
    }

    // Where the one starts that ends at a place in UTF-8, which is not its beginning.
    fn __start(bytes: &[u8], end: usize) -> usize {
        let mut start = end - 1;
        while start > 0 && bytes[start] & 0xC0 == 0x80 {
            start -= 1;
        }
        start
    }

    fn __find(self, bytes: &[u8]) -> Option<(usize, usize)> {
        if self.code < 0x80 {
            let own = self.code as u8;
            return match bytes.iter().position(|byte| *byte == own) {
                Some(at) => Some((at, at + 1)),
                None => None,
            };
        }
        let mut own = [0u8; 4];
        self.encode_utf8(&mut own).__find(bytes)
    }

    fn __find_last(self, bytes: &[u8]) -> Option<(usize, usize)> {
        if self.code < 0x80 {
            let own = self.code as u8;
            return match bytes.iter().rposition(|byte| *byte == own) {
                Some(at) => Some((at, at + 1)),
                None => None,
            };
        }
        let mut own = [0u8; 4];
        self.encode_utf8(&mut own).__find_last(bytes)
    }

    fn __starts(self, bytes: &[u8]) -> Option<usize> {
        if self.code < 0x80 {
            return if bytes.len() > 0 && bytes[0] as u32 == self.code { Some(1) } else { None };
        }
        let mut own = [0u8; 4];
        self.encode_utf8(&mut own).__starts(bytes)
    }

    fn __ends(self, bytes: &[u8]) -> Option<usize> {
        if self.code < 0x80 {
            let len = bytes.len();
            return if len > 0 && bytes[len - 1] as u32 == self.code { Some(len - 1) } else { None };
        }
        let mut own = [0u8; 4];
        self.encode_utf8(&mut own).__ends(bytes)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
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
        if index < self.bytes.len() { self.bytes[index] & 0xC0 != 0x80 } else { index == self.bytes.len() }
    }

    // `text[start..end]`.
    fn __part(self, start: usize, end: usize) -> &'a str {
        let bytes = &self.bytes[start..end];
        if !self.is_char_boundary(start) || !self.is_char_boundary(end) {
            panic!("a part of text starts or ends in a character");
        }
        str { bytes }
    }

    // `text.get(start..end)`.
    fn __get(self, start: usize, end: usize) -> Option<&'a str> {
        if start <= end && self.is_char_boundary(start) && self.is_char_boundary(end) {
            Some(str { bytes: &self.bytes[start..end] })
        } else {
            None
        }
    }

    // How many characters there are.
    fn __count(self) -> usize {
        self.bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
    }

    // From one place where what is empty is found to the next one.
    fn __step(self, at: usize) -> usize {
        if at < self.bytes.len() { char::__at(self.bytes, at).len_utf8() } else { 1 }
    }

    fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        self.bytes.iter().copied()
    }

    fn chars(self) -> std::str::Chars<'a> {
        std::str::Chars { bytes: self.bytes, start: 0, end: self.bytes.len() }
    }

    fn char_indices(self) -> std::str::CharIndices<'a> {
        std::str::CharIndices { bytes: self.bytes, start: 0, end: self.bytes.len() }
    }

    fn is_ascii(self) -> bool {
        self.bytes.is_ascii()
    }

    // By the ranges of the Unicode Standard, table 3-7.
    fn from_utf8(bytes: &'a [u8]) -> Result<&'a str, std::str::Utf8Error> {
        let mut at = 0;
        while at < bytes.len() {
            let first = bytes[at];
            if first < 0x80 {
                at += 1;
                continue;
            }
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
        Ok(str { bytes })
    }

    unsafe fn from_utf8_unchecked(bytes: &'a [u8]) -> &'a str {
        str { bytes }
    }

    fn contains<P>(self, pattern: P) -> bool {
        pattern.__find(self.bytes).is_some()
    }

    fn starts_with<P>(self, pattern: P) -> bool {
        pattern.__starts(self.bytes).is_some()
    }

    fn ends_with<P>(self, pattern: P) -> bool {
        pattern.__ends(self.bytes).is_some()
    }

    fn eq_ignore_ascii_case(self, other: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(other.bytes)
    }

    fn split_at(self, mid: usize) -> (&'a str, &'a str) {
        (self.__part(0, mid), self.__part(mid, self.bytes.len()))
    }

    fn split_at_checked(self, mid: usize) -> Option<(&'a str, &'a str)> {
        if self.is_char_boundary(mid) {
            Some((str { bytes: &self.bytes[..mid] }, str { bytes: &self.bytes[mid..] }))
        } else {
            None
        }
    }

    fn find<P>(self, pattern: P) -> Option<usize> {
        match pattern.__find(self.bytes) {
            Some((start, end)) => Some(start),
            None => None,
        }
    }

    fn rfind<P>(self, pattern: P) -> Option<usize> {
        match pattern.__find_last(self.bytes) {
            Some((start, end)) => Some(start),
            None => None,
        }
    }

    fn split_once<P>(self, pattern: P) -> Option<(&'a str, &'a str)> {
        match pattern.__find(self.bytes) {
            Some((start, end)) => Some((str { bytes: &self.bytes[..start] }, str { bytes: &self.bytes[end..] })),
            None => None,
        }
    }

    fn rsplit_once<P>(self, pattern: P) -> Option<(&'a str, &'a str)> {
        match pattern.__find_last(self.bytes) {
            Some((start, end)) => Some((str { bytes: &self.bytes[..start] }, str { bytes: &self.bytes[end..] })),
            None => None,
        }
    }

    fn strip_prefix<P>(self, pattern: P) -> Option<&'a str> {
        match pattern.__starts(self.bytes) {
            Some(end) => Some(str { bytes: &self.bytes[end..] }),
            None => None,
        }
    }

    fn strip_suffix<P>(self, pattern: P) -> Option<&'a str> {
        match pattern.__ends(self.bytes) {
            Some(start) => Some(str { bytes: &self.bytes[..start] }),
            None => None,
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
                Some((at, behind)) => {
                    let end = from + at;
                    start = from + behind;
                    from = if at == behind { start + str { bytes }.__step(start) } else { start };
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
                Some((at, behind)) => {
                    end = at;
                    before = if at < behind {
                        Some(at)
                    } else if at > 0 {
                        Some(char::__start(bytes, at))
                    } else {
                        None
                    };
                    Some(str { bytes: &bytes[behind..last] })
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
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = if from > bytes.len() { None } else { pattern.__find(&bytes[from..]) };
            match found {
                Some((at, behind)) => {
                    let (start, end) = (from + at, from + behind);
                    from = if start == end { end + str { bytes }.__step(end) } else { end };
                    Some((start, str { bytes: &bytes[start..end] }))
                }
                None => None,
            }
        })
    }

    fn matches<P>(self, pattern: P) -> impl Iterator<Item = &'a str> {
        self.match_indices(pattern).map(|found| found.1)
    }

    fn trim_start_matches<P>(self, pattern: P) -> &'a str {
        let mut start = 0;
        while let Some(size) = pattern.__starts(&self.bytes[start..]) {
            if size == 0 {
                break;
            }
            start += size;
        }
        str { bytes: &self.bytes[start..] }
    }

    fn trim_end_matches<P>(self, pattern: P) -> &'a str {
        let mut end = self.bytes.len();
        while let Some(start) = pattern.__ends(&self.bytes[..end]) {
            if start == end {
                break;
            }
            end = start;
        }
        str { bytes: &self.bytes[..end] }
    }

    fn trim_matches<P>(self, pattern: P) -> &'a str {
        self.trim_start_matches(pattern).trim_end_matches(pattern)
    }

    fn trim_start(self) -> &'a str {
        let mut start = 0;
        while start < self.bytes.len() {
            let first = char::__at(self.bytes, start);
            if !first.is_whitespace() {
                break;
            }
            start += first.len_utf8();
        }
        str { bytes: &self.bytes[start..] }
    }

    fn trim_end(self) -> &'a str {
        let mut end = self.bytes.len();
        while end > 0 {
            let start = char::__start(self.bytes, end);
            if !char::__at(self.bytes, start).is_whitespace() {
                break;
            }
            end = start;
        }
        str { bytes: &self.bytes[..end] }
    }

    fn trim(self) -> &'a str {
        self.trim_start().trim_end()
    }

    fn __find(self, bytes: &[u8]) -> Option<(usize, usize)> {
        let size = self.bytes.len();
        if size > bytes.len() {
            return None;
        }
        match (0..bytes.len() - size + 1).find(|&at| &bytes[at..at + size] == self.bytes) {
            Some(at) => Some((at, at + size)),
            None => None,
        }
    }

    fn __find_last(self, bytes: &[u8]) -> Option<(usize, usize)> {
        let size = self.bytes.len();
        if size > bytes.len() {
            return None;
        }
        match (0..bytes.len() - size + 1).rfind(|&at| &bytes[at..at + size] == self.bytes) {
            Some(at) => Some((at, at + size)),
            None => None,
        }
    }

    // How long a match at the beginning is.
    fn __starts(self, bytes: &[u8]) -> Option<usize> {
        if bytes.starts_with(self.bytes) { Some(self.bytes.len()) } else { None }
    }

    // Where a match at the end starts.
    fn __ends(self, bytes: &[u8]) -> Option<usize> {
        if bytes.ends_with(self.bytes) { Some(bytes.len() - self.bytes.len()) } else { None }
    }
}
