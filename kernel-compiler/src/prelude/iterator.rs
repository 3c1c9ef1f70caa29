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

// The items of two iterators are compared one by one.

fn eq<I, T, J>(this: I, other: J) -> bool {
    let mut rest = other.into_iter();
    for item in this {
        match rest.next() {
            Some(wanted) if item == wanted => {}
            _ => return false,
        }
    }
    rest.next().is_none()
}

fn ne<I, T, J>(this: I, other: J) -> bool {
    !this.eq(other)
}

fn cmp<I, T, J>(this: I, other: J) -> Ordering {
    let mut rest = other.into_iter();
    for item in this {
        match rest.next() {
            None => return Ordering::Greater,
            Some(second) => match item.cmp(&second) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
    if rest.next().is_some() { Ordering::Less } else { Ordering::Equal }
}

fn partial_cmp<I, T, J>(this: I, other: J) -> Option<Ordering> {
    let mut rest = other.into_iter();
    for item in this {
        match rest.next() {
            None => return Some(Ordering::Greater),
            Some(second) => match item.partial_cmp(&second) {
                Some(Ordering::Equal) => {}
                order => return order,
            },
        }
    }
    Some(if rest.next().is_some() { Ordering::Less } else { Ordering::Equal })
}

fn lt<I, T, J>(this: I, other: J) -> bool {
    this.partial_cmp(other) == Some(Ordering::Less)
}

fn le<I, T, J>(this: I, other: J) -> bool {
    this.partial_cmp(other).is_some_and(|order| order.is_le())
}

fn gt<I, T, J>(this: I, other: J) -> bool {
    this.partial_cmp(other) == Some(Ordering::Greater)
}

fn ge<I, T, J>(this: I, other: J) -> bool {
    this.partial_cmp(other).is_some_and(|order| order.is_ge())
}

fn is_sorted<I, T>(this: I) -> bool {
    let mut last: Option<T> = None;
    for item in this {
        if let Some(before) = last
            && !(before <= item)
        {
            return false;
        }
        last = Some(item);
    }
    true
}

fn is_sorted_by<I, T, F: FnMut(&T, &T) -> bool>(this: I, mut f: F) -> bool {
    let mut last: Option<T> = None;
    for item in this {
        if let Some(before) = &last
            && !f(before, &item)
        {
            return false;
        }
        last = Some(item);
    }
    true
}

fn is_sorted_by_key<I, T, K, F: FnMut(T) -> K>(this: I, f: F) -> bool {
    this.map(f).is_sorted()
}

fn try_rfold<I, T, B, R, F: FnMut(B, T) -> R>(this: I, first: B, f: F) -> R {
    this.rev().try_fold(first, f)
}

fn nth_back<I, T>(this: I, n: usize) -> Option<T> {
    this.rev().nth(n)
}

// What is made of the values in options and results: one without a value ends it, and is the answer.

fn from_iter_of_options<I, C>(this: I) -> Option<C> {
    let mut is_whole = true;
    let made = this
        .map_while(|item| {
            is_whole = item.is_some();
            item
        })
        .collect::<C>();
    if is_whole { Some(made) } else { None }
}

fn from_iter_of_results<I, C, E>(this: I) -> Result<C, E> {
    let mut error: Option<E> = None;
    let made = this
        .map_while(|item| match item {
            Ok(value) => Some(value),
            Err(found) => {
                error = Some(found);
                None
            }
        })
        .collect::<C>();
    match error {
        None => Ok(made),
        Some(error) => Err(error),
    }
}

fn sum_of_options<I, C>(this: I) -> Option<C> {
    let mut is_whole = true;
    let made = this
        .map_while(|item| {
            is_whole = item.is_some();
            item
        })
        .sum::<C>();
    if is_whole { Some(made) } else { None }
}

fn sum_of_results<I, C, E>(this: I) -> Result<C, E> {
    let mut error: Option<E> = None;
    let made = this
        .map_while(|item| match item {
            Ok(value) => Some(value),
            Err(found) => {
                error = Some(found);
                None
            }
        })
        .sum::<C>();
    match error {
        None => Ok(made),
        Some(error) => Err(error),
    }
}

fn product_of_options<I, C>(this: I) -> Option<C> {
    let mut is_whole = true;
    let made = this
        .map_while(|item| {
            is_whole = item.is_some();
            item
        })
        .product::<C>();
    if is_whole { Some(made) } else { None }
}

fn product_of_results<I, C, E>(this: I) -> Result<C, E> {
    let mut error: Option<E> = None;
    let made = this
        .map_while(|item| match item {
            Ok(value) => Some(value),
            Err(found) => {
                error = Some(found);
                None
            }
        })
        .product::<C>();
    match error {
        None => Ok(made),
        Some(error) => Err(error),
    }
}
