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
