//! What the work-items of a group do together, over a whole work-group and over subgroups of 16.

use super::group::{exchange, number};

/// The size of subgroups, which kernels ask for that look at it.
const SUBGROUP: usize = 16;

/// A number that groups add up and multiply.
pub trait Combined: Copy + Send + Ord + 'static {
    /// 0, 1, the greatest and the least number.
    #[doc(hidden)]
    const EDGES: [Self; 4];

    #[doc(hidden)]
    fn sum(self, other: Self) -> Self;

    #[doc(hidden)]
    fn product(self, other: Self) -> Self;
}

/// Something of bits.
pub trait Bits: Copy + Send + 'static {
    /// All bits, and none.
    #[doc(hidden)]
    const EDGES: [Self; 2];

    #[doc(hidden)]
    fn and(self, other: Self) -> Self;

    #[doc(hidden)]
    fn or(self, other: Self) -> Self;

    #[doc(hidden)]
    fn xor(self, other: Self) -> Self;
}

macro_rules! bits {
    ($($ty:ident $all:expr, $none:expr;)*) => {$(
        impl Bits for $ty {
            const EDGES: [Self; 2] = [$all, $none];

            fn and(self, other: Self) -> Self {
                self & other
            }

            fn or(self, other: Self) -> Self {
                self | other
            }

            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident)*) => {
        $(impl Combined for $ty {
            const EDGES: [Self; 4] = [0, 1, Self::MAX, Self::MIN];

            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        })*
        bits! { $($ty !0, 0;)* }
    };
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
bits! { bool true, false; }

/// The functions of one kind of group, of which the macro's first argument says where it begins and how many it has, by the
/// number of this work-item and how many there are.
macro_rules! functions {
    ($first_and_size:expr; $($bound:ident $edge:literal $combine:path: $reduce:ident $inclusive:ident $exclusive:ident;)*) => {
        /// What each work-item of this group has for this, and which of them this one is.
        fn fellows<T: Copy + Send + 'static>(x: T) -> (Vec<T>, usize) {
            let (all, number) = (exchange(x), number());
            let (first, size) = $first_and_size(number, all.len());
            (all[first..first + size].to_vec(), number - first)
        }

        /// Whether it holds for all.
        #[must_use]
        pub fn all(condition: bool) -> bool {
            fellows(condition).0.into_iter().all(|condition| condition)
        }

        /// Whether it holds for any.
        #[must_use]
        pub fn any(condition: bool) -> bool {
            fellows(condition).0.into_iter().any(|condition| condition)
        }

        /// The value of one of them.
        #[track_caller]
        #[must_use]
        pub fn broadcast<T: Copy + Send + 'static>(x: T, id: usize) -> T {
            fellows(x).0[id]
        }

        $(
            /// A value for all.
            #[must_use]
            pub fn $reduce<T: $bound>(x: T) -> T {
                fellows(x).0.into_iter().fold(T::EDGES[$edge], $combine)
            }

            /// A value for those up to this one.
            #[must_use]
            pub fn $inclusive<T: $bound>(x: T) -> T {
                let (all, own) = fellows(x);
                all[..=own].iter().copied().fold(T::EDGES[$edge], $combine)
            }

            /// A value for those before this one.
            #[must_use]
            pub fn $exclusive<T: $bound>(x: T) -> T {
                let (all, own) = fellows(x);
                all[..own].iter().copied().fold(T::EDGES[$edge], $combine)
            }
        )*
    };
    ($first_and_size:expr) => {
        functions! {
            $first_and_size;
            Combined 0 T::sum: reduce_add scan_inclusive_add scan_exclusive_add;
            Combined 1 T::product: reduce_mul scan_inclusive_mul scan_exclusive_mul;
            Combined 2 T::min: reduce_min scan_inclusive_min scan_exclusive_min;
            Combined 3 T::max: reduce_max scan_inclusive_max scan_exclusive_max;
            Bits 0 T::and: reduce_and scan_inclusive_and scan_exclusive_and;
            Bits 1 T::or: reduce_or scan_inclusive_or scan_exclusive_or;
            Bits 1 T::xor: reduce_xor scan_inclusive_xor scan_exclusive_xor;
        }
    };
}

/// What a work-group does together.
pub mod work_group {
    use super::{Bits, Combined, exchange, number};

    functions! { |_, size| (0, size) }
}

/// What a subgroup does together.
pub mod subgroup {
    use super::super::local_size;
    use super::{Bits, Combined, SUBGROUP, exchange, number};

    /// The first work-item of the subgroup of one, and how many there are in it.
    fn place(number: usize, size: usize) -> (usize, usize) {
        let first = number / SUBGROUP * SUBGROUP;
        (first, (size - first).min(SUBGROUP))
    }

    functions! { place }

    /// The number of this subgroup in its work-group.
    #[must_use]
    pub fn id() -> usize {
        number() / SUBGROUP
    }

    /// How many subgroups the work-group has.
    #[must_use]
    pub fn count() -> usize {
        local_size(0).div_ceil(SUBGROUP)
    }

    /// The number of this work-item in its subgroup.
    #[must_use]
    pub fn local_id() -> usize {
        number() % SUBGROUP
    }

    /// How many work-items this subgroup has.
    #[must_use]
    pub fn size() -> usize {
        place(number(), local_size(0)).1
    }

    /// How many work-items a whole subgroup has.
    #[must_use]
    pub fn max_size() -> usize {
        SUBGROUP
    }

    /// The value of some work-item, or this one's where that is not there.
    fn of<T: Copy + Send + 'static>(x: T, id: impl FnOnce(usize) -> Option<usize>) -> T {
        let (all, own) = fellows(x);
        id(own).and_then(|id| all.get(id).copied()).unwrap_or(x)
    }

    /// The value of the work-item with an id.
    #[must_use]
    pub fn shuffle<T: Copy + Send + 'static>(x: T, id: usize) -> T {
        of(x, |_| Some(id))
    }

    /// The value of the one so many before this.
    #[must_use]
    pub fn shuffle_up<T: Copy + Send + 'static>(x: T, distance: usize) -> T {
        of(x, |own| own.checked_sub(distance))
    }

    /// The value of the one so many after this.
    #[must_use]
    pub fn shuffle_down<T: Copy + Send + 'static>(x: T, distance: usize) -> T {
        of(x, |own| own.checked_add(distance))
    }

    /// The value of the one whose id differs in these bits.
    #[must_use]
    pub fn shuffle_xor<T: Copy + Send + 'static>(x: T, mask: usize) -> T {
        of(x, |own| Some(own ^ mask))
    }

    /// Those for which it holds, a bit for each.
    #[must_use]
    pub fn ballot(condition: bool) -> u64 {
        let held = fellows(condition).0.into_iter().enumerate();
        held.map(|(id, condition)| u64::from(condition) << id).sum()
    }
}
