// The methods of `Option` for device code, each with the meaning that it has in the standard library.
//
// This is device code itself: the compiler reads it as it does a user's `#[device] impl`. `unwrap`, `expect` and what gives a
// reference out of a reference are in the compiler.

impl<T> Option<T> {
    fn is_some(&self) -> bool {
        match self {
            Some(_) => true,
            None => false,
        }
    }

    fn is_none(&self) -> bool {
        match self {
            Some(_) => false,
            None => true,
        }
    }

    fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Some(value) => f(value),
            None => false,
        }
    }

    fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Some(value) => f(value),
            None => true,
        }
    }

    fn unwrap_or(self, default: T) -> T {
        match self {
            Some(value) => value,
            None => default,
        }
    }

    fn unwrap_or_default(self) -> T {
        match self {
            Some(value) => value,
            None => Default::default(),
        }
    }

    fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T {
        match self {
            Some(value) => value,
            None => f(),
        }
    }

    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U> {
        match self {
            Some(value) => Some(f(value)),
            None => None,
        }
    }

    fn inspect<F: FnOnce(&T)>(self, f: F) -> Option<T> {
        if let Some(value) = &self {
            f(value);
        }
        self
    }

    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => default,
        }
    }

    fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => default(),
        }
    }

    fn ok_or<E>(self, error: E) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error),
        }
    }

    fn ok_or_else<E, F: FnOnce() -> E>(self, error: F) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error()),
        }
    }

    fn and<U>(self, other: Option<U>) -> Option<U> {
        match self {
            Some(_) => other,
            None => None,
        }
    }

    fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U> {
        match self {
            Some(value) => f(value),
            None => None,
        }
    }

    fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Option<T> {
        match self {
            Some(value) => {
                if predicate(&value) { Some(value) } else { None }
            }
            None => None,
        }
    }

    fn or(self, other: Option<T>) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => other,
        }
    }

    fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => f(),
        }
    }

    fn xor(self, other: Option<T>) -> Option<T> {
        match (self, other) {
            (Some(value), None) => Some(value),
            (None, Some(value)) => Some(value),
            _ => None,
        }
    }

    fn zip<U>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(first), Some(second)) => Some((first, second)),
            _ => None,
        }
    }

    fn insert(&mut self, value: T) -> &mut T {
        *self = Some(value);
        self.__payload_mut()
    }

    fn get_or_insert(&mut self, value: T) -> &mut T {
        if self.is_none() {
            *self = Some(value);
        }
        self.__payload_mut()
    }

    fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T {
        if self.is_none() {
            *self = Some(f());
        }
        self.__payload_mut()
    }

    fn get_or_insert_default(&mut self) -> &mut T {
        if self.is_none() {
            *self = Some(Default::default());
        }
        self.__payload_mut()
    }

    fn unwrap_unchecked(self) -> T {
        self.unwrap()
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.as_ref().into_iter()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.as_mut().into_iter()
    }

    fn take(&mut self) -> Option<T> {
        let taken = *self;
        *self = None;
        taken
    }

    fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, predicate: P) -> Option<T> {
        let takes = match self {
            Some(value) => predicate(value),
            None => false,
        };
        if takes { self.take() } else { None }
    }

    fn replace(&mut self, value: T) -> Option<T> {
        let replaced = *self;
        *self = Some(value);
        replaced
    }
}

impl<T> Option<&T> {
    fn copied(self) -> Option<T> {
        match self {
            Some(value) => Some(*value),
            None => None,
        }
    }

    fn cloned(self) -> Option<T> {
        self.copied()
    }
}

impl<T> Option<&mut T> {
    fn copied(self) -> Option<T> {
        match self {
            Some(value) => Some(*value),
            None => None,
        }
    }

    fn cloned(self) -> Option<T> {
        self.copied()
    }
}

impl<T> Option<Option<T>> {
    fn flatten(self) -> Option<T> {
        match self {
            Some(inner) => inner,
            None => None,
        }
    }
}

impl<T, U> Option<(T, U)> {
    fn unzip(self) -> (Option<T>, Option<U>) {
        match self {
            Some((first, second)) => (Some(first), Some(second)),
            None => (None, None),
        }
    }
}

impl<T, E> Option<Result<T, E>> {
    fn transpose(self) -> Result<Option<T>, E> {
        match self {
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(error)) => Err(error),
            None => Ok(None),
        }
    }
}
