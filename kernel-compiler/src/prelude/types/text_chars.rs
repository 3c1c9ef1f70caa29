// What goes over the characters of a `str`, from both ends: those that are left are in `start..end`.

#[derive(Clone)]
struct Chars<'a> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Chars<'a> {
    fn as_str(&self) -> &'a str {
        str { bytes: &self.bytes[self.start..self.end] }
    }
}

impl<'a> Iterator for Chars<'a> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if self.start >= self.end {
            return None;
        }
        let first = char::__at(self.bytes, self.start);
        self.start += first.len_utf8();
        Some(first)
    }
}

impl<'a> DoubleEndedIterator for Chars<'a> {
    fn next_back(&mut self) -> Option<char> {
        if self.start >= self.end {
            return None;
        }
        self.end = char::__start(self.bytes, self.end);
        Some(char::__at(self.bytes, self.end))
    }
}

#[derive(Clone)]
struct CharIndices<'a> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> CharIndices<'a> {
    fn as_str(&self) -> &'a str {
        str { bytes: &self.bytes[self.start..self.end] }
    }

    fn offset(&self) -> usize {
        self.start
    }
}

impl<'a> Iterator for CharIndices<'a> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        if self.start >= self.end {
            return None;
        }
        let at = self.start;
        let first = char::__at(self.bytes, at);
        self.start = at + first.len_utf8();
        Some((at, first))
    }
}

impl<'a> DoubleEndedIterator for CharIndices<'a> {
    fn next_back(&mut self) -> Option<(usize, char)> {
        if self.start >= self.end {
            return None;
        }
        self.end = char::__start(self.bytes, self.end);
        Some((self.end, char::__at(self.bytes, self.end)))
    }
}
