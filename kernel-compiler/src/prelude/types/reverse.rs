// `std::cmp::Reverse`.

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
struct Reverse<T>(pub T);

impl<T> PartialOrd for Reverse<T> {
    fn partial_cmp(&self, other: &Reverse<T>) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
}

impl<T> Ord for Reverse<T> {
    fn cmp(&self, other: &Reverse<T>) -> Ordering {
        other.0.cmp(&self.0)
    }
}
