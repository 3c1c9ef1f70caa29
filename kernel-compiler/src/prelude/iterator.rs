// The methods of iterators that are written in the language.

fn max_by<I, T, F: FnMut(&T, &T) -> Ordering>(this: I, mut compare: F) -> Option<T> {
    this.reduce(|best, item| if compare(&best, &item).is_gt() { best } else { item })
}

fn min_by<I, T, F: FnMut(&T, &T) -> Ordering>(this: I, mut compare: F) -> Option<T> {
    this.reduce(|best, item| if compare(&best, &item).is_gt() { item } else { best })
}

fn max<I, T>(this: I) -> Option<T> {
    this.reduce(|best, item| if item < best { best } else { item })
}

fn min<I, T>(this: I) -> Option<T> {
    this.reduce(|best, item| if item < best { item } else { best })
}

fn max_by_key<I, T, K, F: FnMut(&T) -> K>(this: I, mut key: F) -> Option<T> {
    let keys = this.map(|item| (key(&item), item));
    keys.reduce(|best, next| if next.0 < best.0 { best } else { next }).map(|best| best.1)
}

fn min_by_key<I, T, K, F: FnMut(&T) -> K>(this: I, mut key: F) -> Option<T> {
    let keys = this.map(|item| (key(&item), item));
    keys.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|best| best.1)
}

fn rfind<I, T, F: FnMut(&T) -> bool>(this: I, f: F) -> Option<T> {
    this.rev().find(f)
}

fn rfold<I, T, B, F: FnMut(B, T) -> B>(this: I, first: B, f: F) -> B {
    this.rev().fold(first, f)
}

fn rposition<I, T, F: FnMut(T) -> bool>(this: I, mut f: F) -> Option<usize> {
    let mut position = this.len();
    for item in this.rev() {
        position -= 1;
        if f(item) {
            return Some(position);
        }
    }
    None
}
