// The methods of slices and arrays that are written in the language. Sorting is Shell's, with gaps that shrink by 5/11: it needs no memory,
// and is as short as it is fast for what one work-item sorts.

fn sort_unstable<T>(this: &mut [T]) {
    let mut gap = this.len();
    while gap > 1 {
        gap = if gap < 5 { 1 } else { gap * 5 / 11 };
        for start in gap..this.len() {
            let value = this[start];
            let mut to = start;
            while to >= gap && value < this[to - gap] {
                this[to] = this[to - gap];
                to -= gap;
            }
            this[to] = value;
        }
    }
}

fn sort_unstable_by<T, F: FnMut(&T, &T) -> Ordering>(this: &mut [T], mut compare: F) {
    let mut gap = this.len();
    while gap > 1 {
        gap = if gap < 5 { 1 } else { gap * 5 / 11 };
        for start in gap..this.len() {
            let value = this[start];
            let mut to = start;
            while to >= gap && compare(&value, &this[to - gap]).is_lt() {
                this[to] = this[to - gap];
                to -= gap;
            }
            this[to] = value;
        }
    }
}

fn sort_unstable_by_key<T, K, F: FnMut(&T) -> K>(this: &mut [T], mut key: F) {
    let mut gap = this.len();
    while gap > 1 {
        gap = if gap < 5 { 1 } else { gap * 5 / 11 };
        for start in gap..this.len() {
            let value = this[start];
            let mut to = start;
            while to >= gap && key(&value) < key(&this[to - gap]) {
                this[to] = this[to - gap];
                to -= gap;
            }
            this[to] = value;
        }
    }
}

fn binary_search<T>(this: &[T], wanted: &T) -> Result<usize, usize> {
    let mut size = this.len();
    if size == 0 {
        return Err(0);
    }
    let mut base = 0;
    while size > 1 {
        let half = size / 2;
        let middle = base + half;
        base = if this[middle] > *wanted { base } else { middle };
        size -= half;
    }
    if this[base] == *wanted {
        Ok(base)
    } else if this[base] < *wanted {
        Err(base + 1)
    } else {
        Err(base)
    }
}

fn binary_search_by<T, F: FnMut(&T) -> Ordering>(this: &[T], mut compare: F) -> Result<usize, usize> {
    let mut size = this.len();
    if size == 0 {
        return Err(0);
    }
    let mut base = 0;
    while size > 1 {
        let half = size / 2;
        let middle = base + half;
        base = if compare(&this[middle]).is_gt() { base } else { middle };
        size -= half;
    }
    match compare(&this[base]) {
        Ordering::Equal => Ok(base),
        Ordering::Less => Err(base + 1),
        Ordering::Greater => Err(base),
    }
}

fn binary_search_by_key<T, K, F: FnMut(&T) -> K>(this: &[T], wanted: &K, mut key: F) -> Result<usize, usize> {
    let mut size = this.len();
    if size == 0 {
        return Err(0);
    }
    let mut base = 0;
    while size > 1 {
        let half = size / 2;
        let middle = base + half;
        base = if key(&this[middle]) > *wanted { base } else { middle };
        size -= half;
    }
    let found = key(&this[base]);
    if found == *wanted {
        Ok(base)
    } else if found < *wanted {
        Err(base + 1)
    } else {
        Err(base)
    }
}

// A stable sort without memory is one by insertion.

fn sort<T>(this: &mut [T]) {
    for start in 1..this.len() {
        let value = this[start];
        let mut to = start;
        while to > 0 && value < this[to - 1] {
            this[to] = this[to - 1];
            to -= 1;
        }
        this[to] = value;
    }
}

fn sort_by<T, F: FnMut(&T, &T) -> Ordering>(this: &mut [T], mut compare: F) {
    for start in 1..this.len() {
        let value = this[start];
        let mut to = start;
        while to > 0 && compare(&value, &this[to - 1]).is_lt() {
            this[to] = this[to - 1];
            to -= 1;
        }
        this[to] = value;
    }
}

fn sort_by_key<T, K, F: FnMut(&T) -> K>(this: &mut [T], mut key: F) {
    for start in 1..this.len() {
        let value = this[start];
        let mut to = start;
        while to > 0 && key(&value) < key(&this[to - 1]) {
            this[to] = this[to - 1];
            to -= 1;
        }
        this[to] = value;
    }
}
