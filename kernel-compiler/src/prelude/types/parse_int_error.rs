// `std::num::ParseIntError` and its `IntErrorKind`.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum IntErrorKind {
    Empty,
    InvalidDigit,
    PosOverflow,
    NegOverflow,
    Zero,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ParseIntError {
    kind: IntErrorKind,
}

impl ParseIntError {
    fn kind(&self) -> &IntErrorKind {
        &self.kind
    }
}
