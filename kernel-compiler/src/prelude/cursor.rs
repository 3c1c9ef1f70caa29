// The methods of iterators that advance one which is in a variable.

fn nth<I, T>(this: &mut I, n: usize) -> Option<T> {
    let mut left = n;
    while left > 0 {
        if this.next().is_none() {
            return None;
        }
        left -= 1;
    }
    this.next()
}

fn next_if<I, T, F: FnMut(&T) -> bool>(this: &mut I, mut f: F) -> Option<T> {
    let takes = match this.peek() {
        Some(item) => f(item),
        None => false,
    };
    if takes { this.next() } else { None }
}

fn next_if_eq<I, T>(this: &mut I, wanted: &T) -> Option<T> {
    let takes = match this.peek() {
        Some(item) => *item == *wanted,
        None => false,
    };
    if takes { this.next() } else { None }
}

fn any<I, T, F: FnMut(T) -> bool>(this: &mut I, mut f: F) -> bool {
    while let Some(item) = this.next() {
        if f(item) {
            return true;
        }
    }
    false
}

fn all<I, T, F: FnMut(T) -> bool>(this: &mut I, mut f: F) -> bool {
    while let Some(item) = this.next() {
        if !f(item) {
            return false;
        }
    }
    true
}

fn position<I, T, F: FnMut(T) -> bool>(this: &mut I, mut f: F) -> Option<usize> {
    let mut position = 0;
    while let Some(item) = this.next() {
        if f(item) {
            return Some(position);
        }
        position += 1;
    }
    None
}

fn find<I, T, F: FnMut(&T) -> bool>(this: &mut I, mut f: F) -> Option<T> {
    while let Some(item) = this.next() {
        if f(&item) {
            return Some(item);
        }
    }
    None
}

fn find_map<I, T, U, F: FnMut(T) -> Option<U>>(this: &mut I, mut f: F) -> Option<U> {
    while let Some(item) = this.next() {
        if let Some(found) = f(item) {
            return Some(found);
        }
    }
    None
}

fn nth_back<I, T>(this: &mut I, n: usize) -> Option<T> {
    let mut left = n;
    while left > 0 {
        if this.next_back().is_none() {
            return None;
        }
        left -= 1;
    }
    this.next_back()
}

fn rfind<I, T, F: FnMut(&T) -> bool>(this: &mut I, mut f: F) -> Option<T> {
    while let Some(item) = this.next_back() {
        if f(&item) {
            return Some(item);
        }
    }
    None
}

fn rposition<I, T, F: FnMut(T) -> bool>(this: &mut I, mut f: F) -> Option<usize> {
    let mut position = this.len();
    while let Some(item) = this.next_back() {
        position -= 1;
        if f(item) {
            return Some(position);
        }
    }
    None
}
