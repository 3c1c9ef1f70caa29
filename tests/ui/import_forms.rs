use kernel_runtime::prelude::*;

#[device(import = "not_unsafe")]
fn not_unsafe(x: f32) -> f32 {
    x
}

#[device(import = "generic")]
unsafe fn generic<T>(x: T) -> T {
    x
}

#[device(import = "takes_any")]
unsafe fn takes_any(x: impl Copy) {
    let _ = x;
}

#[device(import = "returns_any")]
unsafe fn returns_any() -> impl Fn(f32) -> f32 {
    |x| x
}

#[device(import = "9lives")]
unsafe fn digit() {}

#[device(import = "größe")]
unsafe fn letters() {}

#[device(import = "")]
unsafe fn nothing() {}

#[device(import = "__spirv_GroupAll")]
unsafe fn reserved() {}

#[device(import = "abi")]
unsafe extern "C" fn abi() {}

#[device]
mod group {
    #[device(import = "inner")]
    pub fn inner() {}
}

fn main() {}
