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

// What is written of a slice, in a way that does not depend on its elements.

fn fill_with<T, F: FnMut() -> T>(this: &mut [T], mut f: F) {
    for place in this {
        *place = f();
    }
}

fn copy_within<T>(this: &mut [T], start: usize, end: usize, to: usize) {
    if start > end {
        panic!("slice index starts at {start} but ends at {end}");
    }
    let len = this.len();
    if end > len {
        panic!("range end index {end} out of range for slice of length {len}");
    }
    let count = end - start;
    if to > len - count {
        panic!("dest is out of bounds");
    }
    if to <= start {
        for index in 0..count {
            this[to + index] = this[start + index];
        }
    } else {
        for index in (0..count).rev() {
            this[to + index] = this[start + index];
        }
    }
}

fn clone_from_slice<T>(this: &mut [T], from: &[T]) {
    if this.len() != from.len() {
        panic!("destination and source slices have different lengths");
    }
    this.copy_from_slice(from);
}

fn swap_with_slice<T>(this: &mut [T], other: &mut [T]) {
    if this.len() != other.len() {
        panic!("destination and source slices have different lengths");
    }
    for index in 0..this.len() {
        let value = this[index];
        this[index] = other[index];
        other[index] = value;
    }
}

fn make_ascii_lowercase<T>(this: &mut [T]) {
    for byte in this {
        *byte = byte.to_ascii_lowercase();
    }
}

fn make_ascii_uppercase<T>(this: &mut [T]) {
    for byte in this {
        *byte = byte.to_ascii_uppercase();
    }
}

// Tests.

fn is_sorted<T>(this: &[T]) -> bool {
    for index in 1..this.len() {
        if !(this[index - 1] <= this[index]) {
            return false;
        }
    }
    true
}

fn is_sorted_by<T, F: FnMut(&T, &T) -> bool>(this: &[T], mut f: F) -> bool {
    for index in 1..this.len() {
        if !f(&this[index - 1], &this[index]) {
            return false;
        }
    }
    true
}

fn is_sorted_by_key<T, K, F: FnMut(&T) -> K>(this: &[T], f: F) -> bool {
    this.iter().map(f).is_sorted()
}

fn is_ascii<T>(this: &[T]) -> bool {
    this.iter().all(|byte| byte.is_ascii())
}

fn eq_ignore_ascii_case<T>(this: &[T], other: &[T]) -> bool {
    this.len() == other.len() && this.iter().zip(other).all(|(a, b)| a.to_ascii_lowercase() == b.to_ascii_lowercase())
}

// Parts of a slice.

fn split_at_checked<T>(this: &[T], middle: usize) -> Option<(&[T], &[T])> {
    if middle <= this.len() { Some(this.split_at(middle)) } else { None }
}

fn split_at_mut_checked<T>(this: &mut [T], middle: usize) -> Option<(&mut [T], &mut [T])> {
    if middle <= this.len() { Some(this.split_at_mut(middle)) } else { None }
}

fn strip_prefix<T, P>(this: &[T], prefix: P) -> Option<&[T]> {
    if this.starts_with(prefix) { Some(&this[prefix.len()..]) } else { None }
}

fn strip_suffix<T, P>(this: &[T], suffix: P) -> Option<&[T]> {
    if this.ends_with(suffix) { Some(&this[..this.len() - suffix.len()]) } else { None }
}

fn trim_ascii_start<T>(this: &[T]) -> &[T] {
    let mut start = 0;
    while start < this.len() && this[start].is_ascii_whitespace() {
        start += 1;
    }
    &this[start..]
}

