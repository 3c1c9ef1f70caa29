//! The forms in which values are at hand.

use super::{Mask, Selector, rows};
use crate::exec::strip_private_bytes;
use crate::native::analyse::agreed::is_of_group;
use crate::native::analyse::shape::Shape;
use crate::native::encode::Row;
use crate::native::ids::Record;
use crate::native::lir::{Anchor, Code, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{BuiltIn, ConvertOp, Inst, IntOp, Kind, LANES, Preset, Value};

/// A vector, of two registers if its lanes have 64 bits and are not known to be the same; else the second is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vector(pub(super) [Var; 2]);

/// How long a preset stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Launch,
    Group,
    Subgroup,
}

impl Scope {
    fn of(preset: Preset) -> Self {
        match preset {
            Preset::BuiltIn(BuiltIn::GroupId(_)) => Self::Group,
            preset if is_of_group(preset) => Self::Launch,
            _ => Self::Subgroup,
        }
    }
}

/// The variables of the values of a strip, as they come to be needed. Those of values that are the same in all strips are the first one's, but for
/// shadows.
pub(super) struct Forms {
    scalars: Vec<Option<Var>>,
    vectors: Vec<Option<Vector>>,
    masks: Vec<Option<Var>>,
    shadow_vectors: Vec<Option<Vector>>,
    shadow_masks: Vec<Option<Var>>,
}

impl Forms {
    pub(super) fn new(count: usize) -> Self {
        Self {
            scalars: vec![None; count],
            vectors: vec![None; count],
            masks: vec![None; count],
            shadow_vectors: vec![None; count],
            shadow_masks: vec![None; count],
        }
    }
}

/// How many registers a vector of a kind has.
pub(super) const fn parts(kind: Kind) -> usize {
    if kind.size() == 8 { 2 } else { 1 }
}

