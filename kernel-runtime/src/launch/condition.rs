//! The conditions that a kernel states, `#[kernel(requires(…))]`, as its launcher evaluates them.
//!
//! A sum, difference or product that does not fit its type is none, and a condition with it does not hold: the kernel was compiled
//! with the knowledge that they fit.

use crate::device::limits::Limits;
use crate::error::{LaunchError, LaunchProblem};
use crate::launch::dispatch::{Dispatch, LaunchSize};
use crate::launch::{Launch, LaunchArgument};
use kernel_core::{KernelDescriptor, f16};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What came of the conditions of a launch.
#[derive(Clone, Debug)]
pub struct Conditions(State);

#[derive(Clone)]
enum State {
    /// Nobody has evaluated them.
    Unknown,
    Met,
    Unmet(Box<Unmet>),
    /// They are about the size of the launch too.
    OfSize(Arc<OfSize>),
}

type OfSize = dyn Fn(SizesOfLaunch) -> Conditions + Send + Sync;

/// What conditions know of the size of a launch, in each dimension.
#[derive(Clone, Copy, Debug)]
pub struct SizesOfLaunch {
    /// The number of work-items.
    pub work_items: [usize; 3],
    /// The number of work-groups.
    pub groups: [usize; 3],
    /// The number of work-items of a work-group.
    pub group: [usize; 3],
}

impl SizesOfLaunch {
    /// Those of a launch that a device can take; without work-items it has no groups.
    fn of(descriptor: &KernelDescriptor, limits: &Limits, size: LaunchSize) -> Result<Self, LaunchProblem> {
        let dispatch = Dispatch::new(descriptor, limits, size)?;
        let dispatch = dispatch.unwrap_or(Dispatch { groups: [0; 3], group_size: [1; 3], rest: None });
        let [groups, group] =
            [dispatch.all_groups(), dispatch.group_size].map(|sizes| sizes.map(|size| size as usize));
        Ok(Self { work_items: size.work_items(), groups, group })
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("Unknown"),
            Self::Met => f.write_str("Met"),
            Self::Unmet(unmet) => unmet.fmt(f),
            Self::OfSize(_) => f.write_str("OfSize(..)"),
        }
    }
}

/// The first condition that a launch does not meet.
#[derive(Clone, Debug)]
struct Unmet {
    index: usize,
    overflows: bool,
    values: Vec<(&'static str, String)>,
}

impl Conditions {
    /// All hold.
    pub const MET: Self = Self(State::Met);
    pub(crate) const UNKNOWN: Self = Self(State::Unknown);

    /// The condition with this index does not hold for these values, or arithmetic in it overflows.
    #[must_use]
    pub fn unmet(index: usize, overflows: bool, values: Vec<(&'static str, String)>) -> Self {
        Self(State::Unmet(Box::new(Unmet { index, overflows, values })))
    }

    /// Whether they hold depends on the size of the launch, from which a function tells it.
    pub fn of_size(evaluate: impl Fn(SizesOfLaunch) -> Self + Send + Sync + 'static) -> Self {
        Self(State::OfSize(Arc::new(evaluate)))
    }

    /// A launch for which this is so.
    ///
    /// # Safety
    ///
    /// That of [`Launch::new`]; and this is what comes of the conditions of the descriptor for these arguments, and for the constants that the launch
    /// sets.
    pub unsafe fn launch<const N: usize>(
        self,
        descriptor: &'static KernelDescriptor,
        arguments: [LaunchArgument; N],
    ) -> Launch<N> {
        Launch::under(self, descriptor, arguments)
    }

    /// Whether all conditions of a kernel hold in launches of whatever size.
    pub(crate) fn is_known_to_hold(&self, descriptor: &KernelDescriptor) -> bool {
        match self.0 {
            State::Unknown => descriptor.conditions.is_empty(),
            State::Met => true,
            State::Unmet(_) | State::OfSize(_) => false,
        }
    }

    /// Checks that all conditions of a kernel hold in a launch of a size.
    pub(crate) fn check(
        &self,
        descriptor: &'static KernelDescriptor,
        limits: &Limits,
        size: LaunchSize,
    ) -> Result<(), LaunchError> {
        let error = |problem| Err(LaunchError { kernel: descriptor.name, problem });
        match &self.0 {
            State::Unknown if descriptor.conditions.is_empty() => Ok(()),
            State::Unknown => error(LaunchProblem::ConditionsUnknown),
            State::Met => Ok(()),
            State::OfSize(evaluate) => match SizesOfLaunch::of(descriptor, limits, size) {
                Ok(sizes) => evaluate(sizes).check(descriptor, limits, size),
                Err(problem) => error(problem),
            },
            State::Unmet(unmet) => {
                let Unmet { index, overflows, values } = &**unmet;
                let condition = descriptor.conditions.get(*index).copied();
                error(LaunchProblem::Unmet { condition, overflows: *overflows, values: values.clone() })
            }
        }
    }
}

/// The length of an argument, or the sizes of an image in the order of its coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    sizes: [usize; 3],
    coordinates: usize,
}

impl Sizes {
    /// The length of an argument.
    pub fn of_elements(len: usize) -> Self {
        Self { sizes: [len, 1, 1], coordinates: 1 }
    }

