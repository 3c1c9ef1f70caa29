//! Instructions on images.
//!
//! Coordinates and texels wait in variables of their own. What an image is, and where its texels are, is known when a kernel is launched, in a [`Surface`]
//! for each image and sampler: of common layouts texels are accessed here, sixteen neighbours in a row as a whole, others one by one. All else, and whatever
//! is outside of the image, is the interpreter's.

use super::values::Vector;
use super::{Selector, UsedImage, rows};
use crate::native::context::{Layout, Surface};
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, Block, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::program::{IMAGE_PARTS, ImageAction, ImageOp, Inst, Kind, LANES, TEXEL, TexelKind, Value};
use std::mem::offset_of;

/// The variables of the numbers that image instructions work on, and the values that the coordinates are.
#[derive(Default)]
pub(super) struct Parts {
    vars: [Option<Var>; IMAGE_PARTS],
    values: [Option<Value>; IMAGE_PARTS],
}

/// The surface that an instruction is about: the address of the first one, and how far it is from there.
#[derive(Clone, Copy)]
struct At {
    surfaces: Var,
    offset: usize,
}

impl At {
    /// An instruction with a field as its last operand.
    fn field(self, inst: Machine, field: usize) -> Machine {
        inst.at(Place::at(Anchor::Var, (self.offset + field) as i32)).base(self.surfaces)
    }

    /// The same with the field for all lanes.
    fn broadcast(self, inst: Machine, field: usize) -> Machine {
        inst.at(Place::at(Anchor::Var, (self.offset + field) as i32).broadcast()).base(self.surfaces)
    }
}

/// Where the texels of the lanes are: each behind the one before, from an index in a general register on, or each at its own index.
#[derive(Clone, Copy)]
enum Texels {
    Row(Var),
    Each(Var),
}

/// The ways of an instruction.
#[derive(Clone, Copy)]
struct Ways {
    /// Where the interpreter executes it.
    cold: Block,
    after: Block,
}

/// The place of an axis in a field.
const fn of_axis(field: usize, axis: usize) -> usize {
    field + 4 * axis
}

