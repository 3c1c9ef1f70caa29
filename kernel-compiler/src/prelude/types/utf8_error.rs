// `std::str::Utf8Error`.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Utf8Error {
    valid_up_to: usize,
    error_len: Option<u8>,
}

impl Utf8Error {
    fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    fn error_len(&self) -> Option<usize> {
        self.error_len.map(|len| len as usize)
    }
}

impl std::fmt::Display for Utf8Error {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        match self.error_len {
            Some(len) => write!(f, "invalid utf-8 sequence of {} bytes from index {}", len, self.valid_up_to),
            None => write!(f, "incomplete utf-8 byte sequence from index {}", self.valid_up_to),
        }
    }
}
