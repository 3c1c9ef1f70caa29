use kernel_runtime::prelude::*;

#[device(export = "generic")]
fn generic<T: Number>(x: T) -> T {
    x
}

#[device(export = "takes_any")]
fn takes_any(x: impl Copy) {
    let _ = x;
}

#[device(export = "returns_any")]
fn returns_any() -> impl Fn(f32) -> f32 {
    |x| x
}

#[device(export = "9lives")]
fn digit() {}

#[device(export = "größe")]
fn letters() {}

#[device(export = "")]
fn nothing() {}

#[device(export = "__spirv_GroupAll")]
fn reserved() {}

#[device(export = "abi")]
extern "C" fn abi() {}

#[device]
mod group {
    #[device(export = "inner")]
    pub fn inner<const N: usize>() {}
}

fn main() {
    // Nothing but the function itself is wrong.
    let _ = (&GENERIC, &group::INNER);
}
