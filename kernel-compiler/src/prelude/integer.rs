// The bytes of integers, which have as many as `N` says.

fn to_le_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * k)) as u8)
}

fn to_ne_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * k)) as u8)
}

fn to_be_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * (N - 1 - k))) as u8)
}

fn from_le_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * k);
    }
    value
}

fn from_ne_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * k);
    }
    value
}

fn from_be_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * (N - 1 - k));
    }
    value
}

// What a `u8` is as a character.

fn eq_ignore_ascii_case<T, const N: usize>(this: T, other: &T) -> bool {
    this.to_ascii_lowercase() == other.to_ascii_lowercase()
}

fn make_ascii_lowercase<T, const N: usize>(this: &mut T) {
    *this = this.to_ascii_lowercase();
}

fn make_ascii_uppercase<T, const N: usize>(this: &mut T) {
    *this = this.to_ascii_uppercase();
}
