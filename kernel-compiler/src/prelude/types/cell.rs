// `std::cell::Cell`. What changes it assigns behind a shared reference, which rustc has no say in here.

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cell<T> {
    value: T,
}

impl<T> Clone for Cell<T> {
    fn clone(&self) -> Cell<T> {
        Cell { value: self.value }
    }
}

impl<T> From<T> for Cell<T> {
    fn from(value: T) -> Cell<T> {
        Cell { value }
    }
}

impl<T> Cell<T> {
    fn new(value: T) -> Cell<T> {
        Cell { value }
    }

    fn get(&self) -> T {
        self.value
    }

    fn set(&self, value: T) {
        self.value = value;
    }

    fn replace(&self, value: T) -> T {
        let old = self.value;
        self.value = value;
        old
    }

    fn take(&self) -> T {
        let old = self.value;
        self.value = Default::default();
        old
    }

    fn update<F: FnOnce(T) -> T>(&self, f: F) {
        let value = f(self.value);
        self.value = value;
    }

    fn swap(&self, other: &Cell<T>) {
        let value = self.value;
        self.value = other.value;
        other.value = value;
    }

    fn into_inner(self) -> T {
        self.value
    }

    fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
