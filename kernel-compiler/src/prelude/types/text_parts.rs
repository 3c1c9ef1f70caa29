// What goes over the parts of a `str`, from both ends.

// The parts between what a pattern matches: those that are left are in `start..end`, and no match that is left begins before `front`.
#[derive(Clone)]
struct Split<'a, P> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
    front: usize,
    is_done: bool,
    pattern: P,
}

impl<'a, P> Split<'a, P> {
    fn remainder(&self) -> Option<&'a str> {
        if self.is_done { None } else { Some(str { bytes: &self.bytes[self.start..self.end] }) }
    }

    // The rest, after which there is nothing.
    fn __last(&mut self) -> Option<&'a str> {
        self.is_done = true;
        Some(str { bytes: &self.bytes[self.start..self.end] })
    }
}

impl<'a, P> Iterator for Split<'a, P> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.is_done {
            return None;
        }
        // What is empty is found once more at the end.
        let found = if self.front > self.end { None } else { self.pattern.__find(&self.bytes[self.front..self.end]) };
        match found {
            Some((at, behind)) => {
                let (first, last) = (self.start, self.front + at);
                self.start = self.front + behind;
                self.front = if at == behind { last + str { bytes: self.bytes }.__step(last) } else { self.start };
                Some(str { bytes: &self.bytes[first..last] })
            }
            None => self.__last(),
        }
    }
}

impl<'a, P> DoubleEndedIterator for Split<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        if self.is_done {
            return None;
        }
        match self.pattern.__find_last(&self.bytes[self.front..self.end]) {
            Some((at, behind)) => {
                let (first, last) = (self.front + behind, self.end);
                self.end = self.front + at;
                Some(str { bytes: &self.bytes[first..last] })
            }
            None => self.__last(),
        }
    }
}

// The lines; what ends the last one is not looked at again.
#[derive(Clone)]
struct Lines<'a> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Lines<'a> {
    // A line with what ends it.
    fn __line(&self, first: usize, last: usize) -> &'a str {
        let mut end = last;
        if end > first && self.bytes[end - 1] == 10 {
            end -= 1;
            if end > first && self.bytes[end - 1] == 13 {
                end -= 1;
            }
        }
        str { bytes: &self.bytes[first..end] }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.start >= self.end {
            return None;
        }
        let first = self.start;
        let mut last = first;
        while last < self.end && self.bytes[last] != 10 {
            last += 1;
        }
        self.start = if last < self.end { last + 1 } else { last };
        Some(self.__line(first, self.start))
    }
}

impl<'a> DoubleEndedIterator for Lines<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        if self.start >= self.end {
            return None;
        }
        let last = self.end;
        let mut first = last - 1;
        while first > self.start && self.bytes[first - 1] != 10 {
            first -= 1;
        }
        self.end = first;
        Some(self.__line(first, last))
    }
}

#[derive(Clone)]
struct SplitWhitespace<'a> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Iterator for SplitWhitespace<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let left = str { bytes: &self.bytes[self.start..self.end] }.trim_start();
        let first = self.end - left.bytes.len();
        self.start = first;
        while self.start < self.end {
            let next = char::__at(self.bytes, self.start);
            if next.is_whitespace() {
                break;
            }
            self.start += next.len_utf8();
        }
        if first < self.start { Some(str { bytes: &self.bytes[first..self.start] }) } else { None }
    }
}

impl<'a> DoubleEndedIterator for SplitWhitespace<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        let left = str { bytes: &self.bytes[self.start..self.end] }.trim_end();
        let last = self.start + left.bytes.len();
        self.end = last;
        while self.end > self.start {
            let before = char::__start(self.bytes, self.end);
            if char::__at(self.bytes, before).is_whitespace() {
                break;
            }
            self.end = before;
        }
        if self.end < last { Some(str { bytes: &self.bytes[self.end..last] }) } else { None }
    }
}

#[derive(Clone)]
struct SplitAsciiWhitespace<'a> {
    bytes: &'a [u8],
    start: usize,
    end: usize,
}

impl<'a> Iterator for SplitAsciiWhitespace<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        while self.start < self.end && self.bytes[self.start].is_ascii_whitespace() {
            self.start += 1;
        }
        if self.start == self.end {
            return None;
        }
        let first = self.start;
        while self.start < self.end && !self.bytes[self.start].is_ascii_whitespace() {
            self.start += 1;
        }
        Some(str { bytes: &self.bytes[first..self.start] })
    }
}

impl<'a> DoubleEndedIterator for SplitAsciiWhitespace<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        while self.start < self.end && self.bytes[self.end - 1].is_ascii_whitespace() {
            self.end -= 1;
        }
        if self.start == self.end {
            return None;
        }
        let last = self.end;
        while self.start < self.end && !self.bytes[self.end - 1].is_ascii_whitespace() {
            self.end -= 1;
        }
        Some(str { bytes: &self.bytes[self.end..last] })
    }
}
