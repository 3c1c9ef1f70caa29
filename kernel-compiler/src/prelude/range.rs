// The methods of `a..b` that change it.

fn next<R, T>(this: &mut R) -> Option<T> {
    if this.start < this.end {
        let first = this.start;
        this.start += 1;
        Some(first)
    } else {
        None
    }
}

fn next_back<R, T>(this: &mut R) -> Option<T> {
    if this.start < this.end {
        this.end -= 1;
        Some(this.end)
    } else {
        None
    }
}
