// `std::cell::OnceCell`.

#[derive(Clone, PartialEq, Eq)]
struct OnceCell<T> {
    value: std::cell::Cell<Option<T>>,
}

impl<T> Default for OnceCell<T> {
    fn default() -> OnceCell<T> {
        OnceCell::new()
    }
}

impl<T> From<T> for OnceCell<T> {
    fn from(value: T) -> OnceCell<T> {
        OnceCell { value: std::cell::Cell::new(Some(value)) }
    }
}

impl<T> OnceCell<T> {
    fn new() -> OnceCell<T> {
        OnceCell { value: std::cell::Cell::new(None) }
    }

    fn get(&self) -> Option<&T> {
        self.value.value.as_ref()
    }

    fn get_mut(&mut self) -> Option<&mut T> {
        self.value.value.as_mut()
    }

    fn set(&self, value: T) -> Result<(), T> {
        if self.value.value.is_some() {
            return Err(value);
        }
        self.value.set(Some(value));
        Ok(())
    }

    fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        if self.value.value.is_none() {
            let value = f();
            if self.value.value.is_some() {
                panic!("reentrant init");
            }
            self.value.set(Some(value));
        }
        self.value.value.as_ref().unwrap()
    }

    fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }
}
