use kernel_runtime::prelude::*;

#[device(import)]
unsafe fn without_a_name() {}

#[device(import = gamma)]
unsafe fn name_of_a_path() {}

#[device(import = "a", import = "b")]
unsafe fn two_names() {}

#[device(import("a"))]
unsafe fn in_parentheses() {}

#[device(import = "a")]
struct NoFunction;

fn main() {}
