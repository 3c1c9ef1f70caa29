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

impl std::fmt::Display for ParseIntError {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad(match self.kind {
            std::num::IntErrorKind::Empty => "cannot parse integer from empty string",
            std::num::IntErrorKind::InvalidDigit => "invalid digit found in string",
            std::num::IntErrorKind::PosOverflow => "number too large to fit in target type",
            std::num::IntErrorKind::NegOverflow => "number too small to fit in target type",
            std::num::IntErrorKind::Zero => "number would be zero for non-zero type",
        })
    }
}