fn trim_ascii_end<T>(this: &[T]) -> &[T] {
    let mut end = this.len();
    while end > 0 && this[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    &this[..end]
}

fn trim_ascii<T>(this: &[T]) -> &[T] {
    this.trim_ascii_start().trim_ascii_end()
}

// A reference to some elements, of which nobody knows that they are an array, is one to a copy of them, unless they can change.

fn first_chunk<T, const N: usize>(this: &[T]) -> Option<&[T; N]> {
    if this.len() < N {
        return None;
    }
    Some(this.__as_array(0, N))
}

fn last_chunk<T, const N: usize>(this: &[T]) -> Option<&[T; N]> {
    if this.len() < N {
        return None;
    }
    let start = this.len() - N;
    Some(this.__as_array(start, N))
}

fn split_first_chunk<T, const N: usize>(this: &[T]) -> Option<(&[T; N], &[T])> {
    if this.len() < N {
        return None;
    }
    Some((this.__as_array(0, N), &this[N..]))
}

fn split_last_chunk<T, const N: usize>(this: &[T]) -> Option<(&[T], &[T; N])> {
    if this.len() < N {
        return None;
    }
    let start = this.len() - N;
    Some((&this[..start], this.__as_array(start, N)))
}

fn first_chunk_mut<T, const N: usize>(this: &mut [T]) -> Option<&mut [T; N]> {
    if this.len() < N {
        return None;
    }
    Some(this.__as_array_mut(0, N))
}

fn last_chunk_mut<T, const N: usize>(this: &mut [T]) -> Option<&mut [T; N]> {
    if this.len() < N {
        return None;
    }
    let start = this.len() - N;
    Some(this.__as_array_mut(start, N))
}

fn split_first_chunk_mut<T, const N: usize>(this: &mut [T]) -> Option<(&mut [T; N], &mut [T])> {
    if this.len() < N {
        return None;
    }
    Some((this.__as_array_mut(0, N), &mut this[N..]))
}

fn split_last_chunk_mut<T, const N: usize>(this: &mut [T]) -> Option<(&mut [T], &mut [T; N])> {
    if this.len() < N {
        return None;
    }
    let start = this.len() - N;
    Some((&mut this[..start], this.__as_array_mut(start, N)))
}

fn array_windows<T, const N: usize>(this: &[T]) -> impl Iterator<Item = &[T; N]> {
    let count = (this.len() + 1).saturating_sub(N);
    (0..count).map(move |start| this.__as_array(start, N))
}

// No slice of arrays has memory in common with one of their elements: what is made is a value that copies the chunk which is asked for.

fn as_chunks<T, const N: usize>(this: &[T]) -> (std::slice::ArrayChunks<T, N>, &[T]) {
    let (elements, rest) = this.split_at(this.len() / N * N);
    (std::slice::ArrayChunks { elements }, rest)
}

fn as_chunks_mut<T, const N: usize>(this: &mut [T]) -> (std::slice::ArrayChunksMut<T, N>, &mut [T]) {
    let whole = this.len() / N * N;
    let (elements, rest) = this.split_at_mut(whole);
    (std::slice::ArrayChunksMut { elements }, rest)
}

fn as_rchunks_mut<T, const N: usize>(this: &mut [T]) -> (&mut [T], std::slice::ArrayChunksMut<T, N>) {
    let short = this.len() % N;
    let (rest, elements) = this.split_at_mut(short);
    (rest, std::slice::ArrayChunksMut { elements })
}

fn as_rchunks<T, const N: usize>(this: &[T]) -> (&[T], std::slice::ArrayChunks<T, N>) {
    let (rest, elements) = this.split_at(this.len() % N);
    (rest, std::slice::ArrayChunks { elements })
}

// Several elements at once.

fn get_disjoint_mut<T, const N: usize>(this: &mut [T], indices: [usize; N]) -> Result<[&mut T; N], std::slice::GetDisjointMutError> {
    for (position, index) in indices.iter().enumerate() {
        if *index >= this.len() {
            return Err(std::slice::GetDisjointMutError::IndexOutOfBounds);
        }
        for other in &indices[..position] {
            if *index == *other {
                return Err(std::slice::GetDisjointMutError::OverlappingIndices);
            }
        }
    }
    Ok(std::array::from_fn(|at| &mut this[indices[at]]))
}

// Iterators over parts. The positions of those with a fixed size are known.

fn rchunks<T>(this: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    if size == 0 {
        panic!("chunk size must be non-zero");
    }
    (0..this.len().div_ceil(size)).map(move |index| {
        let end = this.len() - index * size;
        &this[end.saturating_sub(size)..end]
    })
}

fn rchunks_mut<T>(this: &mut [T], size: usize) -> impl Iterator<Item = &mut [T]> {
    if size == 0 {
        panic!("chunk size must be non-zero");
    }
    (0..this.len().div_ceil(size)).map(move |index| {
        let end = this.len() - index * size;
        &mut this[end.saturating_sub(size)..end]
    })
}

fn rchunks_exact<T>(this: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    if size == 0 {
        panic!("chunk size must be non-zero");
    }
    (0..this.len() / size).map(move |index| {
        let end = this.len() - index * size;
        &this[end - size..end]
    })
}

fn rchunks_exact_mut<T>(this: &mut [T], size: usize) -> impl Iterator<Item = &mut [T]> {
    if size == 0 {
        panic!("chunk size must be non-zero");
    }
    (0..this.len() / size).map(move |index| {
        let end = this.len() - index * size;
        &mut this[end - size..end]
    })
}

// Those whose size a closure decides look for the end of each part once they are asked for it.

fn split<T, F: FnMut(&T) -> bool>(this: &[T], mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    let mut is_more = true;
    std::iter::from_fn(move || {
        if !is_more {
            return None;
        }
        let whole = rest;
        match whole.iter().position(|item| f(item)) {
            Some(at) => {
                rest = &whole[at + 1..];
                Some(&whole[..at])
            }
            None => {
                is_more = false;
                Some(whole)
            }
        }
    })
}

fn rsplit<T, F: FnMut(&T) -> bool>(this: &[T], mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    let mut is_more = true;
    std::iter::from_fn(move || {
        if !is_more {
            return None;
        }
        let whole = rest;
        match whole.iter().rposition(|item| f(item)) {
            Some(at) => {
                rest = &whole[..at];
                Some(&whole[at + 1..])
            }
            None => {
                is_more = false;
                Some(whole)
            }
        }
    })
}

fn split_inclusive<T, F: FnMut(&T) -> bool>(this: &[T], mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    std::iter::from_fn(move || {
        let whole = rest;
        if whole.is_empty() {
            return None;
        }
        let end = match whole.iter().position(|item| f(item)) {
            Some(at) => at + 1,
            None => whole.len(),
        };
        rest = &whole[end..];
        Some(&whole[..end])
    })
}

fn splitn<T, F: FnMut(&T) -> bool>(this: &[T], n: usize, mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    let mut left = n;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let whole = rest;
        let found = if left == 1 { None } else { whole.iter().position(|item| f(item)) };
        match found {
            Some(at) => {
                left -= 1;
                rest = &whole[at + 1..];
                Some(&whole[..at])
            }
            None => {
                left = 0;
                Some(whole)
            }
        }
    })
}

