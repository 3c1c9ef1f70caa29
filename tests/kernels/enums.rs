//! Enums: without and with fields, matched, cast, compared, in arrays and structs; `Option`, `Result` and `?`.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    North,
    East,
    South,
    West,
}

/// Numbers of the user's choice.
#[device]
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Opcode {
    Nop = 7,
    Push,
    Pop = 200,
}

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Empty,
    Circle(f32),
    Rect { width: f32, height: f32 },
    Cells([i32; 3], Direction),
}

#[device]
#[derive(Clone, Copy)]
enum Either<L, R> {
    Left(L),
    Right(R),
}

#[device]
fn turned(direction: Direction) -> Direction {
    use_all(direction);
    match direction {
        Direction::North => Direction::East,
        Direction::East => Direction::South,
        Direction::South => Direction::West,
        Direction::West => Direction::North,
    }
}

#[device]
fn use_all(direction: Direction) -> i32 {
    direction as i32 * 10
}

#[device]
fn opcode(x: i32) -> Opcode {
    match x & 3 {
        0 => Opcode::Nop,
        1 | 2 => Opcode::Push,
        _ => Opcode::Pop,
    }
}

#[device]
fn shape(x: i32) -> Shape {
    match x & 3 {
        0 => Shape::Empty,
        1 => Shape::Circle(x as f32),
        2 => Shape::Rect { width: x as f32, height: 0.5 },
        _ => Shape::Cells([x, 2, 3], if x > 0 { Direction::West } else { Direction::North }),
    }
}

#[device]
fn area(shape: &Shape) -> f32 {
    match shape {
        Shape::Empty => 0.0,
        Shape::Circle(r) if *r > 100.0 => -1.0,
        Shape::Circle(r) => r * r * 3.0,
        Shape::Rect { width: w, height } => w * height,
        Shape::Cells(_, Direction::West) => 5.0,
        Shape::Cells(cells, _) => (cells[0] as f32) + 0.25,
    }
}

#[device]
fn half(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

/// `?` leaves the function in two places.
#[device]
fn quarter(x: i32) -> Option<i32> {
    let h = half(x)?;
    let q = half(h)?;
    Some(q - 1)
}

#[device]
fn divided(a: i32, b: i32) -> Result<i32, Opcode> {
    if b == 0 {
        return Err(Opcode::Pop);
    }
    Ok(a / b)
}

/// The error passes through; the success changes its type.
#[device]
fn ratio(a: i32, b: i32) -> Result<(f32, bool), Opcode> {
    let q = divided(a, b)?;
    let r = divided(b, q)?;
    Ok((q as f32 + r as f32, r > 0))
}

#[device]
fn either(x: i32) -> Either<i32, (bool, f32)> {
    if x < 5 { Either::Left(x * 2) } else { Either::Right((x > 50, x as f32)) }
}

#[device]
fn enums(x: i32) -> (i32, f32) {
    let mut direction = Direction::North;
    let mut count = 0;
    while direction != Direction::West && count < (x & 7) {
        direction = turned(direction);
        count += 1;
    }
    let mut sum = direction as i32 + (opcode(x) as u8 as i8) as i32 + use_all(direction);
    if let Some(q) = quarter(x) {
        sum = sum.wrapping_add(q);
    }
    let mut shapes = [Shape::Empty; 3];
    shapes[0] = shape(x);
    shapes[(x & 1) as usize] = shape(x.wrapping_add(1));
    let mut total = area(&shapes[0]) + area(&shapes[1]) * 2.0 + area(&shapes[2]);
    if shapes[0] == shape(x) {
        total += 0.125;
    }
    match ratio(x, x & 3) {
        Ok((value, true)) => total += value,
        Ok((value, _)) => total -= value,
        Err(Opcode::Nop) => total = -7.0,
        Err(other) => sum = sum.wrapping_add(other as i32),
    }
    match either(x) {
        Either::Left(a) => sum = sum.wrapping_sub(a),
        Either::Right((flag, value)) => {
            total += value;
            if flag {
                sum = sum.wrapping_add(1);
            }
        }
    }
    let mut maybe = None;
    if x > 3 {
        maybe = Some((x, 2.5_f32));
    }
    if let Some((a, b)) = maybe {
        sum = sum.wrapping_add(a);
        total += b;
    }
    (sum, total)
}

#[kernel]
pub fn enums_kernel(x: &[i32], y: &mut [i32], z: &mut [f32]) {
    let i = global_id(0);
    let (sum, total) = enums(x[i]);
    y[i] = sum;
    z[i] = total;
}

/// Vectors in the fields of some variants only.
#[device]
#[derive(Clone, Copy, PartialEq)]
enum Motion {
    Rests,
    Falls(f32x3),
    Turns { about: f32x4, by: [i16x2; 2], is_slow: Option<bool> },
}

#[device]
fn after(motion: Motion, step: u32) -> Motion {
    match motion {
        Motion::Rests => Motion::Falls(f32x3::splat(step as f32)),
        Motion::Falls(speed) if step % 3 == 1 => Motion::Falls(speed + speed),
        Motion::Falls(speed) => Motion::Turns {
            about: f32x4::new(speed[0], 1.0, -speed[2], 0.5),
            by: [i16x2::splat(step as i16), i16x2::new(3, -7)],
            is_slow: Some(speed[1] < 4.0),
        },
        Motion::Turns { about, is_slow: Some(_), by } => Motion::Turns { about: -about, by, is_slow: None },
        Motion::Turns { .. } => Motion::Rests,
    }
}

#[device]
fn motions(steps: u32) -> f32 {
    let mut motion = Motion::Rests;
    for step in 0..steps {
        motion = after(motion, step);
    }
    match motion {
        Motion::Rests => -1.0,
        Motion::Falls(speed) => speed.reduce_sum(),
        Motion::Turns { about, by: [first, second], is_slow } => {
            about.reduce_sum()
                + (first * second).reduce_sum() as f32
                + if is_slow == Some(true) { 0.25 } else { 0.0 }
        }
    }
}

#[kernel]
pub fn enums_of_vectors(steps: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = motions(steps[i]);
}

pub fn cases() -> Vec<Case> {
    let steps: Vec<u32> = (0..17).collect();
    let x = [0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 100, 101, 102, 103, -100, 1000];
    vec![
        Case::of(&ENUMS_KERNEL)
            .input(&x)
            .output(&map(&x, |x| enums(x).0))
            .output(&map(&x, |x| enums(x).1))
            .items([x.len(), 1, 1]),
        Case::of(&ENUMS_OF_VECTORS).input(&steps).output(&map(&steps, motions)).items([steps.len(), 1, 1]),
    ]
}
