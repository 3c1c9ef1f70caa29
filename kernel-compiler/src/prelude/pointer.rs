// The methods of raw pointers that are written in the language. What is `unsafe` about them is rustc's to check, where they are called.

fn as_ref<'a, T>(this: *const T) -> Option<&'a T> {
    if this.is_null() { None } else { Some(unsafe { &*this }) }
}

fn copy_to<T>(this: *const T, to: *mut T, count: usize) {
    // Either may be in the way of the other, as for `memmove`.
    if (to as usize) <= (this as usize) {
        for i in 0..count {
            unsafe { to.add(i).write(*this.add(i)) };
        }
    } else {
        for i in 0..count {
            unsafe { to.add(count - 1 - i).write(*this.add(count - 1 - i)) };
        }
    }
}

fn copy_to_nonoverlapping<T>(this: *const T, to: *mut T, count: usize) {
    for i in 0..count {
        unsafe { to.add(i).write(*this.add(i)) };
    }
}

fn copy_from<T>(this: *mut T, from: *const T, count: usize) {
    if (this as usize) <= (from as usize) {
        for i in 0..count {
            unsafe { this.add(i).write(*from.add(i)) };
        }
    } else {
        for i in 0..count {
            unsafe { this.add(count - 1 - i).write(*from.add(count - 1 - i)) };
        }
    }
}

fn copy_from_nonoverlapping<T>(this: *mut T, from: *const T, count: usize) {
    for i in 0..count {
        unsafe { this.add(i).write(*from.add(i)) };
    }
}

fn replace<T>(this: *mut T, value: T) -> T {
    let old = unsafe { *this };
    unsafe { this.write(value) };
    old
}

fn swap<T>(this: *mut T, with: *mut T) {
    let value = unsafe { *this };
    unsafe { this.write(*with) };
    unsafe { with.write(value) };
}
