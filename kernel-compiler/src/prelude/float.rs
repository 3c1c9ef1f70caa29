// The bytes of floats, which are those of their bits.

fn to_le_bytes<T, const N: usize>(this: T) -> [u8; N] {
    this.to_bits().to_le_bytes()
}

fn to_ne_bytes<T, const N: usize>(this: T) -> [u8; N] {
    this.to_bits().to_ne_bytes()
}

fn to_be_bytes<T, const N: usize>(this: T) -> [u8; N] {
    this.to_bits().to_be_bytes()
}

fn from_le_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut bits = (0.0 as T).to_bits();
    for byte in bytes.iter().rev() {
        let last = (*byte).into();
        bits = bits << 8 | last;
    }
    T::from_bits(bits)
}

fn from_ne_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    T::from_le_bytes(bytes)
}

fn from_be_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut bits = (0.0 as T).to_bits();
    for byte in bytes.iter() {
        let last = (*byte).into();
        bits = bits << 8 | last;
    }
    T::from_bits(bits)
}
