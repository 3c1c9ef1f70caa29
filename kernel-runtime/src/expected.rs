//! What rustc says about a name in a kernel that leads to an item without `#[device]`: its message where that item does not implement one of the
//! traits here, which nothing does.

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
