//! Keys that are sorted by their bits.

pub use keys::Key;

/// What can be sorted.
#[kernel_runtime::device]
pub mod keys {
    /// A number with as many bits that are in the same order.
    pub trait Key {
        /// The number of bits.
        const BITS: u32;

        /// Bits that are less, as an integer without a sign, for a lesser key.
        fn rank(self) -> u64;
    }

    impl Key for u32 {
        const BITS: u32 = 32;

        fn rank(self) -> u64 {
            self as u64
        }
    }

    impl Key for i32 {
        const BITS: u32 = 32;

        fn rank(self) -> u64 {
            (self as u32 ^ 0x8000_0000) as u64
        }
    }

    impl Key for u64 {
        const BITS: u32 = 64;

        fn rank(self) -> u64 {
            self
        }
    }

    impl Key for i64 {
        const BITS: u32 = 64;

        fn rank(self) -> u64 {
            self as u64 ^ 0x8000_0000_0000_0000
        }
    }

    impl Key for f32 {
        const BITS: u32 = 32;

        fn rank(self) -> u64 {
            let bits = self.to_bits();
            (bits ^ if bits >> 31 == 1 { u32::MAX } else { 0x8000_0000 }) as u64
        }
    }

    impl Key for f64 {
        const BITS: u32 = 64;

        fn rank(self) -> u64 {
            let bits = self.to_bits();
            bits ^ if bits >> 63 == 1 { u64::MAX } else { 0x8000_0000_0000_0000 }
        }
    }
}
