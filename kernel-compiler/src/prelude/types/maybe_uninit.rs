// `std::mem::MaybeUninit`. It knows whether it has been written, so that what has no value is a panic.

#[derive(Clone, Copy)]
struct MaybeUninit<T> {
    value: Option<T>,
}

impl<T> MaybeUninit<T> {
    fn uninit() -> MaybeUninit<T> {
        MaybeUninit { value: None }
    }

    fn new(value: T) -> MaybeUninit<T> {
        MaybeUninit { value: Some(value) }
    }

    fn write(&mut self, value: T) -> &mut T {
        self.value = Some(value);
        self.value.__payload_mut()
    }

    unsafe fn assume_init(self) -> T {
        self.value.unwrap()
    }

    unsafe fn assume_init_read(&self) -> T {
        self.value.unwrap()
    }

    unsafe fn assume_init_ref(&self) -> &T {
        self.value.as_ref().unwrap()
    }

    unsafe fn assume_init_mut(&mut self) -> &mut T {
        self.value.as_mut().unwrap()
    }

    unsafe fn assume_init_drop(&mut self) {
        self.value = None;
    }
}