impl Selector<'_> {
    fn image_part(&mut self, part: usize) -> Var {
        if let Some(var) = self.parts.vars[part] {
            return var;
        }
        let var = self.vector();
        self.parts.vars[part] = Some(var);
        var
    }

    fn channel(&mut self, channel: usize) -> Var {
        self.image_part(usize::from(TEXEL) + channel)
    }

    pub(super) fn image_operand(&mut self, part: u8, value: Value) -> Option<()> {
        let (vector, own) = (self.vector_here(value), self.image_part(part.into()));
        self.copy(own, vector.0[0]);
        self.parts.values[usize::from(part)] = Some(value);
        Some(())
    }

    pub(super) fn image_result(&mut self, part: u8, result: Value) -> Option<()> {
        let var = self.image_part(part.into());
        self.define_vector(result, Vector([var; 2]));
        Some(())
    }

    /// Selects an image instruction, which the interpreter executes unless it may be `native`.
    pub(super) fn image(&mut self, inst: &Inst, native: bool) -> Option<()> {
        let Inst::Image { op, image, sampler, .. } = *inst else { return None };
        let used = native.then(|| self.used_image(op, [image, sampler])).flatten();
        let Some(number) = used else {
            self.interpreted.push(*inst);
            self.call_image(inst, op);
            return Some(());
        };
        let at = At { surfaces: self.field(context!(surfaces)), offset: number * size_of::<Surface>() };
        let (cold, after) = (self.function.block(true), self.block_like_this());
        let ways = Ways { cold, after };
        match op.action {
            ImageAction::Size | ImageAction::Channels => self.ask_image(op, at, ways),
            _ => self.access_image(op, at, ways),
        }
        self.jump(after);
        self.go(cold);
        self.call_image(inst, op);
        self.jump(after);
        self.go(after);
        Some(())
    }

    /// A block that is as seldom executed as this one.
    fn block_like_this(&mut self) -> Block {
        let cold = self.function.blocks[self.at.0 as usize].cold;
        self.function.block(cold)
    }

    /// The number of the surface for an operation on an image and a sampler that are known.
    fn used_image(&mut self, op: ImageOp, [image, sampler]: [Value; 2]) -> Option<usize> {
        let is_here = self.switches.has(Switch::Images) && self.switches.has(Switch::Arithmetic);
        if !is_here || matches!(op.action, ImageAction::ReadBytes(_) | ImageAction::WriteBytes(_)) {
            return None;
        }
        let used = UsedImage { op, numbers: [self.shapes.constant(image)?, self.shapes.constant(sampler)?] };
        let known = self.images.iter().position(|other| *other == used);
        Some(known.unwrap_or_else(|| {
            self.images.push(used);
            self.images.len() - 1
        }))
    }

    /// Has the interpreter execute an image instruction.
    fn call_image(&mut self, inst: &Inst, op: ImageOp) {
        let [.., start] = self.code.places(self.block, self.place).operands;
        let places: [Place; IMAGE_PARTS] = std::array::from_fn(|part| self.slot(start + 64 * part as u32));
        let channels = |count: usize| (0..count).map(|channel| usize::from(TEXEL) + channel);
        let (given, left) = match op.action {
            ImageAction::Write => (4, 0),
            ImageAction::WriteBytes(_) => (1, 0),
            ImageAction::ReadBytes(_) => (0, 1),
            ImageAction::Channels => (0, 2),
            ImageAction::Size => (0, 3),
            ImageAction::Read | ImageAction::Sample { .. } => (0, 4),
        };
        for part in (0..op.shape.coordinates()).chain(channels(given)) {
            let var = self.image_part(part);
            self.push(Machine::row(rows::MOVDQU32_STORE).register(var).at(places[part]).effect());
        }
        self.call_without_result(inst);
        for part in channels(left) {
            let var = self.image_part(part);
            self.push(Machine::row(rows::MOVDQU32).def(var).at(places[part]));
        }
    }

    /// The sizes of an image, or its channels.
    fn ask_image(&mut self, op: ImageOp, at: At, ways: Ways) {
        let test = at.field(Machine::row(rows::CMP32_IMMEDIATE), offset_of!(Surface, is_there));
        self.continue_unless(test.imm(0), Condition::Equal, ways.cold);
        let (field, count) = match op.action {
            ImageAction::Size => (offset_of!(Surface, size), 3),
            _ => (offset_of!(Surface, channels), 2),
        };
        for number in 0..count {
            let var = self.channel(number);
            self.push(at.field(Machine::row(rows::BROADCASTSS).def(var), of_axis(field, number)));
        }
    }

    /// Whether an image has a layout, as a test for equality.
    fn has_layout(at: At, layout: Layout) -> Machine {
        at.field(Machine::row(rows::CMP32_IMMEDIATE), offset_of!(Surface, layout)).imm(layout as i32)
    }

    fn access_image(&mut self, op: ImageOp, at: At, ways: Ways) {
        self.continue_unless(Self::has_layout(at, Layout::Other), Condition::Equal, ways.cold);
        let word = self.vector();
        if op.action == ImageAction::Write {
            self.make_word(op, at, word);
        }
        if let Some(index) = self.row_of_texels(op, at) {
            let (index, each) = index;
            self.access_texels(op, at, (Texels::Row(index), word), ways);
            self.jump(ways.after);
            self.go(each);
        }
        let index = self.index_of_each(op, at, ways);
        self.access_texels(op, at, (Texels::Each(index), word), ways);
    }

    /// The index of the first of texels that are neighbours in a row of the image, and where to go on if they are not; none if they never are.
    fn row_of_texels(&mut self, op: ImageOp, at: At) -> Option<(Var, Block)> {
        let is_masked_write = op.action == ImageAction::Write && self.mask.is_some();
        if is_masked_write || op.action == (ImageAction::Sample { integer: false }) {
            return None;
        }
        let mut coordinates = Vec::with_capacity(3);
        for axis in 0..op.shape.coordinates() {
            let value = self.parts.values[axis]?;
            let expected = if axis == 0 { 1 } else { 0 };
            let is_scalar = self.is_scalar(value) || self.shapes.constant(value).is_some();
            if !is_scalar || self.reads_shadow(value) || self.stride(value) != Some(expected) {
                return None;
            }
            coordinates.push(value);
        }
        let each = self.block_like_this();
        let mut vars = Vec::with_capacity(3);
        for (axis, value) in coordinates.into_iter().enumerate() {
            let (scalar, var) = (self.s(value), self.general());
            self.push(Machine::row(rows::MOV32).def(var).last(scalar));
            let field = if axis == 0 { offset_of!(Surface, starts) } else { of_axis(SIZE, axis) };
            let test = at.field(Machine::row(rows::CMP32).register(var), field);
            self.continue_unless(test, Condition::AboveOrEqual, each);
            vars.push(var);
        }
        let mut index = vars.pop()?;
        for (axis, var) in vars.into_iter().enumerate().rev() {
            let (size, outer) = (self.general(), self.general());
            self.push(at.field(Machine::row(rows::MOV32).def(size), of_axis(SIZE, axis)));
            self.push(Machine::row(rows::IMUL64).update(outer, index).last(size));
            index = self.sum(outer, var);
        }
        Some((index, each))
    }

    /// The index of the texel of each lane; leaves if one is outside.
    fn index_of_each(&mut self, op: ImageOp, at: At, ways: Ways) -> Var {
        let coordinates = op.shape.coordinates();
        let axes: Vec<Var> = (0..coordinates).map(|axis| self.coordinate(op, at, axis)).collect();
        let mut inside = None;
        for (axis, &var) in axes.iter().enumerate() {
            let own = self.mask_var();
            let inst = Machine::row(rows::PCMPUD).def(own).second(var).imm(1);
            self.push(at.broadcast(inst, of_axis(SIZE, axis)));
            inside = Some(inside.map_or(own, |others| self.masks(rows::KAND, others, own)));
        }
        if let Some(inside) = inside {
            let outside = match self.mask {
                Some(mask) => self.masks(rows::KANDN, inside, mask),
                None => self.negate_mask(inside),
            };
            let test = Machine::row(rows::KORTEST).register(outside).last(outside);
            self.continue_unless(test, Condition::NotEqual, ways.cold);
        }
        let mut index = axes[coordinates - 1];
        for axis in (0..coordinates - 1).rev() {
            let (outer, sum) = (self.vector(), self.vector());
            let inst = Machine::row(rows::PMULLD).def(outer).second(index);
            self.push(at.broadcast(inst, of_axis(SIZE, axis)));
            self.push(Machine::row(rows::PADDD).def(sum).second(outer).last(axes[axis]));
            index = sum;
        }
        index
    }

    /// A coordinate as the sampler takes it.
    fn coordinate(&mut self, op: ImageOp, at: At, axis: usize) -> Var {
        let var = self.image_part(axis);
        let (first, last) =
            (of_axis(offset_of!(Surface, first), axis), of_axis(offset_of!(Surface, last), axis));
        let limited = |this: &mut Self, var: Var, rows: [Row; 2]| {
            let mut var = var;
            for (row, field) in rows.into_iter().zip([first, last]) {
                let limited = this.vector();
                this.push(at.broadcast(Machine::row(row).def(limited).second(var), field));
                var = limited;
            }
            var
        };
        match op.action {
            ImageAction::Sample { integer: true } => limited(self, var, [rows::PMAXSD, rows::PMINSD]),
            ImageAction::Sample { integer: false } => {
                let (scaled, floor, texel) = (self.vector(), self.vector(), self.vector());
                let inst = Machine::row(rows::MULPS).def(scaled).second(var);
                self.push(at.broadcast(inst, of_axis(offset_of!(Surface, scale), axis)));
                self.push(Machine::row(rows::RNDSCALEPS).def(floor).last(scaled).imm(FLOOR));
                // Where it is no number, the second operand is the result.
                let inside = limited(self, floor, [rows::MAXPS, rows::MINPS]);
                self.push(Machine::row(rows::CVTTPS2DQ).def(texel).last(inside));
                texel
            }
            _ => var,
        }
    }

    fn access_texels(&mut self, op: ImageOp, at: At, (texels, word): (Texels, Var), ways: Ways) {
        let small = self.block_like_this();
        let base = self.general();
        self.push(at.field(Machine::row(rows::MOV64).def(base), offset_of!(Surface, base)));
        self.continue_unless(Self::has_layout(at, Layout::Words), Condition::NotEqual, small);
        let is_write = op.action == ImageAction::Write;
        if is_write {
            self.write_words(base, texels)
        } else {
            self.read_words(base, texels)
        }
        self.jump(ways.after);
        self.go(small);
        if is_write {
            return self.write_small(base, texels, word);
        }
        self.read_small(base, texels, word);
        self.take_word(op, at, word, ways);
    }

    /// So many times an index, in bytes.
    fn bytes_of(&mut self, index: Var, shift: i32) -> Var {
        let bytes = self.general();
        self.push(Machine::row(rows::SHL64).update_last(bytes, index).imm(shift));
        bytes
    }

    fn bytes_of_each(&mut self, index: Var, shift: i32) -> Var {
        self.shift(rows::PSLLD, Kind::I32, Vector([index; 2]), shift).0[0]
    }

    /// Texels of four numbers of 32 bits.
    fn read_words(&mut self, base: Var, texels: Texels) {
        match texels {
            Texels::Row(index) => {
                let bytes = self.bytes_of(index, 4);
                let memory = [0, 1, 2, 3].map(|piece| {
                    let (var, place) = (self.vector(), Place::at(Anchor::Var, 64 * piece));
                    self.push(Machine::row(rows::MOVDQU32).def(var).at(place).base(base).index(bytes));
                    var
                });
                for (channel, var) in self.apart(&memory).into_iter().enumerate() {
                    let own = self.channel(channel);
                    self.copy(own, var);
                }
            }
            Texels::Each(index) => {
                let bytes = self.bytes_of_each(index, 4);
                for channel in 0..4 {
                    let own = self.channel(channel);
                    self.gather(rows::GATHERDD, own, base, bytes, 4 * channel as i32, 0);
                }
            }
        }
    }

    fn write_words(&mut self, base: Var, texels: Texels) {
        let channels = [0, 1, 2, 3].map(|channel| self.channel(channel));
        match texels {
            Texels::Row(index) => {
                let bytes = self.bytes_of(index, 4);
                for (piece, var) in self.together(&channels).into_iter().enumerate() {
                    let place = Place::at(Anchor::Var, 64 * piece as i32);
                    let store = Machine::row(rows::MOVDQU32_STORE).register(var).at(place);
                    self.push(store.base(base).index(bytes).effect());
                }
            }
            Texels::Each(index) => {
                let bytes = self.bytes_of_each(index, 4);
                for (channel, from) in channels.into_iter().enumerate() {
                    self.scatter(rows::SCATTERDD, from, base, bytes, 4 * channel as i32, 0);
                }
            }
        }
    }

    /// Texels of 32 bits.
    fn read_small(&mut self, base: Var, texels: Texels, word: Var) {
        match texels {
            Texels::Row(index) => {
                let (bytes, place) = (self.bytes_of(index, 2), Place::at(Anchor::Var, 0));
                self.push(Machine::row(rows::MOVDQU32).def(word).at(place).base(base).index(bytes));
            }
            Texels::Each(index) => {
                let bytes = self.bytes_of_each(index, 2);
                self.gather(rows::GATHERDD, word, base, bytes, 0, 0);
            }
        }
    }

    fn write_small(&mut self, base: Var, texels: Texels, word: Var) {
        match texels {
            Texels::Row(index) => {
                let (bytes, place) = (self.bytes_of(index, 2), Place::at(Anchor::Var, 0));
                let store = Machine::row(rows::MOVDQU32_STORE).register(word).at(place);
                self.push(store.base(base).index(bytes).effect());
            }
            Texels::Each(index) => {
                let bytes = self.bytes_of_each(index, 2);
                self.scatter(rows::SCATTERDD, word, base, bytes, 0, 0);
            }
        }
    }

    /// Makes channels of a texel of 32 bits.
    fn take_word(&mut self, op: ImageOp, at: At, word: Var, ways: Ways) {
        let bytes = self.block_like_this();
        self.continue_unless(Self::has_layout(at, Layout::Single), Condition::NotEqual, bytes);
        let alpha = if op.texel == TexelKind::Integer { 1 } else { 1.0_f32.to_bits() };
        for (channel, bits) in [(1, 0), (2, 0), (3, alpha)] {
            let constant = self.vector_constant(Kind::I32, bits.into());
            let own = self.channel(channel);
            self.copy(own, constant.0[0]);
        }
        let own = self.channel(0);
        self.copy(own, word);
        self.jump(ways.after);
        self.go(bytes);
        for channel in 0..4 {
            let shifted = match channel {
                0 => word,
                _ => self.shift(rows::PSRLD, Kind::I32, Vector([word; 2]), 8 * channel as i32).0[0],
            };
            let mut number = self.with_constant(rows::PANDD, Kind::I32, Vector([shifted; 2]), 0xff);
            if op.texel != TexelKind::Integer {
                number = self.one(rows::CVTDQ2PS, Kind::F32, number, 0);
                number = self.with_constant(rows::DIVPS, Kind::F32, number, 255.0_f32.to_bits().into());
            }
            let own = self.channel(channel);
            self.copy(own, number.0[0]);
        }
    }

    /// Makes a texel of 32 bits of channels, if the image has such.
    fn make_word(&mut self, op: ImageOp, at: At, word: Var) {
        let (done, bytes) = (self.block_like_this(), self.block_like_this());
        self.continue_unless(Self::has_layout(at, Layout::Words), Condition::Equal, done);
        self.continue_unless(Self::has_layout(at, Layout::Single), Condition::NotEqual, bytes);
        let red = self.channel(0);
        self.copy(word, red);
        self.jump(done);
        self.go(bytes);
        let mut all: Option<Var> = None;
        for channel in 0..4 {
            let own = self.channel(channel);
            let number = self.byte_of(op, Vector([own; 2]));
            let shifted = match channel {
                0 => number,
                _ => self.shift(rows::PSLLD, Kind::I32, number, 8 * channel as i32),
            };
            all = Some(match all {
                None => shifted.0[0],
                Some(others) => self.two(rows::PORD, Kind::I32, Vector([others; 2]), shifted).0[0],
            });
        }
        if let Some(all) = all {
            self.copy(word, all);
        }
        self.jump(done);
        self.go(done);
    }

    /// A channel of 8 bits.
    fn byte_of(&mut self, op: ImageOp, number: Vector) -> Vector {
        if op.texel == TexelKind::Integer {
            return self.with_constant(rows::PMINUD, Kind::I32, number, 255);
        }
        let of = |value: f32| u64::from(value.to_bits());
        let scaled = self.with_constant(rows::MULPS, Kind::F32, number, of(255.0));
        // Where it is no number, the second operand is the result.
        let positive = self.with_constant(rows::MAXPS, Kind::F32, scaled, of(0.0));
        let limited = self.with_constant(rows::MINPS, Kind::F32, positive, of(255.0));
        let rounded = self.one(rows::RNDSCALEPS, Kind::F32, limited, NEAREST);
        self.one(rows::CVTTPS2DQ, Kind::I32, rounded, 0)
    }
}

const SIZE: usize = offset_of!(Surface, size);

/// The numbers of the ways to round.
const NEAREST: i32 = 8;
const FLOOR: i32 = 9;

/// A row is accessed as a whole by as many lanes as there are.
const _: () = assert!(LANES == 16);
