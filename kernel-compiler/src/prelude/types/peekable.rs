// `std::iter::Peekable` of an iterator with a `next` of its own.

#[derive(Clone)]
struct Peekable<I: Iterator> {
    iter: I,
    peeked: Option<Option<I::Item>>,
}

impl<I: Iterator> Peekable<I> {
    fn __new(iter: I) -> Peekable<I> {
        Peekable { iter, peeked: None }
    }

    fn peek(&mut self) -> Option<&I::Item> {
        if self.peeked.is_none() {
            self.peeked = Some(self.iter.next());
        }
        match &self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    fn peek_mut(&mut self) -> Option<&mut I::Item> {
        if self.peeked.is_none() {
            self.peeked = Some(self.iter.next());
        }
        match &mut self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }

    fn next_if<F: FnOnce(&I::Item) -> bool>(&mut self, f: F) -> Option<I::Item> {
        let takes = match self.peek() {
            Some(item) => f(item),
            None => false,
        };
        if takes { self.next() } else { None }
    }

    fn next_if_eq<R>(&mut self, wanted: &R) -> Option<I::Item> {
        let takes = match self.peek() {
            Some(item) => *item == *wanted,
            None => false,
        };
        if takes { self.next() } else { None }
    }
}

impl<I: Iterator> Iterator for Peekable<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        match self.peeked.take() {
            Some(item) => item,
            None => self.iter.next(),
        }
    }
}
