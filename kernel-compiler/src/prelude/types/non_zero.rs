// `std::num::NonZero` and its names for each integer.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
struct NonZero<T>(T);

impl<T> NonZero<T> {
    const BITS: u32 = T::BITS;

    const MIN: NonZero<T> = NonZero(if T::MIN < 0 { T::MIN } else { 1 });

    const MAX: NonZero<T> = NonZero(T::MAX);

    fn new(value: T) -> Option<NonZero<T>> {
        if value != 0 { Some(NonZero(value)) } else { None }
    }

    unsafe fn new_unchecked(value: T) -> NonZero<T> {
        NonZero(value)
    }

    fn get(self) -> T {
        self.0
    }

    fn count_ones(self) -> NonZero<u32> {
        NonZero(self.0.count_ones())
    }

    fn ilog10(self) -> u32 {
        self.0.ilog10()
    }

    fn isqrt(self) -> NonZero<T> {
        NonZero(self.0.isqrt())
    }

    fn leading_zeros(self) -> u32 {
        self.0.leading_zeros()
    }

    fn trailing_zeros(self) -> u32 {
        self.0.trailing_zeros()
    }

    fn is_power_of_two(self) -> bool {
        self.0.is_power_of_two()
    }

    fn ilog2(self) -> u32 {
        self.0.ilog2()
    }

    fn checked_add(self, other: T) -> Option<NonZero<T>> {
        self.0.checked_add(other).map(|sum| NonZero(sum))
    }

    fn checked_mul(self, other: NonZero<T>) -> Option<NonZero<T>> {
        self.0.checked_mul(other.0).map(|product| NonZero(product))
    }

    fn saturating_add(self, other: T) -> NonZero<T> {
        NonZero(self.0.saturating_add(other))
    }

    fn saturating_mul(self, other: NonZero<T>) -> NonZero<T> {
        NonZero(self.0.saturating_mul(other.0))
    }
}

formatted!(NonZero: Debug Display LowerHex UpperHex Binary Octal);

type NonZeroU8 = NonZero<u8>;

type NonZeroU16 = NonZero<u16>;

type NonZeroU32 = NonZero<u32>;

type NonZeroU64 = NonZero<u64>;

type NonZeroUsize = NonZero<usize>;

type NonZeroI8 = NonZero<i8>;

type NonZeroI16 = NonZero<i16>;

type NonZeroI32 = NonZero<i32>;

type NonZeroI64 = NonZero<i64>;

type NonZeroIsize = NonZero<isize>;
