// `std::task::Poll`.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
enum Poll<T> {
    Ready(T),
    Pending,
}

impl<T> Poll<T> {
    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<U> {
        match self {
            Poll::Ready(value) => Poll::Ready(f(value)),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_ready(&self) -> bool {
        match self {
            Poll::Ready(_) => true,
            Poll::Pending => false,
        }
    }

    fn is_pending(&self) -> bool {
        !self.is_ready()
    }
}

impl<T> From<T> for Poll<T> {
    fn from(value: T) -> Poll<T> {
        Poll::Ready(value)
    }
}
