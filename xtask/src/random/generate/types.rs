//! Which types the values of a program have.

use super::Generator;
use crate::random::tree::{Enum, Type};
use kernel_core::Scalar;

/// The most scalars that a value has.
const MAX_SIZE: usize = 12;

/// The scalar types that are Rust's own.
pub(super) const SCALARS: [Scalar; 13] = [
    Scalar::Bool,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::Isize,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::Usize,
    Scalar::F32,
    Scalar::F64,
];

/// The integer types.
pub(super) const INTEGERS: [Scalar; 10] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::Isize,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::Usize,
];

impl Generator {
    /// Chooses the types that most values are to have.
    pub(super) fn choose_palette(&mut self) {
        for _ in 0..self.random.within(2, 4) {
            let scalar = self.any_scalar();
            self.palette.push(Type::Scalar(scalar));
        }
        for _ in 0..self.random.within(1, 3) {
            let ty = self.any_type(2);
            self.palette.push(ty);
        }
        match self.random.below(8) {
            0 | 1 => {
                let (scalar, lanes) = (self.scalar(), self.random.pick(&super::vector::LANES));
                self.palette.extend([Type::Vector(scalar, lanes), Type::Vector(Scalar::Bool, lanes)]);
            }
            2 => self.palette.push(Type::Half),
            _ => {}
        }
        for _ in 0..self.random.pick(&[0, 1, 1, 2]) {
            let ty = self.defined_type();
            self.palette.push(ty);
        }
    }

    /// A type, most likely one of the palette.
    pub(super) fn ty(&mut self) -> Type {
        if self.random.chance(80) {
            return self.random.pick(&self.palette);
        }
        self.any_type(2)
    }

    /// A scalar, most likely one of the palette.
    pub(super) fn scalar(&mut self) -> Scalar {
        let known: Vec<Scalar> = self.palette.iter().filter_map(Type::scalar).collect();
        if self.random.chance(80) && !known.is_empty() {
            return self.random.pick(&known);
        }
        self.any_scalar()
    }

    /// An integer type, most likely one of the palette.
    pub(super) fn integer(&mut self) -> Scalar {
        let scalar = self.scalar();
        if scalar.is_integer() { scalar } else { self.random.pick(&INTEGERS) }
    }

    fn any_scalar(&mut self) -> Scalar {
        self.random.pick(&SCALARS)
    }

    /// A struct or an enum.
    fn defined_type(&mut self) -> Type {
        match self.random.below(8) {
            0..3 => self.new_struct(),
            3..6 => self.new_enum(),
            6 => Enum::option(self.part_type(1)),
            _ => Enum::result(self.part_type(1), self.part_type(1)),
        }
    }

    /// Any type, nested so deep at most.
    fn any_type(&mut self, depth: u32) -> Type {
        let ty = match self.random.below(if depth == 0 { 5 } else { 10 }) {
            0..5 => Type::Scalar(self.any_scalar()),
            5..8 => {
                let len = self.random.within(1, 4);
                Type::Tuple((0..len).map(|_| self.part_type(depth)).collect())
            }
            _ => {
                let len = self.random.within(1, 5);
                Type::Array(Box::new(self.part_type(depth)), len)
            }
        };
        if ty.size() <= MAX_SIZE { ty } else { Type::Scalar(self.any_scalar()) }
    }

    /// The type of a part, which is a scalar of the palette more often than not.
    pub(super) fn part_type(&mut self, depth: u32) -> Type {
        if self.random.chance(60) || depth == 0 {
            return Type::Scalar(self.scalar());
        }
        if self.random.chance(30) {
            let known = self.some_type(|ty| matches!(ty, Type::Struct(_) | Type::Enum(_)) && ty.size() <= 4);
            return known.unwrap_or_else(|| Type::Scalar(self.scalar()));
        }
        if self.random.chance(10) {
            let known = self.some_type(|ty| matches!(ty, Type::Half | Type::Vector(_, 2..=4)));
            return known.unwrap_or_else(|| Type::Scalar(self.scalar()));
        }
        self.any_type(depth - 1)
    }
}
