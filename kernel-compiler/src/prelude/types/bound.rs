// `std::ops::Bound`.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
enum Bound<T> {
    Included(T),
    Excluded(T),
    Unbounded,
}

impl<T> Bound<T> {
    fn as_ref(&self) -> Bound<&T> {
        match self {
            Bound::Included(value) => Bound::Included(value),
            Bound::Excluded(value) => Bound::Excluded(value),
            Bound::Unbounded => Bound::Unbounded,
        }
    }

    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Bound<U> {
        match self {
            Bound::Included(value) => Bound::Included(f(value)),
            Bound::Excluded(value) => Bound::Excluded(f(value)),
            Bound::Unbounded => Bound::Unbounded,
        }
    }
}
