//! What items are expected to be.
//!
//! A name in a kernel that leads to an item without `#[device]` is shown with the message of a trait here, which nothing implements.

use core::marker::PhantomData;

/// What a function in a kernel is expected to be.
#[diagnostic::on_unimplemented(
    message = "[K0012] this function is not a device function",
    label = "write `#[device]` on its definition",
    note = "if it is marked `#[device]`, it has errors of its own, or calls itself through others"
)]
pub trait DeviceFunction {}

/// What a constant or static in a kernel is expected to be.
#[diagnostic::on_unimplemented(
    message = "[K0012] this constant is not a device constant",
    label = "write `#[device]` on its definition",
    note = "constants of the standard library are known by their whole path, as in `core::f32::consts::PI`"
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
pub struct unknown;

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
