//! `use` in bodies and in device modules: variants, functions, constants and types, under their own names and others.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device(impl)]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Circle(f32),
    Rect {
        width: f32,
        height: f32,
    },
    Empty,
    /// The name of a trait, too.
    Add,
}

#[device]
const SCALE: f32 = 2.0;

#[device]
impl Shape {
    fn turned(self) -> Self {
        match self {
            Self::Rect { width, height } => Self::Rect { width: height, height: width },
            other => other,
        }
    }
}

mod tools {
    use kernel_runtime::prelude::*;

    #[device]
    pub fn doubled(x: f32) -> f32 {
        x * 2.0
    }

    #[device(impl)]
    #[derive(Clone, Copy)]
    pub struct Pair(pub f32, pub f32);

    #[device]
    impl Pair {
        pub fn sum(self) -> f32 {
            self.0 + self.1
        }
    }
}

#[device]
mod lights {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Light {
        Red,
        Green,
        Blinking(u32),
    }

    use Light::*;

    pub fn next(light: Light) -> Light {
        match light {
            Red => Green,
            Green => Blinking(3),
            Blinking(0) => Red,
            Blinking(n) => Blinking(n - 1),
        }
    }

    pub fn code(light: Light) -> u32 {
        use Light::{Blinking as Flashing, Red as Stop};
        match light {
            Stop => 1,
            Flashing(n) if n < 9 => 10 + n,
            _ => after(light),
        }
    }

    /// A variable has the name that a type has here.
    fn after(l: Light) -> u32 {
        use Light as l;
        match l {
            l::Red => 0,
            l::Green => 2,
            l::Blinking(n) => n,
        }
    }
}

/// Everything of an enum, and constants of both kinds beside it.
#[device]
fn area(shape: Shape) -> f32 {
    use Shape::*;
    use std::f32::consts::PI;
    const LEAST: f32 = 0.5;
    match shape {
        Circle(r) if r > LEAST => PI * r * r,
        Rect { width, height } => width * height * SCALE,
        Circle(_) | Empty => LEAST,
        Add => 1.0,
    }
}

#[device]
fn described(n: i32) -> f32 {
    use std::cmp::Ordering::{self, *};
    use std::mem::{replace, swap};
    use tools::{Pair as Two, doubled};
    let order: Ordering = n.cmp(&2);
    let (mut a, mut b) = (1.0, n as f32);
    if matches!(order, Less | Equal) {
        swap(&mut a, &mut b);
    }
    let before = replace(&mut a, 7.0);
    let two = Two(a, before);
    assert!(two.sum() > 0.0 || order != Greater);
    doubled(two.sum())
        + match order {
            Less => 1.0,
            Equal => 2.0,
            Greater => b,
        }
}

#[kernel]
pub fn imported(x: &[i32], y: &mut [[f32; 3]]) {
    let i = global_id(0);
    let shape = {
        use Shape::{Circle, Empty, Rect};
        match x[i] % 3 {
            0 => Circle(x[i] as f32),
            1 => Rect { width: x[i] as f32, height: 3.0 },
            _ => Empty,
        }
    };
    let mut light = lights::Light::Red;
    for _ in 0..x[i] {
        light = lights::next(light);
    }
    y[i] = [area(shape.turned()), described(x[i]), lights::code(light) as f32];
}

fn expected(x: i32) -> [f32; 3] {
    let shape = match x % 3 {
        0 => Shape::Circle(x as f32),
        1 => Shape::Rect { width: x as f32, height: 3.0 },
        _ => Shape::Empty,
    };
    let light = (0..x).fold(lights::Light::Red, |light, _| lights::next(light));
    [area(shape.turned()), described(x), lights::code(light) as f32]
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (0..12).collect();
    vec![Case::of(&IMPORTED).input(&x).output(&map(&x, expected)).items([x.len()])]
}
