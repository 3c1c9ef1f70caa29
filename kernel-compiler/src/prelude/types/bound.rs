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

impl<T> RangeBounds<T> for (Bound<T>, Bound<T>) {
    fn start_bound(&self) -> Bound<&T> {
        self.0.as_ref()
    }

    fn end_bound(&self) -> Bound<&T> {
        self.1.as_ref()
    }

    fn contains(&self, item: &T) -> bool {
        let is_after_start = match &self.0 {
            Bound::Included(start) => *start <= *item,
            Bound::Excluded(start) => *start < *item,
            Bound::Unbounded => true,
        };
        is_after_start
            && match &self.1 {
                Bound::Included(end) => *item <= *end,
                Bound::Excluded(end) => *item < *end,
                Bound::Unbounded => true,
            }
    }
}
