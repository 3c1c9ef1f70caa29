use kernel_runtime::prelude::*;

#[device(export)]
fn without_a_name() {}

#[device(export = gamma)]
fn name_of_a_path() {}

#[device(export = "a", export = "b")]
fn two_names() {}

#[device(export("a"))]
fn in_parentheses() {}

#[device(export = "a", import = "b")]
fn both() {}

#[device(export = "a" unsafe(unchecked))]
fn without_a_comma() {}

#[device(export = "a", unchecked)]
fn not_unsafe() {}

#[device(export = "a", group_size = [8], nontemporal(x))]
fn of_kernels(x: *const f32) {
    let _ = x;
}

#[device(export = "a", requires(x > 1))]
fn condition(x: u32) -> u32 {
    x - 1
}

#[device(export = "a", overflow = "perhaps")]
fn no_such_way() {}

#[device(export = "a")]
struct NoFunction;

#[device]
mod group {
    #[device(export = 1)]
    pub fn inner() {}
}

fn main() {}
