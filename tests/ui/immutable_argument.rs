use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Settings {
    limits: [f32; 2],
}

#[kernel]
fn by_value(table: [f32; 4], settings: Settings, y: &mut [f32]) {
    table[0] = 1.0;
    settings.limits[1] = 2.0;
    y[global_id(0)] = table[0] + settings.limits[1];
}

#[kernel]
fn by_reference(factor: &f32, settings: &Settings, y: &mut [f32]) {
    *factor = 2.0;
    settings.limits[0] += 3.0;
    y[global_id(0)] = *factor;
}

fn main() {}
