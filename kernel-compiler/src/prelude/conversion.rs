// Conversions that can fail, and that of an error.

fn try_into<S, D>(this: S) -> Result<D, TryFromIntError> {
    let converted = this as D;
    if converted as S == this && (converted < 0) == (this < 0) { Ok(converted) } else { Err(TryFromIntError) }
}

fn array_from_slice<T, const N: usize>(this: &[T]) -> Result<[T; N], TryFromSliceError> {
    if this.len() == N { Ok(std::array::from_fn(|index| this[index])) } else { Err(TryFromSliceError) }
}

fn array_behind_slice<T, const N: usize>(this: &[T]) -> Result<&[T; N], TryFromSliceError> {
    if this.len() == N {
        Ok(this.__as_array(0, N))
    } else {
        Err(TryFromSliceError)
    }
}

// What `?` does with an error of another type.
fn with_error<T, E, F>(this: Result<T, E>) -> Result<T, F> {
    match this {
        Ok(value) => Ok(value),
        Err(error) => Err(error.into()),
    }
}
