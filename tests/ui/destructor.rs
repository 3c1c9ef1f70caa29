use kernel_runtime::prelude::*;

#[device]
pub struct Own {
    x: f32,
}

impl Drop for Own {
    fn drop(&mut self) {}
}

#[device]
pub struct OfField {
    own: Own,
}

#[device]
pub struct Generic<T> {
    x: T,
}

impl<T> Drop for Generic<T> {
    fn drop(&mut self) {}
}

#[device]
pub enum None {
    A(f32),
    B,
}

fn main() {}