fn rsplitn<T, F: FnMut(&T) -> bool>(this: &[T], n: usize, mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    let mut left = n;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let whole = rest;
        let found = if left == 1 { None } else { whole.iter().rposition(|item| f(item)) };
        match found {
            Some(at) => {
                left -= 1;
                rest = &whole[..at];
                Some(&whole[at + 1..])
            }
            None => {
                left = 0;
                Some(whole)
            }
        }
    })
}

fn chunk_by<T, F: FnMut(&T, &T) -> bool>(this: &[T], mut f: F) -> impl Iterator<Item = &[T]> {
    let mut rest = this;
    std::iter::from_fn(move || {
        let whole = rest;
        if whole.is_empty() {
            return None;
        }
        let mut end = 1;
        while end < whole.len() && f(&whole[end - 1], &whole[end]) {
            end += 1;
        }
        rest = &whole[end..];
        Some(&whole[..end])
    })
}

fn split_mut<T, F: FnMut(&T) -> bool>(this: &mut [T], mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    let mut is_more = true;
    std::iter::from_fn(move || {
        if !is_more {
            return None;
        }
        let whole = rest;
        match whole.iter().position(|item| f(item)) {
            Some(at) => {
                rest = &mut whole[at + 1..];
                Some(&mut whole[..at])
            }
            None => {
                is_more = false;
                Some(whole)
            }
        }
    })
}

fn rsplit_mut<T, F: FnMut(&T) -> bool>(this: &mut [T], mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    let mut is_more = true;
    std::iter::from_fn(move || {
        if !is_more {
            return None;
        }
        let whole = rest;
        match whole.iter().rposition(|item| f(item)) {
            Some(at) => {
                rest = &mut whole[..at];
                Some(&mut whole[at + 1..])
            }
            None => {
                is_more = false;
                Some(whole)
            }
        }
    })
}

fn split_inclusive_mut<T, F: FnMut(&T) -> bool>(this: &mut [T], mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    std::iter::from_fn(move || {
        let whole = rest;
        if whole.is_empty() {
            return None;
        }
        let end = match whole.iter().position(|item| f(item)) {
            Some(at) => at + 1,
            None => whole.len(),
        };
        rest = &mut whole[end..];
        Some(&mut whole[..end])
    })
}

fn splitn_mut<T, F: FnMut(&T) -> bool>(this: &mut [T], n: usize, mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    let mut left = n;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let whole = rest;
        let found = if left == 1 { None } else { whole.iter().position(|item| f(item)) };
        match found {
            Some(at) => {
                left -= 1;
                rest = &mut whole[at + 1..];
                Some(&mut whole[..at])
            }
            None => {
                left = 0;
                Some(whole)
            }
        }
    })
}

fn rsplitn_mut<T, F: FnMut(&T) -> bool>(this: &mut [T], n: usize, mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    let mut left = n;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let whole = rest;
        let found = if left == 1 { None } else { whole.iter().rposition(|item| f(item)) };
        match found {
            Some(at) => {
                left -= 1;
                rest = &mut whole[..at];
                Some(&mut whole[at + 1..])
            }
            None => {
                left = 0;
                Some(whole)
            }
        }
    })
}

fn chunk_by_mut<T, F: FnMut(&T, &T) -> bool>(this: &mut [T], mut f: F) -> impl Iterator<Item = &mut [T]> {
    let mut rest = this;
    std::iter::from_fn(move || {
        let whole = rest;
        if whole.is_empty() {
            return None;
        }
        let mut end = 1;
        while end < whole.len() && f(&whole[end - 1], &whole[end]) {
            end += 1;
        }
        rest = &mut whole[end..];
        Some(&mut whole[..end])
    })
}

