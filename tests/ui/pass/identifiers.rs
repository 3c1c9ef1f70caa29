//! Names that a careless compiler would mix up.

use kernel_runtime::prelude::*;

#[device]
fn sq(x: f32) -> f32 {
    x * x
}

#[device]
fn r#match(r#type: f32) -> f32 {
    r#type + 1.0
}

#[device]
fn größe(x: f32) -> f32 {
    x - 1.0
}

#[kernel]
fn shadows(x: &[f32], sq_of: &mut [f32]) {
    let i = global_id(0);
    let sq = sq(x[i]);
    let x = sq;
    for i in 0..i {
        let x = x + i as f32;
        let i = x;
        sq_of[global_id(0)] += i;
    }
    sq_of[i] = x + self::sq(2.0);
}

#[kernel]
fn r#loop(r#in: &[f32], r#mut: &mut [f32]) {
    let r#fn = r#match(r#in[0]);
    r#mut[global_id(0)] = größe(r#fn);
}

#[kernel]
fn line(column: f32, file: &mut [f32]) {
    file[global_id(0)] = column;
}

fn main() {
    assert_eq!([SHADOWS.name, LOOP.name, LINE.name], ["shadows", "loop", "line"]);
    assert_eq!(LOOP.arguments[0].name, "in");
    assert_eq!(r#match(1.0) + größe(1.0) + sq(2.0), 6.0);
}