    /// The sizes of an image that has so many coordinates.
    pub fn of_image(sizes: [usize; 3], coordinates: usize) -> Self {
        Self { sizes, coordinates }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.sizes[0]
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of texels in a row.
    pub fn width(&self) -> usize {
        self.sizes[0]
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.sizes[1]
    }

    /// The number of slices.
    pub fn depth(&self) -> usize {
        self.sizes[2]
    }

    /// The number of images in the array.
    pub fn layers(&self) -> usize {
        self.sizes[self.coordinates - 1]
    }
}

/// A number in a condition.
pub trait Operand: Sized {
    /// The sum, if it fits.
    fn add(self, other: Self) -> Option<Self>;
    /// The difference, if it fits.
    fn sub(self, other: Self) -> Option<Self>;
    /// The product, if it fits.
    fn mul(self, other: Self) -> Option<Self>;
    /// The quotient, if there is one.
    fn div(self, other: Self) -> Option<Self>;
    /// The remainder, if there is one.
    fn rem(self, other: Self) -> Option<Self>;
    /// The opposite, if it fits.
    fn neg(self) -> Option<Self>;
}

/// An integer in a condition.
pub trait Bits: Sized {
    /// Shifted to the left by less than its width.
    fn shl(self, count: u32) -> Option<Self>;
    /// Shifted to the right by less than its width.
    fn shr(self, count: u32) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Operand for $ty {
            fn add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            fn sub(self, other: Self) -> Option<Self> {
                self.checked_sub(other)
            }
            fn mul(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
            fn div(self, other: Self) -> Option<Self> {
                self.checked_div(other)
            }
            fn rem(self, other: Self) -> Option<Self> {
                self.checked_rem(other)
            }
            fn neg(self) -> Option<Self> {
                self.checked_neg()
            }
        }

        impl Bits for $ty {
            fn shl(self, count: u32) -> Option<Self> {
                self.checked_shl(count)
            }
            fn shr(self, count: u32) -> Option<Self> {
                self.checked_shr(count)
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Operand for $ty {
            fn add(self, other: Self) -> Option<Self> {
                Some(self + other)
            }
            fn sub(self, other: Self) -> Option<Self> {
                Some(self - other)
            }
            fn mul(self, other: Self) -> Option<Self> {
                Some(self * other)
            }
            fn div(self, other: Self) -> Option<Self> {
                Some(self / other)
            }
            fn rem(self, other: Self) -> Option<Self> {
                Some(self % other)
            }
            fn neg(self) -> Option<Self> {
                Some(-self)
            }
        }
    )*};
}

floats!(f16 f32 f64);

/// Whether a condition holds. That it is a `bool` is for the kernel compiler to say.
pub fn holds<T: Any>(condition: T) -> bool {
    (&condition as &dyn Any).downcast_ref().copied().unwrap_or(false)
}

/// `left + right`.
pub fn add<T: Operand>(left: T, right: T) -> Option<T> {
    left.add(right)
}

/// `left - right`.
pub fn sub<T: Operand>(left: T, right: T) -> Option<T> {
    left.sub(right)
}

/// `left * right`.
pub fn mul<T: Operand>(left: T, right: T) -> Option<T> {
    left.mul(right)
}

/// `left / right`.
pub fn div<T: Operand>(left: T, right: T) -> Option<T> {
    left.div(right)
}

/// `left % right`.
pub fn rem<T: Operand>(left: T, right: T) -> Option<T> {
    left.rem(right)
}

/// `-operand`.
pub fn neg<T: Operand>(operand: T) -> Option<T> {
    operand.neg()
}

/// `left << count`.
pub fn shl<T: Bits, C: TryInto<u32>>(left: T, count: C) -> Option<T> {
    left.shl(count.try_into().ok()?)
}

/// `left >> count`.
pub fn shr<T: Bits, C: TryInto<u32>>(left: T, count: C) -> Option<T> {
    left.shr(count.try_into().ok()?)
}
