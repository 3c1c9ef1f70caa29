// The methods of `Result` for device code, each with the meaning that it has in the standard library.

impl<T, E> Result<T, E> {
    fn is_ok(&self) -> bool {
        match self {
            Ok(_) => true,
            Err(_) => false,
        }
    }

    fn is_err(&self) -> bool {
        match self {
            Ok(_) => false,
            Err(_) => true,
        }
    }

    fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Ok(value) => f(value),
            Err(_) => false,
        }
    }

    fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool {
        match self {
            Ok(_) => false,
            Err(error) => f(error),
        }
    }

    fn ok(self) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(_) => None,
        }
    }

    fn err(self) -> Option<E> {
        match self {
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Result<U, E> {
        match self {
            Ok(value) => Ok(f(value)),
            Err(error) => Err(error),
        }
    }

    fn map_err<O, F: FnOnce(E) -> O>(self, f: F) -> Result<T, O> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(f(error)),
        }
    }

    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(_) => default,
        }
    }

    fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(error) => default(error),
        }
    }

    fn inspect<F: FnOnce(&T)>(self, f: F) -> Result<T, E> {
        if let Ok(value) = &self {
            f(value);
        }
        self
    }

    fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Result<T, E> {
        if let Err(error) = &self {
            f(error);
        }
        self
    }

    fn and<U>(self, other: Result<U, E>) -> Result<U, E> {
        match self {
            Ok(_) => other,
            Err(error) => Err(error),
        }
    }

    fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, f: F) -> Result<U, E> {
        match self {
            Ok(value) => f(value),
            Err(error) => Err(error),
        }
    }

    fn or<O>(self, other: Result<T, O>) -> Result<T, O> {
        match self {
            Ok(value) => Ok(value),
            Err(_) => other,
        }
    }

    fn or_else<O, F: FnOnce(E) -> Result<T, O>>(self, f: F) -> Result<T, O> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => f(error),
        }
    }

    fn unwrap_or(self, default: T) -> T {
        match self {
            Ok(value) => value,
            Err(_) => default,
        }
    }

    fn unwrap_or_default(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => Default::default(),
        }
    }

    fn unwrap_or_else<F: FnOnce(E) -> T>(self, f: F) -> T {
        match self {
            Ok(value) => value,
            Err(error) => f(error),
        }
    }

    fn unwrap_unchecked(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!("called `Result::unwrap_unchecked()` on an `Err` value"),
        }
    }

    fn unwrap_err_unchecked(self) -> E {
        match self {
            Ok(_) => panic!("called `Result::unwrap_err_unchecked()` on an `Ok` value"),
            Err(error) => error,
        }
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.as_ref().ok().into_iter()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.as_mut().ok().into_iter()
    }
}

impl<T, E> Result<&T, E> {
    fn copied(self) -> Result<T, E> {
        match self {
            Ok(value) => Ok(*value),
            Err(error) => Err(error),
        }
    }

    fn cloned(self) -> Result<T, E> {
        self.copied()
    }
}

impl<T, E> Result<Option<T>, E> {
    fn transpose(self) -> Option<Result<T, E>> {
        match self {
            Ok(Some(value)) => Some(Ok(value)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T, E> Result<Result<T, E>, E> {
    fn flatten(self) -> Result<T, E> {
        match self {
            Ok(inner) => inner,
            Err(error) => Err(error),
        }
    }
}
