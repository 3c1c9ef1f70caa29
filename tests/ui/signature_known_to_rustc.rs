use kernel_runtime::prelude::*;

#[kernel]
fn too_long(x: &[[f32; 99999999999999999999999999999999999999999]]) {}

#[kernel]
fn no_such_variable(x: &[f32; { 3 + y }]) {}

#[kernel]
fn no_such_constant(x: &[f32; N]) {}

fn main() {}
