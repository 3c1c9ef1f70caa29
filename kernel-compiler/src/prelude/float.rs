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
