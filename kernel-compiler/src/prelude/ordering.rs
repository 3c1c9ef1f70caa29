// The methods of `Ordering` for device code, each with the meaning that it has in the standard library.

impl Ordering {
    fn is_eq(self) -> bool {
        self as i32 == 0
    }

    fn is_ne(self) -> bool {
        self as i32 != 0
    }

    fn is_lt(self) -> bool {
        (self as i32) < 0
    }

    fn is_gt(self) -> bool {
        self as i32 > 0
    }

    fn is_le(self) -> bool {
        self as i32 <= 0
    }

    fn is_ge(self) -> bool {
        self as i32 >= 0
    }

    fn reverse(self) -> Ordering {
        match self {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        }
    }

    fn then(self, other: Ordering) -> Ordering {
        match self {
            Ordering::Equal => other,
            _ => self,
        }
    }

    fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering {
        match self {
            Ordering::Equal => f(),
            _ => self,
        }
    }
}