impl Selector<'_> {
    /// Whether a value is in a general register.
    pub(super) fn is_scalar(&self, value: Value) -> bool {
        !self.kind(value).is_float() && matches!(self.shapes.shape(value), Shape::Stride(_))
    }

    /// Whether this block reads the shadow of a value.
    pub(super) fn reads_shadow(&self, value: Value) -> bool {
        self.shapes.left_loop(self.flow, value, self.block).is_some()
    }

    pub(super) fn scalar_var(&mut self, value: Value) -> Var {
        let strip = self.strip_of(value);
        if let Some(var) = self.forms[strip].scalars[value.0 as usize] {
            return var;
        }
        let var = self.general();
        self.forms[strip].scalars[value.0 as usize] = Some(var);
        var
    }

    pub(super) fn new_vector(&mut self, kind: Kind) -> Vector {
        let first = self.vector();
        Vector([first, if parts(kind) == 2 { self.vector() } else { first }])
    }

    pub(super) fn vector_of(&mut self, value: Value) -> Vector {
        let strip = self.strip_of(value);
        if let Some(vector) = self.forms[strip].vectors[value.0 as usize] {
            return vector;
        }
        let vector = self.new_vector_for(value);
        self.forms[strip].vectors[value.0 as usize] = Some(vector);
        vector
    }

    /// A vector for what a value is: of one register if it is the same in all lanes.
    pub(super) fn new_vector_for(&mut self, value: Value) -> Vector {
        match self.shapes.shape(value) {
            Shape::UNIFORM => Vector([self.vector(); 2]),
            _ => self.new_vector(self.kind(value)),
        }
    }

    /// A vector of as many registers.
    pub(super) fn another_vector(&mut self, of: Vector) -> Vector {
        let first = self.vector();
        Vector([first, if of.0[1] == of.0[0] { first } else { self.vector() }])
    }

    /// Whether the vector that this block reads of a value has one register for all lanes, whoever is here.
    pub(super) fn is_one_register(&self, value: Value) -> bool {
        self.shapes.shape(value) == Shape::UNIFORM && !self.reads_shadow(value)
    }

    pub(super) fn mask_of(&mut self, value: Value) -> Var {
        let strip = self.strip_of(value);
        if let Some(var) = self.forms[strip].masks[value.0 as usize] {
            return var;
        }
        let var = self.mask_var();
        self.forms[strip].masks[value.0 as usize] = Some(var);
        var
    }

    /// The general register of a value that has one, or of the first lane of one that is the same in all.
    pub(super) fn s(&mut self, value: Value) -> Var {
        if let Some(bits) = self.shapes.constant(value) {
            if let Some(&var) = self.known.get(&(value, false)) {
                return var;
            }
            let var = self.number(bits);
            self.known.insert((value, false), var);
            return var;
        }
        if let Some(var) = self.own_address(value) {
            return var;
        }
        if self.is_scalar(value) {
            return self.scalar_var(value);
        }
        let kind = self.kind(value);
        if kind == Kind::Bool {
            let mask = self.k(value);
            return self.mask_to_scalar(mask);
        }
        let vector = self.x(value);
        self.first_lane(kind, vector)
    }

    /// The address of a variable in private memory, if a value is one. It is made where it is needed: a kernel may have hundreds, which would be kept everywhere.
    fn own_address(&mut self, value: Value) -> Option<Var> {
        match self.preset[value.0 as usize] {
            Some(preset @ Preset::Private { .. }) => Some(self.preset_scalar(preset, Kind::I64)),
            _ => None,
        }
    }

    /// A number in a general register.
    pub(super) fn number(&mut self, bits: u64) -> Var {
        let var = self.general();
        self.push(Machine::new(Code::Immediate(bits)).def(var));
        var
    }

    /// Whether the first lane of a mask is set.
    pub(super) fn mask_to_scalar(&mut self, mask: Var) -> Var {
        let (all, first) = (self.general(), self.general());
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(all).last(mask));
        self.push(Machine::row(rows::AND32_IMMEDIATE).update_last(first, all).imm(1));
        first
    }

    pub(super) fn first_lane(&mut self, kind: Kind, vector: Vector) -> Var {
        let row = if kind.size() == 8 { rows::MOVQ_TO_GENERAL } else { rows::MOVD_TO_GENERAL };
        let var = self.general();
        self.push(Machine::row(row).register(vector.0[0]).op(var, How::Def, Role::Last));
        var
    }

    /// The vector of a value.
    pub(super) fn x(&mut self, value: Value) -> Vector {
        if let Some(bits) = self.shapes.constant(value) {
            if let Some(&var) = self.known.get(&(value, true)) {
                return Vector([var; 2]);
            }
            let var = self.vector_constant(self.kind(value), bits).0[0];
            self.known.insert((value, true), var);
            return Vector([var; 2]);
        }
        if let Some(var) = self.own_address(value) {
            return self.spread(value, var);
        }
        if self.reads_shadow(value) {
            return self.shadow_vector(value);
        }
        self.vector_of(value)
    }

    /// The mask of a `Bool`.
    pub(super) fn k(&mut self, value: Value) -> Var {
        if let Some(bits) = self.shapes.constant(value) {
            let var = self.mask_var();
            let code = if bits & 1 != 0 { Code::FullMask } else { Code::EmptyMask };
            self.push(Machine::new(code).def(var));
            return var;
        }
        if self.reads_shadow(value) {
            return self.shadow_mask(value);
        }
        self.mask_of(value)
    }

    fn shadow_vector(&mut self, value: Value) -> Vector {
        if let Some(vector) = self.forms[self.strip].shadow_vectors[value.0 as usize] {
            return vector;
        }
        let vector = self.new_vector(self.kind(value));
        self.forms[self.strip].shadow_vectors[value.0 as usize] = Some(vector);
        vector
    }

    fn shadow_mask(&mut self, value: Value) -> Var {
        if let Some(var) = self.forms[self.strip].shadow_masks[value.0 as usize] {
            return var;
        }
        let var = self.mask_var();
        self.forms[self.strip].shadow_masks[value.0 as usize] = Some(var);
        var
    }

    /// A constant in all lanes.
    pub(super) fn vector_constant(&mut self, kind: Kind, bits: u64) -> Vector {
        let (row, place) = match kind.size() {
            8 => (rows::BROADCASTSD, self.constant64(bits)),
            _ => (rows::BROADCASTSS, self.constant32(bits as u32)),
        };
        let var = self.vector();
        self.push(Machine::row(row).def(var).at(place));
        Vector([var; 2])
    }

    pub(super) fn constant32(&mut self, bits: u32) -> Place {
        Place::at(Anchor::Constant(self.constants.place(&bits.to_le_bytes())), 0)
    }

    pub(super) fn constant64(&mut self, bits: u64) -> Place {
        Place::at(Anchor::Constant(self.constants.place(&bits.to_le_bytes())), 0)
    }

    /// A constant of 64 bytes.
    pub(super) fn line(&mut self, bytes: &[u8]) -> Place {
        Place::at(Anchor::Constant(self.constants.place(bytes)), 0)
    }

    /// The numbers of the lanes times a stride, in lanes of 32 bits, or half of them in lanes of 64.
    pub(super) fn lanes_times(&mut self, stride: i64, wide: bool, start: i64) -> Place {
        let mut bytes = Vec::with_capacity(64);
        if wide {
            (0..8).for_each(|lane| bytes.extend((start + lane).wrapping_mul(stride).to_le_bytes()));
        } else {
            (0..16).for_each(|lane| bytes.extend(((start + lane).wrapping_mul(stride) as i32).to_le_bytes()));
        }
        self.line(&bytes)
    }

    /// Adds a part of a value as the last operand of an instruction, from memory if it is a constant.
    pub(super) fn last_part(&mut self, inst: Machine, value: Value, part: usize) -> Machine {
        match self.shapes.constant(value) {
            Some(bits) if self.kind(value).size() == 8 => inst.at(self.constant64(bits).broadcast()),
            Some(bits) => inst.at(self.constant32(bits as u32).broadcast()),
            None => {
                let var = self.x(value).0[part];
                inst.last(var)
            }
        }
    }

    /// The upper half of a mask, for the second register of a vector.
    pub(super) fn half(&mut self, mask: Mask, part: usize) -> Mask {
        let mask = mask?;
        if part == 0 {
            return Some(mask);
        }
        if let Some(&half) = self.halves.get(&mask) {
            return Some(half);
        }
        let half = self.mask_var();
        self.push(Machine::row(rows::KSHIFTR).def(half).last(mask).imm(8));
        self.halves.insert(mask, half);
        Some(half)
    }

    pub(super) fn copy(&mut self, to: Var, from: Var) {
        if to != from {
            self.push(Machine::new(Code::Copy).op(to, How::Def, Role::Hidden).op(
                from,
                How::Use,
                Role::Hidden,
            ));
        }
    }

    /// Copies the registers that a vector has.
    pub(super) fn copy_vector(&mut self, to: Vector, from: Vector) {
        self.copy(to.0[0], from.0[0]);
        if to.0[1] != to.0[0] {
            self.copy(to.0[1], from.0[1]);
        }
    }

    /// Sets a value that is in a general register, and its other forms.
    pub(super) fn define_scalar(&mut self, value: Value, var: Var) {
        let own = self.scalar_var(value);
        self.copy(own, var);
        if !self.shapes.fragile[value.0 as usize] {
            self.widen(value);
        }
        self.keep(value);
    }

    /// Sets the vector of a value, and its general register if it has one.
    pub(super) fn define_vector(&mut self, value: Value, vector: Vector) {
        let own = self.vector_of(value);
        self.copy_vector(own, vector);
        if self.is_scalar(value) && !self.shapes.fragile[value.0 as usize] {
            let first = self.first_lane(self.kind(value), own);
            let scalar = self.scalar_var(value);
            self.copy(scalar, first);
        }
        self.keep(value);
    }

    /// Sets a `Bool`, and its general register if it has one.
    pub(super) fn define_mask(&mut self, value: Value, mask: Var) {
        let own = self.mask_of(value);
        self.copy(own, mask);
        if self.is_scalar(value) {
            let first = self.mask_to_scalar(own);
            let scalar = self.scalar_var(value);
            self.copy(scalar, first);
        }
        self.keep(value);
    }

    /// Makes the vector or mask of a value from its general register.
    pub(super) fn widen(&mut self, value: Value) {
        let scalar = self.scalar_var(value);
        if self.kind(value) == Kind::Bool {
            let mask = self.scalar_to_mask(scalar);
            let own = self.mask_of(value);
            return self.copy(own, mask);
        }
        let vector = self.spread(value, scalar);
        let own = self.vector_of(value);
        self.copy_vector(own, vector);
    }

    pub(super) fn scalar_to_mask(&mut self, scalar: Var) -> Var {
        let (all, mask) = (self.general(), self.mask_var());
        self.push(Machine::row(rows::NEG32).update_last(all, scalar));
        self.push(Machine::row(rows::KMOV_FROM_GENERAL).def(mask).last(all));
        mask
    }

    /// The vector of a value whose first lane is in a general register.
    fn spread(&mut self, value: Value, scalar: Var) -> Vector {
        let kind = self.kind(value);
        let wide = kind.size() == 8;
        let stride = match self.shapes.shape(value) {
            Shape::Stride(stride) => stride,
            _ => 0,
        };
        let all = self.vector();
        let (broadcast, add) =
            if wide { (rows::BROADCASTQ, rows::PADDQ) } else { (rows::BROADCASTD, rows::PADDD) };
        self.push(Machine::row(broadcast).def(all).last(scalar));
        if stride == 0 {
            return Vector([all; 2]);
        }
        let mut result = [all; 2];
        for (part, result) in result.iter_mut().enumerate().take(parts(kind)) {
            let lanes = self.lanes_times(stride, wide, 8 * part as i64);
            *result = self.vector();
            self.push(Machine::row(add).def(*result).second(all).at(lanes));
        }
        Vector(result)
    }

    /// Sets the shadow of a value in the lanes that are here.
    pub(super) fn keep(&mut self, value: Value) {
        if !self.shadowed[value.0 as usize] {
            return;
        }
        if !self.is_shared {
            return self.keep_in_strip(value);
        }
        for strip in 0..self.strips {
            self.enter(strip);
            self.keep_in_strip(value);
        }
        self.enter_shared();
    }

    fn keep_in_strip(&mut self, value: Value) {
        if self.kind(value) == Kind::Bool {
            let (own, shadow) = (self.mask_of(value), self.shadow_mask(value));
            return self.merge_mask(shadow, own, self.mask);
        }
        let (own, shadow) = (self.vector_of(value), self.shadow_vector(value));
        self.merge_vector(self.kind(value), shadow, own, self.mask);
    }

    /// Replaces the lanes of a mask in a vector.
    pub(super) fn merge_vector(&mut self, kind: Kind, to: Vector, from: Vector, mask: Mask) {
        if mask.is_none() {
            return self.copy_vector(to, from);
        }
        let row = if kind.size() == 8 { rows::MOVDQA64 } else { rows::MOVDQA32 };
        for part in 0..parts(kind) {
            let half = self.half(mask, part);
            self.push(Machine::row(row).update(to.0[part], to.0[part]).last(from.0[part]).merge(half));
        }
    }

    /// Replaces the lanes of a mask in a mask.
    pub(super) fn merge_mask(&mut self, to: Var, from: Var, mask: Mask) {
        let Some(mask) = mask else { return self.copy(to, from) };
        let (kept, new) = (self.mask_var(), self.mask_var());
        self.push(Machine::row(rows::KANDN).def(kept).second(mask).last(to));
        self.push(Machine::row(rows::KAND).def(new).second(mask).last(from));
        self.push(Machine::row(rows::KOR).def(to).second(kept).last(new));
    }

    /// The vector of a value, made here if it can be, so that nothing is kept for it.
    pub(super) fn vector_here(&mut self, value: Value) -> Vector {
        if self.reads_shadow(value) || !self.is_scalar(value) || self.shapes.constant(value).is_some() {
            return self.x(value);
        }
        if self.shapes.fragile[value.0 as usize] {
            return self.recompute(value);
        }
        let scalar = self.s(value);
        self.spread(value, scalar)
    }

    /// The vector of a value whose general register may be wrong for lanes that follow.
    pub(super) fn recompute(&mut self, value: Value) -> Vector {
        match self.defined[value.0 as usize] {
            Some(Inst::Convert(op, from, to, _, x)) => {
                let x = self.vector_here(x);
                self.resize(op == ConvertOp::Sext, from, to, x)
            }
            Some(Inst::Address { base, index, scale, offset, .. }) => {
                let (base, index) = (self.vector_here(base), self.vector_here(index));
                self.vector_address(base, index, scale, offset)
            }
            Some(Inst::Int(
                op @ (IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl),
                Kind::I64,
                _,
                [a, b],
            )) => {
                let (a, b) = (self.vector_here(a), self.vector_here(b));
                let row = match op {
                    IntOp::Add => rows::PADDQ,
                    IntOp::Sub => rows::PSUBQ,
                    IntOp::Mul => rows::PMULLQ,
                    _ => rows::PSLLVQ,
                };
                self.two(row, Kind::I64, a, b)
            }
            // Nothing else is fragile.
            _ => self.vector_of(value),
        }
    }

    /// An instruction on the parts of two vectors.
    pub(super) fn two(&mut self, row: Row, kind: Kind, a: Vector, b: Vector) -> Vector {
        let result = self.new_vector(kind);
        for part in 0..parts(kind) {
            self.push(Machine::row(row).def(result.0[part]).second(a.0[part]).last(b.0[part]));
        }
        result
    }

    /// An instruction on the parts of two values.
    pub(super) fn two_values(&mut self, row: Row, kind: Kind, a: Value, b: Value) -> Vector {
        let (a, result) = (self.x(a), self.new_vector(kind));
        for part in 0..parts(kind) {
            let inst = Machine::row(row).def(result.0[part]).second(a.0[part]);
            let inst = self.last_part(inst, b, part);
            self.push(inst);
        }
        result
    }

    /// An instruction on the parts of a vector, and perhaps a number.
    pub(super) fn one(&mut self, row: Row, kind: Kind, x: Vector, immediate: i32) -> Vector {
        let result = self.new_vector(kind);
        for part in 0..parts(kind) {
            self.push(Machine::row(row).def(result.0[part]).last(x.0[part]).imm(immediate));
        }
        result
    }

    /// A shift of the parts of a vector by a number.
    pub(super) fn shift(&mut self, row: Row, kind: Kind, x: Vector, count: i32) -> Vector {
        let result = self.new_vector(kind);
        for part in 0..parts(kind) {
            let inst = Machine::row(row).op(result.0[part], How::Def, Role::Second);
            self.push(inst.last(x.0[part]).imm(count));
        }
        result
    }

    /// An instruction on a vector and a constant.
    pub(super) fn with_constant(&mut self, row: Row, kind: Kind, x: Vector, bits: u64) -> Vector {
        let result = self.new_vector(kind);
        let place = if kind.size() == 8 { self.constant64(bits) } else { self.constant32(bits as u32) };
        for part in 0..parts(kind) {
            self.push(Machine::row(row).def(result.0[part]).second(x.0[part]).at(place.broadcast()));
        }
        result
    }

    /// The mask of the lanes that exist.
    pub(super) fn present(&mut self) -> Var {
        let (record, bits, mask) = (self.record(), self.general(), self.mask_var());
        let place = self.in_record(std::mem::offset_of!(Record, mask) as i32);
        self.push(Machine::row(rows::MOV32).def(bits).at(place).base(record));
        self.push(Machine::row(rows::KMOV_FROM_GENERAL).def(mask).last(bits));
        mask
    }

    /// The record of the subgroup.
    fn record(&mut self) -> Var {
        match self.walk.record {
            Some(record) => record,
            None => self.field(context!(record)),
        }
    }

    /// A place in the record of the strip; the base is that of the first one.
    fn in_record(&self, offset: i32) -> Place {
        Place::at(Anchor::Var, offset + (self.strip * size_of::<Record>()) as i32)
    }

    /// Sets the values that are there from the start and stay the same so long.
    pub(super) fn presets(&mut self, scope: Scope) {
        if scope == Scope::Subgroup {
            self.walk.local_ids = Default::default();
        }
        if scope == Scope::Group {
            self.walk.first_ids = std::array::from_fn(|d| Some(self.field(context!(first + 8 * d as i32))));
        }
        let program = self.program;
        for &(value, preset) in &program.presets {
            if Scope::of(preset) != scope || matches!(preset, Preset::Constant(_) | Preset::Private { .. }) {
                continue;
            }
            self.in_strips_of(value, |this| this.preset(value, preset));
        }
    }

    fn preset(&mut self, value: Value, preset: Preset) {
        let kind = self.kind(value);
        if !self.is_scalar(value) {
            let vector = match preset {
                Preset::BuiltIn(BuiltIn::LocalId(d)) => self.varying_id(d),
                Preset::BuiltIn(BuiltIn::GlobalId(d)) => {
                    let (local, first) = (self.varying_id(d), self.first_id(d));
                    self.add_to_all(local, first)
                }
                Preset::BuiltIn(BuiltIn::GlobalLinearId) => self.global_linear_id(),
                // A float, or a `Bool` in its byte.
                _ => {
                    let scalar = self.preset_scalar(preset, kind);
                    self.spread(value, scalar)
                }
            };
            return self.define_vector(value, vector);
        }
        let wide = self.preset_scalar(preset, kind);
        let scalar = self.narrow_scalar(kind, wide);
        self.define_scalar(value, scalar);
    }

    /// The general register of a preset: its first lane.
    fn preset_scalar(&mut self, preset: Preset, kind: Kind) -> Var {
        match preset {
            Preset::Constant(bits) => self.number(bits),
            Preset::Argument(offset) => {
                let (block, var) = (self.general(), self.general());
                self.push(Machine::row(rows::MOV64).def(block).at(context!(arguments)));
                let row = match kind.size() {
                    1 => rows::MOVZX8,
                    2 => rows::MOVZX16,
                    4 => rows::MOV32,
                    _ => rows::MOV64,
                };
                let place = Place::at(Anchor::Var, offset as i32);
                self.push(Machine::row(row).def(var).at(place).base(block));
                var
            }
            Preset::Local(offset) => {
                let start = self.field(context!(local));
                self.plus(start, offset.into())
            }
            Preset::LocalArgument(index) => {
                let (start, offsets, offset) =
                    (self.field(context!(local)), self.field(context!(local_offsets)), self.general());
                let place = Place::at(Anchor::Var, 4 * index as i32);
                self.push(Machine::row(rows::MOV32).def(offset).at(place).base(offsets));
                self.sum(start, offset)
            }
            Preset::Private { start: offset, .. } => {
                let start = self.field(context!(private));
                let own = self.strip as u64 * strip_private_bytes(self.program);
                self.plus(start, own as i64 + i64::from(offset))
            }
            Preset::ModuleData(offset) => {
                let start = self.field(context!(data));
                self.plus(start, offset.into())
            }
            Preset::BuiltIn(built_in) => self.built_in(built_in),
        }
    }

    fn built_in(&mut self, built_in: BuiltIn) -> Var {
        let at = |d: u8| 8 * i32::from(d % 3);
        match built_in {
            BuiltIn::GlobalId(d) => {
                let first = self.first_id(d);
                if self.fixed_id(d) == Some(0) {
                    return first;
                }
                let local = self.local_id(d);
                self.sum(first, local)
            }
            BuiltIn::LocalId(d) => self.local_id(d),
            BuiltIn::GlobalSize(d) => self.field(context!(global_size + at(d))),
            BuiltIn::GlobalOffset(d) => self.field(context!(global_offset + at(d))),
            BuiltIn::GroupId(d) => self.field(context!(group + at(d))),
            BuiltIn::GroupCount(d) => self.field(context!(group_count + at(d))),
            BuiltIn::LocalSize(d) => self.number(self.ids.group_size[usize::from(d) % 3].into()),
            BuiltIn::LocalLinearId => {
                let (index, first) = (self.of_record(INDEX, rows::MOV64), self.general());
                let shift = self.ids.subgroup_size.trailing_zeros() as i32;
                self.push(Machine::row(rows::SHL64).update_last(first, index).imm(shift));
                self.plus(first, (self.strip * LANES) as i64)
            }
            BuiltIn::SubgroupLane => self.number((self.strip * LANES) as u64),
            BuiltIn::WorkDim => self.number(3),
            BuiltIn::SubgroupSize => {
                self.of_record(std::mem::offset_of!(Record, present) as i32, rows::MOV32)
            }
            BuiltIn::SubgroupMaxSize => self.number(self.ids.subgroup_size.into()),
            BuiltIn::SubgroupCount => self.number((self.ids.records.len() / self.strips) as u64),
            BuiltIn::SubgroupId => self.subgroup_id(),
            // A vector; see `presets`.
            BuiltIn::GlobalLinearId => self.number(0),
        }
    }

    /// The global id of the work-items whose local id is 0.
    fn first_id(&mut self, dimension: u8) -> Var {
        let dimension = dimension % 3;
        match self.walk.first_ids[usize::from(dimension)] {
            Some(id) => id,
            None => self.field(context!(first + 8 * i32::from(dimension))),
        }
    }

    /// The local id of the strip's first lane, if it is the same in all subgroups. It serves for loads of local memory that are the same for all of them; elsewhere it
    /// would only take a register.
    fn fixed_id(&self, dimension: u8) -> Option<u64> {
        let serves = self.switches.has(Switch::FirstLanes) && self.program.local_bytes > 0;
        self.ids.fixed(dimension, self.strip).filter(|_| serves)
    }

    /// The local id of the strip's first lane.
    fn local_id(&mut self, dimension: u8) -> Var {
        let (strip, dimension) = (self.strip, dimension % 3);
        if let Some(id) = self.fixed_id(dimension) {
            return self.number(id);
        }
        if let Some(id) = self.walk.local_ids[strip][usize::from(dimension)] {
            return id;
        }
        let id = self.of_record(first_offset(dimension), rows::MOV64);
        self.walk.local_ids[strip][usize::from(dimension)] = Some(id);
        id
    }

    /// The number of the subgroup that runs.
    pub(super) fn subgroup_id(&mut self) -> Var {
        self.of_record(INDEX, rows::MOV64)
    }

    fn of_record(&mut self, offset: i32, row: Row) -> Var {
        let (record, var) = (self.record(), self.general());
        self.push(Machine::row(row).def(var).at(self.in_record(offset)).base(record));
        var
    }

    pub(super) fn field(&mut self, place: Place) -> Var {
        let var = self.general();
        self.push(Machine::row(rows::MOV64).def(var).at(place));
        var
    }

    /// The local ids of all lanes, of 64 bits.
    fn varying_id(&mut self, dimension: u8) -> Vector {
        let record = self.record();
        let result = self.new_vector(Kind::I64);
        for part in 0..2 {
            let place = self.in_record(64 * i32::from(dimension % 3) + 32 * part);
            let to = result.0[part as usize];
            self.push(Machine::row(rows::PMOVZXDQ).def(to).at(place).base(record));
        }
        result
    }

    fn add_to_all(&mut self, vector: Vector, scalar: Var) -> Vector {
        let all = self.vector();
        self.push(Machine::row(rows::BROADCASTQ).def(all).last(scalar));
        self.two(rows::PADDQ, Kind::I64, vector, Vector([all; 2]))
    }

    fn global_linear_id(&mut self) -> Vector {
        let mut result: Option<Vector> = None;
        for d in [2, 1, 0] {
            let (local, first) = (self.varying_id(d), self.first_id(d));
            let id = self.add_to_all(local, first);
            result = Some(match result {
                None => id,
                Some(outer) => {
                    let size = self.field(context!(global_size + 8 * i32::from(d)));
                    let all = self.vector();
                    self.push(Machine::row(rows::BROADCASTQ).def(all).last(size));
                    let scaled = self.two(rows::PMULLQ, Kind::I64, outer, Vector([all; 2]));
                    self.two(rows::PADDQ, Kind::I64, scaled, id)
                }
            });
        }
        result.unwrap_or_else(|| self.varying_id(0))
    }
}

const INDEX: i32 = std::mem::offset_of!(Record, index) as i32;

fn first_offset(dimension: u8) -> i32 {
    std::mem::offset_of!(Record, first) as i32 + 8 * i32::from(dimension % 3)
}
