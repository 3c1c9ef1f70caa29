//! What items are expected to be.
//!
//! A name in a kernel that leads to an item without `#[device]` is shown with the message of a trait here, which nothing implements.

use core::marker::PhantomData;

/// What a function in a kernel is expected to be.
#[diagnostic::on_unimplemented(
    message = "[K0012] this function is not a device function",
    label = "write `#[device]` on its definition",
    note = "if it is marked `#[device]`, it has errors of its own, or calls itself through others",
    note = "a function of another crate has to be marked there, or needs a `#[device] fn` of your own that does the same"
)]
pub trait DeviceFunction {}

/// What a constant or static in a kernel is expected to be.
#[diagnostic::on_unimplemented(
    message = "[K0012] this constant is not a device constant",
    label = "write `#[device]` on its definition",
    note = "a constant of another crate has to be marked there, or needs a `#[device] const` of your own with its value"
)]
pub trait DeviceConstant {}

/// What a type in a kernel is expected to be.
#[diagnostic::on_unimplemented(
    message = "[K0012] this item is not a device item",
    label = "write `#[device]` on its definition",
    note = "`kernel_runtime::prelude` has the types of numbers, and a variant is named together with its `enum`"
)]
pub trait DeviceType {}

pub use crate::__unknown as unknown;

/// Stands in for the value of an item that has none.
#[expect(non_camel_case_types, reason = "it has the name of the macro, since one import brings both")]
#[derive(Clone, Copy)]
pub struct unknown;

/// What an import takes from a name that leads nowhere, where that name is not used as a type.
#[expect(non_camel_case_types, reason = "it is only seen by other names")]
pub enum some_type {}

/// The same where the name is not used as a value.
pub fn some_value() {}

/// A constant that a kernel takes for one of the standard library, to compare it with that.
pub struct ConstantOfStandard<T>(pub T);

impl ConstantOfStandard<unknown> {
    /// Whether there is none of that name.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        true
    }

    /// Nothing is known of it.
    #[must_use]
    pub const fn is_single(self) -> bool {
        true
    }

    /// Nothing is wrong with it besides.
    #[must_use]
    pub const fn is(self, _single: u32, _double: u64) -> bool {
        true
    }
}

impl ConstantOfStandard<f32> {
    /// Whether there is none of that name.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        false
    }

    /// Whether it is of single precision.
    #[must_use]
    pub const fn is_single(self) -> bool {
        true
    }

    /// Whether it has these bits, in its precision.
    #[must_use]
    pub const fn is(self, single: u32, _double: u64) -> bool {
        self.0.to_bits() == single
    }
}

impl ConstantOfStandard<f64> {
    /// Whether there is none of that name.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        false
    }

    /// Whether it is of single precision.
    #[must_use]
    pub const fn is_single(self) -> bool {
        false
    }

    /// Whether it has these bits, in its precision.
    #[must_use]
    pub const fn is(self, _single: u32, double: u64) -> bool {
        self.0.to_bits() == double
    }
}

/// What a function of a kernel is expected to be, if it is not a device function: this one of the standard library.
#[diagnostic::on_unimplemented(
    message = "[K0012] this function is not a device function",
    label = "write `#[device]` on its definition",
    note = "device code has the function of the standard library of that name: import it, as in `use core::cmp::min;`"
)]
pub trait SameFunction<F> {}

impl<F> SameFunction<F> for F {}

/// Holds that two functions are one.
pub const fn same_function<F: Copy, G: Copy + SameFunction<F>>(_: F, _: G) {}

/// Whether a type has a destructor of its own.
pub struct Destructor<T>(PhantomData<T>);

#[expect(drop_bounds, reason = "a destructor of a field is judged there")]
impl<T: Drop> Destructor<T> {
    /// It has.
    pub const EXISTS: bool = true;
}

/// The same for all other types: rustc prefers the constant that belongs to the type, if there is one.
pub trait NoDestructor {
    /// It has none.
    const EXISTS: bool = false;
}

impl<T> NoDestructor for Destructor<T> {}
