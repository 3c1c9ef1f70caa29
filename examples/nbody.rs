//! Bodies that attract each other: structs in slices, and a struct by value that says how the simulation goes.
//!
//! `cargo run --release --example nbody -- [BODIES] [--no-check]`; prints the energy before and after, which should hardly change.

use kernel_runtime::prelude::*;
use std::time::Instant;

/// A point or a direction.
#[device(impl)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Vec3 {
    fn plus(self, other: Self, factor: f32) -> Self {
        Self { x: self.x + factor * other.x, y: self.y + factor * other.y, z: self.z + factor * other.z }
    }

    fn squared(self) -> f32 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
}

/// A body; host and device agree on its layout, because it is that of C.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    position: Vec3,
    mass: f32,
    velocity: Vec3,
    /// Whether it stays where it is.
    fixed: bool,
}

/// How the simulation goes, the same for all bodies.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    time_step: f32,
    gravity: f32,
    /// Added to squared distances, so that bodies can pass through each other.
    softening: f32,
}

/// The body after one step of time.
#[device]
pub fn advanced(settings: Settings, bodies: &[Body], body: &Body) -> Body {
    let mut acceleration = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    for other in bodies {
        let distance = other.position.plus(body.position, -1.0);
        let squared = distance.squared() + settings.softening;
        let strength = settings.gravity * other.mass / (squared * squared.sqrt());
        acceleration = acceleration.plus(distance, strength);
    }
    if body.fixed {
        return *body;
    }
    let velocity = body.velocity.plus(acceleration, settings.time_step);
    Body { position: body.position.plus(velocity, settings.time_step), velocity, ..*body }
}

/// One step of time for all bodies, from one slice to the other.
#[kernel]
pub fn step(settings: Settings, bodies: &[Body], next: &mut [Body]) {
    let i = global_id(0);
    if i < next.len() {
        next[i] = advanced(settings, bodies, &bodies[i]);
    }
}

const STEPS: usize = 10;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1000);
    let device = Device::best()?;
    println!("device: {}", device.name());

    let settings = settings(count);
    let start = bodies(count);
    let queue = device.queue()?;
    let mut now = queue.upload(&start)?;
    let mut next = queue.zeros::<Body>(count)?;
    step(settings, &now, &mut next).launch(&queue, count)?;
    let once = queue.download(&next)?;

    let rate = |steps: usize, seconds: f64| (count * count * steps) as f64 / seconds / 1e6;
    let check = !arguments.iter().any(|argument| argument == "--no-check");
    if check {
        let clock = Instant::now();
        let expected: Vec<Body> = start.iter().map(|body| advanced(settings, &start, body)).collect();
        let seconds = clock.elapsed().as_secs_f64();
        println!("a plain loop on the host: {:.2} million interactions per second", rate(1, seconds));
        let wrong = once.iter().zip(&expected).filter(|(once, expected)| once != expected).count();
        println!("check: {wrong} of {count} bodies differ from the host's");
        assert_eq!(wrong, 0, "the device computed something else than the host");
    } else {
        println!("check: left out");
    }

    let clock = Instant::now();
    for _ in 0..STEPS {
        step(settings, &now, &mut next).launch(&queue, count)?;
        std::mem::swap(&mut now, &mut next);
    }
    let end = queue.download(&now)?;
    let seconds = clock.elapsed().as_secs_f64();
    println!("energy: {:.6} before, {:.6} after", energy(settings, &start), energy(settings, &end));
    println!("speed: {:.2} million interactions per second", rate(STEPS, seconds));
    Ok(())
}

/// A simulation in which bodies go around once in some hundred steps.
pub fn settings(count: usize) -> Settings {
    Settings { time_step: 0.01, gravity: 1.0 / count as f32, softening: 0.01 }
}

/// A cloud of bodies, the first of them heavy and fixed.
pub fn bodies(count: usize) -> Vec<Body> {
    let body = |i: usize| {
        let angle = i as f32 * 2.4;
        let radius = (i as f32 / count as f32).sqrt() + 0.1;
        let (sin, cos) = (angle.sin(), angle.cos());
        let speed = 0.7 / radius.sqrt();
        Body {
            position: Vec3 { x: radius * cos, y: radius * sin, z: 0.1 * (angle * 3.0).sin() },
            mass: if i == 0 { count as f32 / 2.0 } else { 1.0 },
            velocity: Vec3 { x: -speed * sin, y: speed * cos, z: 0.0 },
            fixed: i == 0,
        }
    };
    (0..count).map(body).collect()
}

/// Kinetic and potential energy, which gravity does not change.
fn energy(settings: Settings, bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for (i, body) in bodies.iter().enumerate() {
        sum += 0.5 * f64::from(body.mass * body.velocity.squared());
        for other in &bodies[i + 1..] {
            let squared = other.position.plus(body.position, -1.0).squared() + settings.softening;
            sum -= f64::from(settings.gravity * body.mass * other.mass / squared.sqrt());
        }
    }
    sum
}
