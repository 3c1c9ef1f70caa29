//! `{:?}` and `{:#?}` of what is made of numbers, which the host formats as the derived `Debug` does, and literal text among the arguments.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<T> {
    x: T,
    y: T,
}

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit;

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair(u8, Point<f32>);

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    Nothing,
    Moved { from: Point<f32>, r#in: (i16, bool) },
    Hit(Pair, Option<u64>),
    Named(Unit),
}

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(i64)]
pub enum Level {
    Low = -1,
    High = 0x1_0000_0000,
    Zero = 0,
}

#[device]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Body {
    mass: f64,
    at: [f32; 3],
    alive: bool,
}

#[device]
fn event(which: u32, x: f32) -> Event {
    let point = Point { x, y: -x };
    match which {
        0 => Event::Nothing,
        1 => Event::Moved { from: point, r#in: (-3, x > 1.0) },
        2 => Event::Hit(Pair(200, point), Some(u64::MAX - which as u64)),
        3 => Event::Hit(Pair(0, point), None),
        _ => Event::Named(Unit),
    }
}

/// Enums, chosen when the kernel runs.
#[kernel]
pub fn print_events(x: &[f32]) {
    let i = global_id(0);
    let happened = event(i as u32, x[i]);
    println!("{happened:?}");
    eprintln!("{:#?} of {i}", &happened);
}

fn events() -> Vec<Case> {
    let case = |x: &[f32]| {
        let events = || x.iter().enumerate().map(|(i, x)| (i, event(i as u32, *x)));
        let lines = events().map(|(_, event)| format!("{event:?}\n"));
        let pretty = events().map(|(i, event)| format!("{event:#?} of {i}\n"));
        Case::of(&PRINT_EVENTS).input(x).prints(lines.chain(pretty).collect::<Vec<_>>()).items([x.len()])
    };
    vec![case(&[0.5]), case(&[0.5, 1.5, 2.5]), case(&[0.5, 0.25, 2.5, -3.5, 0.0])]
}

/// Tuples, arrays, the standard library's own types, and what is known when the kernel is compiled.
#[kernel]
pub fn print_made_of_numbers(n: i32, bodies: &[Body]) {
    let pairs = [(n, n > 0), (n + 1, false)];
    let points = [[Point { x: n, y: 2 }; 2]; 2];
    println!("{:?} {points:?} {:?} {:?}", pairs, (), (n,));
    println!("{:?} {:?} {:?}", Some(n).filter(|n| *n > 5), None::<f32>, Some(Some(1_u8)));
    println!("{:?} {:?}", n.checked_sub(3).ok_or(Unit), if n < 5 { Ok(n) } else { Err((n, 2.5_f32)) });
    println!("{:?} {:?} {:?}", n.cmp(&5), u8::try_from(n), [Level::Low, Level::High, Level::Zero]);
    println!("{:?}, {:.1?}, {:?}", bodies[0], bodies[1].at, f32x2::splat(0.5));
    println!("{:6.2?}|{:x?}|{:>4?}|{:02X?}", Point { x: 0.125, y: 1.0 }, [n, -1], (), Some(10_u8));
    println!("{} {:?} {name:>9}|{n}", "text", "\"quoted\" {n}", name = "padded");
}

fn made_of_numbers() -> Vec<Case> {
    let bodies = [
        Body { mass: 1e300, at: [1.0, -2.0, f32::NAN], alive: true },
        Body { mass: -0.0, at: [0.25, 1e9, 3.0], alive: false },
    ];
    let case = |n: i32| {
        let points = [[Point { x: n, y: 2 }; 2]; 2];
        let texts = [
            format!("{:?} {points:?} {:?} {:?}\n", [(n, n > 0), (n + 1, false)], (), (n,)),
            format!("{:?} {:?} {:?}\n", Some(n).filter(|n| *n > 5), None::<f32>, Some(Some(1_u8))),
            format!(
                "{:?} {:?}\n",
                n.checked_sub(3).ok_or(Unit),
                if n < 5 { Ok(n) } else { Err((n, 2.5_f32)) }
            ),
            format!("{:?} {:?} {:?}\n", n.cmp(&5), u8::try_from(n), [Level::Low, Level::High, Level::Zero]),
            format!("{:?}, {:.1?}, {:?}\n", bodies[0], bodies[1].at, [0.5, 0.5]),
            format!("{:6.2?}|{:x?}|{:>4?}|{:02X?}\n", Point { x: 0.125, y: 1.0 }, [n, -1], (), Some(10_u8)),
            format!("text {:?}    padded|{n}\n", "\"quoted\" {n}"),
        ];
        Case::of(&PRINT_MADE_OF_NUMBERS).scalar(n).input(&bodies).prints(texts)
    };
    vec![case(3), case(7), case(i32::MIN)]
}

/// The same in messages of panics.
#[kernel(requires(global_size(0) == 1))]
pub fn say_values(which: u32, x: f32, y: &mut [u32]) {
    let happened = event(which, x);
    match which {
        0 => assert!(happened != Event::Nothing, "{}: {happened:?}", "nothing"),
        1 => assert_eq!(happened, event(3, x)),
        2 => assert_eq!([(which, x); 2], [(0, 0.0); 2], "at {which}"),
        3 => Err(happened).unwrap(),
        4 => Err((happened, 1_usize)).expect("an event"),
        _ => y[0] = u8::try_from(which + 300).unwrap() as u32,
    }
    y[0] = which;
}

fn said() -> Vec<Case> {
    let equal = "assertion `left == right` failed";
    let happened = |which| event(which, 0.5);
    let message = |which: u32| match which {
        0 => "nothing: Nothing".to_owned(),
        1 => format!("{equal}\n  left: {:?}\n right: {:?}", happened(1), happened(3)),
        2 => format!("{equal}: at 2\n  left: {:?}\n right: {:?}", [(2, 0.5); 2], [(0, 0.0); 2]),
        3 => format!("{:?}", happened(3)),
        4 => format!("an event: {:?}", (happened(4), 1)),
        _ => format!("{:?}", u8::try_from(300).unwrap_err()),
    };
    let kind = |which| if matches!(which, 3 | 5) { FaultKind::UnwrapErr } else { FaultKind::Panic };
    let case = |which: u32| {
        let fault = ExpectedFault::new(kind(which)).message(message(which));
        Case::of(&SAY_VALUES).scalar(which).scalar(0.5_f32).update(&[77_u32], &[77_u32]).faults(fault)
    };
    (0..6).map(case).collect()
}

pub fn cases() -> Vec<Case> {
    [events(), made_of_numbers(), said()].into_iter().flatten().collect()
}
