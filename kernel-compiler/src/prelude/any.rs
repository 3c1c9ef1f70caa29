// What `Clone` gives to every type, and `Ord` to every type that has an order, in terms of its operators.

fn clone_from<T>(this: &mut T, source: &T) {
    *this = source.clone();
}

fn max<T>(this: T, other: T) -> T {
    if other < this { this } else { other }
}

fn min<T>(this: T, other: T) -> T {
    if other < this { other } else { this }
}

fn clamp<T>(this: T, min: T, max: T) -> T {
    assert!(min <= max);
    if this < min {
        min
    } else if this > max {
        max
    } else {
        this
    }
}
