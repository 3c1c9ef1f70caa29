use kernel_runtime::prelude::*;

#[derive(Clone, Copy)]
#[device(impl)]
pub struct Point {
    x: f32,
}

#[device]
impl Point {
    fn get(&self) -> i32 {
        self.x
    }

    fn missing(&self) -> f32 {
        self.y
    }

    fn set(mut self, k: &mut f32) -> Self {
        self.x = 1i32;
        *k = 1u32;
        Self { x: true }
    }
}

#[device]
const NUMBER: f32 = 1u32;

#[device]
static TABLE: [f32; 2] = [1.0, 2u32];

fn main() {}
