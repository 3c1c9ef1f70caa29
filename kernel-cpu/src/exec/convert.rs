//! The table of conversions.

use super::half;
use super::int::Int;
use super::isa::Handler;
use super::map::Select;
use crate::program::{ConvertOp, Kind};

/// The handler of a conversion; none if the kinds do not suit the operator.
pub(super) fn convert(select: Select, op: ConvertOp, from: Kind, to: Kind) -> Option<Handler> {
    match op {
        ConvertOp::Zext | ConvertOp::Sext => integer_to(select, op, from, to),
        ConvertOp::UToF | ConvertOp::SToF => integer_to_float(select, op, from, to),
        ConvertOp::FToU | ConvertOp::FToS => float_to_integer(select, op, from, to),
        ConvertOp::FToF => match (from, to) {
            (Kind::F32, Kind::F64) => Some(select.map1(|a: f32| f64::from(a))),
            (Kind::F64, Kind::F32) => Some(select.map1(|a: f64| a as f32)),
            (Kind::F16, Kind::F32) => Some(select.map1(half::to_f32)),
            (Kind::F32, Kind::F16) => Some(select.slow1(|a: f32| half::from_f64(a.into()))),
            (Kind::F64, Kind::F16) => Some(select.slow1(half::from_f64)),
            _ => None,
        },
    }
}

fn integer_to(select: Select, op: ConvertOp, from: Kind, to: Kind) -> Option<Handler> {
    match to.size() {
        1 => integer_to_width::<u8>(select, op, from),
        2 => integer_to_width::<u16>(select, op, from),
        4 => integer_to_width::<u32>(select, op, from),
        _ => integer_to_width::<u64>(select, op, from),
    }
}

fn integer_to_width<T: Int>(select: Select, op: ConvertOp, from: Kind) -> Option<Handler> {
    Some(match from.size() {
        1 => resize::<u8, T>(select, op),
        2 => resize::<u16, T>(select, op),
        4 => resize::<u32, T>(select, op),
        _ => resize::<u64, T>(select, op),
    })
}

fn resize<A: Int, T: Int>(select: Select, op: ConvertOp) -> Handler {
    if op == ConvertOp::Sext {
        select.map1(|a: A| T::wrap(a.sext() as u64))
    } else {
        select.map1(|a: A| T::wrap(a.zext()))
    }
}

fn integer_to_float(s: Select, op: ConvertOp, from: Kind, to: Kind) -> Option<Handler> {
    let signed = op == ConvertOp::SToF;
    Some(match (from, to, signed) {
        (Kind::I8, Kind::F32, false) => s.map1(|a: u8| a as f32),
        (Kind::I16, Kind::F32, false) => s.map1(|a: u16| a as f32),
        (Kind::I32, Kind::F32, false) => s.map1(|a: u32| a as f32),
        (Kind::I64, Kind::F32, false) => s.map1(|a: u64| a as f32),
        (Kind::I8, Kind::F64, false) => s.map1(|a: u8| a as f64),
        (Kind::I16, Kind::F64, false) => s.map1(|a: u16| a as f64),
        (Kind::I32, Kind::F64, false) => s.map1(|a: u32| a as f64),
        (Kind::I64, Kind::F64, false) => s.map1(|a: u64| a as f64),
        (Kind::I8, Kind::F32, true) => s.map1(|a: u8| a as i8 as f32),
        (Kind::I16, Kind::F32, true) => s.map1(|a: u16| a as i16 as f32),
        (Kind::I32, Kind::F32, true) => s.map1(|a: u32| a as i32 as f32),
        (Kind::I64, Kind::F32, true) => s.map1(|a: u64| a as i64 as f32),
        (Kind::I8, Kind::F64, true) => s.map1(|a: u8| a as i8 as f64),
        (Kind::I16, Kind::F64, true) => s.map1(|a: u16| a as i16 as f64),
        (Kind::I32, Kind::F64, true) => s.map1(|a: u32| a as i32 as f64),
        (Kind::I64, Kind::F64, true) => s.map1(|a: u64| a as i64 as f64),
        _ => return None,
    })
}

/// `as` saturates and takes NaN to zero, which is what is wanted.
fn float_to_integer(s: Select, op: ConvertOp, from: Kind, to: Kind) -> Option<Handler> {
    let signed = op == ConvertOp::FToS;
    Some(match (from, to, signed) {
        (Kind::F32, Kind::I8, false) => s.map1(|a: f32| a as u8),
        (Kind::F32, Kind::I16, false) => s.map1(|a: f32| a as u16),
        (Kind::F32, Kind::I32, false) => s.map1(|a: f32| a as u32),
        (Kind::F32, Kind::I64, false) => s.map1(|a: f32| a as u64),
        (Kind::F64, Kind::I8, false) => s.map1(|a: f64| a as u8),
        (Kind::F64, Kind::I16, false) => s.map1(|a: f64| a as u16),
        (Kind::F64, Kind::I32, false) => s.map1(|a: f64| a as u32),
        (Kind::F64, Kind::I64, false) => s.map1(|a: f64| a as u64),
        (Kind::F32, Kind::I8, true) => s.map1(|a: f32| a as i8 as u8),
        (Kind::F32, Kind::I16, true) => s.map1(|a: f32| a as i16 as u16),
        (Kind::F32, Kind::I32, true) => s.map1(|a: f32| a as i32 as u32),
        (Kind::F32, Kind::I64, true) => s.map1(|a: f32| a as i64 as u64),
        (Kind::F64, Kind::I8, true) => s.map1(|a: f64| a as i8 as u8),
        (Kind::F64, Kind::I16, true) => s.map1(|a: f64| a as i16 as u16),
        (Kind::F64, Kind::I32, true) => s.map1(|a: f64| a as i32 as u32),
        (Kind::F64, Kind::I64, true) => s.map1(|a: f64| a as i64 as u64),
        _ => return None,
    })
}
