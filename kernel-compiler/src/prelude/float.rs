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

// What else is made of their bits.

fn classify<T, const N: usize>(this: T) -> std::num::FpCategory {
    if this.is_nan() {
        std::num::FpCategory::Nan
    } else if this.is_infinite() {
        std::num::FpCategory::Infinite
    } else if this == 0.0 {
        std::num::FpCategory::Zero
    } else if this.is_normal() {
        std::num::FpCategory::Normal
    } else {
        std::num::FpCategory::Subnormal
    }
}

fn to_int_unchecked<T, const N: usize, I>(this: T) -> I {
    this as I
}

fn __f32_of<T, const N: usize>(text: &str) -> Result<f32, std::num::ParseFloatError> {
    std::num::FloatText::<22>::to_f32(text)
}

fn __f64_of<T, const N: usize>(text: &str) -> Result<f64, std::num::ParseFloatError> {
    std::num::FloatText::<120>::to_f64(text)
}
