//! What the algorithms need of numbers besides what `Number` has.

pub use counting::FromIndex;

/// Numbers of elements.
#[kernel_runtime::device]
pub mod counting {
    /// A number that counts elements.
    pub trait FromIndex {
        /// The number of an element, as `as` casts it.
        fn from_index(i: usize) -> Self;
    }

    macro_rules! from_index {
        ($($ty:ident)*) => {$(
            impl FromIndex for $ty {
                fn from_index(i: usize) -> Self {
                    i as $ty
                }
            }
        )*};
    }

    from_index! { i32 u32 i64 u64 usize f32 f64 }
}