// Hoare's selection, with the middle one of three elements to divide the others by.

fn select_nth_unstable<T>(this: &mut [T], index: usize) -> (&mut [T], &mut T, &mut [T]) {
    let len = this.len();
    if index >= len {
        panic!("partition_at_index index {index} greater than length of slice {len}");
    }
    let mut low = 0;
    let mut end = len;
    while end - low > 1 {
        let (middle, last) = (low + (end - low - 1) / 2, end - 1);
        if this[last] < this[low] {
            this.swap(low, last);
        }
        if this[middle] < this[low] {
            this.swap(low, middle);
        }
        if this[last] < this[middle] {
            this.swap(middle, last);
        }
        let pivot = this[middle];
        let (mut up, mut down) = (low, end);
        loop {
            while this[up] < pivot {
                up += 1;
            }
            down -= 1;
            while pivot < this[down] {
                down -= 1;
            }
            if up >= down {
                break;
            }
            this.swap(up, down);
            up += 1;
        }
        if index <= down {
            end = down + 1;
        } else {
            low = down + 1;
        }
    }
    let (before, rest) = this.split_at_mut(index);
    let (found, after) = rest.split_at_mut(1);
    (before, &mut found[0], after)
}

fn select_nth_unstable_by<T, F: FnMut(&T, &T) -> Ordering>(this: &mut [T], index: usize, mut compare: F) -> (&mut [T], &mut T, &mut [T]) {
    let len = this.len();
    if index >= len {
        panic!("partition_at_index index {index} greater than length of slice {len}");
    }
    let mut low = 0;
    let mut end = len;
    while end - low > 1 {
        let (middle, last) = (low + (end - low - 1) / 2, end - 1);
        if compare(&this[last], &this[low]).is_lt() {
            this.swap(low, last);
        }
        if compare(&this[middle], &this[low]).is_lt() {
            this.swap(low, middle);
        }
        if compare(&this[last], &this[middle]).is_lt() {
            this.swap(middle, last);
        }
        let pivot = this[middle];
        let (mut up, mut down) = (low, end);
        loop {
            while compare(&this[up], &pivot).is_lt() {
                up += 1;
            }
            down -= 1;
            while compare(&pivot, &this[down]).is_lt() {
                down -= 1;
            }
            if up >= down {
                break;
            }
            this.swap(up, down);
            up += 1;
        }
        if index <= down {
            end = down + 1;
        } else {
            low = down + 1;
        }
    }
    let (before, rest) = this.split_at_mut(index);
    let (found, after) = rest.split_at_mut(1);
    (before, &mut found[0], after)
}

fn select_nth_unstable_by_key<T, K, F: FnMut(&T) -> K>(this: &mut [T], index: usize, mut key: F) -> (&mut [T], &mut T, &mut [T]) {
    let len = this.len();
    if index >= len {
        panic!("partition_at_index index {index} greater than length of slice {len}");
    }
    let mut low = 0;
    let mut end = len;
    while end - low > 1 {
        let (middle, last) = (low + (end - low - 1) / 2, end - 1);
        if key(&this[last]) < key(&this[low]) {
            this.swap(low, last);
        }
        if key(&this[middle]) < key(&this[low]) {
            this.swap(low, middle);
        }
        if key(&this[last]) < key(&this[middle]) {
            this.swap(middle, last);
        }
        let pivot = this[middle];
        let (mut up, mut down) = (low, end);
        loop {
            while key(&this[up]) < key(&pivot) {
                up += 1;
            }
            down -= 1;
            while key(&pivot) < key(&this[down]) {
                down -= 1;
            }
            if up >= down {
                break;
            }
            this.swap(up, down);
            up += 1;
        }
        if index <= down {
            end = down + 1;
        } else {
            low = down + 1;
        }
    }
    let (before, rest) = this.split_at_mut(index);
    let (found, after) = rest.split_at_mut(1);
    (before, &mut found[0], after)
}

// What the methods of text ask of the characters that they look for.

fn __find<T>(this: &[T], bytes: &[u8]) -> Option<(usize, usize)> {
    (|next: char| this.contains(&next)).__find(bytes)
}

fn __find_last<T>(this: &[T], bytes: &[u8]) -> Option<(usize, usize)> {
    (|next: char| this.contains(&next)).__find_last(bytes)
}

fn __starts<T>(this: &[T], bytes: &[u8]) -> Option<usize> {
    (|next: char| this.contains(&next)).__starts(bytes)
}

fn __ends<T>(this: &[T], bytes: &[u8]) -> Option<usize> {
    (|next: char| this.contains(&next)).__ends(bytes)
}
