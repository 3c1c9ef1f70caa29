// The methods of `bool` for device code.

fn then<T, F: FnOnce() -> T>(this: bool, f: F) -> Option<T> {
    if this { Some(f()) } else { None }
}

fn then_some<T>(this: bool, value: T) -> Option<T> {
    if this { Some(value) } else { None }
}
