//! From vectors of 512 bits and masks to vectors of 256 bits, for processors without AVX-512.
//!
//! Each vector becomes two: the *low* and the *high* half. So does each mask, whose lanes are 32 bits that are all ones or all zeros; the mask of eight lanes
//! of 64 bits is in its low half, as it is in the low byte of a mask register. What replaces an instruction is in [`table`]: a row there is all that a new
//! instruction needs. One without a row is not selected for such processors (see [`has`]): the interpreter executes what would need it.

mod arithmetic;
mod compare;
mod convert;
mod gather;
mod masks;
mod memory;
mod permute;
mod table;
#[cfg(test)]
mod tests;

use super::{Anchor, Block, Class, Code, Constants, End, Function, How, Inst, Place, Refused, Role, Var};
use crate::native::encode::{self as rows, Row};
use crate::native::hashing::Map;
use crate::native::target::Target;
pub(in crate::native) use table::has;
#[cfg(test)]
pub(in crate::native) use tests::is_allowed;

/// The bytes of half a vector.
const HALF: i32 = 32;

/// A function of the same meaning for processors with AVX2.
pub(super) fn legalise(function: Function, constants: &mut Constants) -> Result<Function, Refused> {
    let splats = splats(&function, constants);
    let mut this = Legaliser::new(&function, constants, splats);
    for &block in &function.layout {
        this.go(block);
        for inst in &function.blocks[block.0 as usize].insts {
            this.inst(inst).ok_or(Refused("an instruction that has no replacement for AVX2"))?;
        }
        this.end(function.blocks[block.0 as usize].end)
            .ok_or(Refused("a condition that has no replacement for AVX2"))?;
    }
    Ok(this.result)
}

/// What stands as the last operand of an instruction.
#[derive(Clone, Copy)]
enum Source {
    Var(Var),
    Memory { place: Place, base: Option<Var>, index: Option<Var> },
}

impl From<Var> for Source {
    fn from(var: Var) -> Self {
        Self::Var(var)
    }
}

/// A constant in all lanes, by its place in the pool as a half vector.
#[derive(Clone, Copy)]
struct Splat {
    place: u32,
    /// Of 64 bits, or twice 32.
    bits: u64,
}

struct Legaliser<'a> {
    constants: &'a mut Constants,
    result: Function,
    at: Block,
    /// The high halves of vectors and masks; what has none stands for itself.
    high: Vec<Var>,
    /// The variables that are always the same constant.
    splats: Map<Var, Splat>,
    /// The masks whose low halves are known in lanes of 64 bits in this block.
    wide: Map<Var, [Var; 2]>,
}

/// The variables that are only ever assigned a constant for all lanes, and that constant.
fn splats(function: &Function, constants: &mut Constants) -> Map<Var, Splat> {
    let mut times = vec![0_u32; function.classes.len()];
    let all = || function.blocks.iter().flat_map(|block| &block.insts);
    for op in all().flat_map(Inst::operands).filter(|op| !op.how.is_use()) {
        times[op.var.0 as usize] += 1;
    }
    let mut result = Map::default();
    for inst in all() {
        if let (Some(bits), [op]) = (constants.broadcast(inst), inst.operands())
            && times[op.var.0 as usize] == 1
        {
            result.insert(op.var, Splat { place: constants.splat(bits), bits });
        }
    }
    result
}

impl Constants {
    /// The constant that an instruction broadcasts to lanes of 32 or 64 bits; those of 32 twice.
    fn broadcast(&self, inst: &Inst) -> Option<u64> {
        let Some(Place { anchor: Anchor::Constant(place), .. }) = inst.place else { return None };
        let bytes = |count: usize| self.bytes.get(place as usize..)?.get(..count);
        match inst.code {
            Code::Row(rows::BROADCASTSS) => {
                let bits = u32::from_le_bytes(bytes(4)?.try_into().ok()?);
                Some(u64::from(bits) << 32 | u64::from(bits))
            }
            Code::Row(rows::BROADCASTSD) => Some(u64::from_le_bytes(bytes(8)?.try_into().ok()?)),
            _ => None,
        }
    }

    /// Half a vector of a constant.
    fn splat(&mut self, bits: u64) -> u32 {
        self.place(&bits.to_le_bytes().repeat(4))
    }
}

impl<'a> Legaliser<'a> {
    fn new(function: &Function, constants: &'a mut Constants, splats: Map<Var, Splat>) -> Self {
        let mut result = Function { target: Target::Avx2, passes: function.passes, ..Function::default() };
        for &class in &function.classes {
            result.var(if class == Class::General { class } else { Class::Vector });
        }
        for block in &function.blocks {
            result.block(block.cold);
        }
        let high = (0..function.classes.len())
            .map(|var| match function.classes[var] {
                Class::General => Var(var as u32),
                _ => result.var(Class::Vector),
            })
            .collect();
        Self { constants, result, at: Block(0), high, splats, wide: Map::default() }
    }

    /// Makes a block stand, and goes on there.
    fn go(&mut self, block: Block) {
        self.result.stand(block);
        self.at = block;
        self.wide.clear();
    }

    fn inst(&mut self, inst: &Inst) -> Option<()> {
        let before = self.result.blocks[self.at.0 as usize].insts.len();
        self.replacement(inst)?;
        if inst.steady {
            // A load that is not masked stays in its block.
            for new in self.result.blocks[self.at.0 as usize].insts.iter_mut().skip(before) {
                new.steady = new.place.is_some_and(|place| place.anchor == Anchor::Var);
            }
        }
        Some(())
    }

    fn replacement(&mut self, inst: &Inst) -> Option<()> {
        match inst.code {
            Code::Row(row) if self.has_vectors(inst) => self.replace(row, inst)?,
            Code::Copy | Code::Undefined | Code::FullMask | Code::EmptyMask if self.has_vectors(inst) => {
                for half in 0..2 {
                    let mut copy = *inst;
                    copy.operands_mut().iter_mut().for_each(|op| op.var = self.half(op.var, half));
                    self.push(copy);
                }
            }
            _ => self.push(*inst),
        }
        for op in inst.operands().iter().filter(|op| !op.how.is_use()) {
            self.wide.remove(&op.var);
        }
        Some(())
    }

    fn end(&mut self, end: End) -> Option<()> {
        let end = match end {
            End::Branch { test, condition, then, otherwise } if self.has_vectors(&test) => {
                End::Branch { test: self.test(&test, condition)?, condition, then, otherwise }
            }
            end => end,
        };
        self.result.end(self.at, end);
        Some(())
    }

    fn has_vectors(&self, inst: &Inst) -> bool {
        inst.operands().iter().any(|op| self.high[op.var.0 as usize] != op.var)
    }

    fn half(&self, var: Var, half: usize) -> Var {
        if half == 0 { var } else { self.high[var.0 as usize] }
    }

    fn halves(&self, var: Var) -> [Var; 2] {
        [var, self.high[var.0 as usize]]
    }

    fn push(&mut self, inst: Inst) {
        self.result.push(self.at, inst);
    }

    fn vector(&mut self) -> Var {
        self.result.var(Class::Vector)
    }

    fn general(&mut self) -> Var {
        self.result.var(Class::General)
    }

    /// The variable that an instruction reads in a role.
    fn read(inst: &Inst, role: Role) -> Option<Var> {
        inst.operands().iter().find(|op| op.role == role && op.how.is_use()).map(|op| op.var)
    }

    /// The halves of the variable that an instruction reads in a role.
    fn pair(&self, inst: &Inst, role: Role) -> Option<[Var; 2]> {
        Self::read(inst, role).map(|var| self.halves(var))
    }

    /// The first variable that an instruction writes.
    fn written(inst: &Inst) -> Option<Var> {
        inst.operands().iter().find(|op| !op.how.is_use()).map(|op| op.var)
    }

    /// The halves of what an instruction's result replaces.
    fn replaced(&self, inst: &Inst) -> Option<[Var; 2]> {
        inst.operands().iter().find_map(|op| match op.how {
            How::Reuse(place) => Some(self.halves(inst.operands()[usize::from(place)].var)),
            _ => None,
        })
    }

    /// The last operand of an instruction for each half, so many bytes apart in memory.
    fn last(&mut self, inst: &Inst, apart: i32) -> Option<[Source; 2]> {
        let Some(place) = inst.place else {
            let var = Self::read(inst, Role::Last)?;
            if let Some(&splat) = self.splats.get(&var) {
                return Some([constant(splat.place); 2]);
            }
            return Some(self.halves(var).map(Source::Var));
        };
        let (base, index) = (Self::read(inst, Role::Base), Self::read(inst, Role::Index));
        if !place.broadcast {
            let at = |half| Source::Memory { place: moved(place, half * apart), base, index };
            return Some([at(0), at(1)]);
        }
        let Code::Row(row) = inst.code else { return None };
        let broadcast = if row.wide { rows::VBROADCASTSD } else { rows::VBROADCASTSS };
        let wide = if row.wide { rows::BROADCASTSD } else { rows::BROADCASTSS };
        if let Some(bits) = self.constants.broadcast(&Inst::row(wide).at(place)) {
            return Some([constant(self.constants.splat(bits)); 2]);
        }
        let place = Place { broadcast: false, ..place };
        let all = self.one(broadcast, Source::Memory { place, base, index });
        Some([all.into(); 2])
    }

    /// The same in registers.
    fn last_vars(&mut self, inst: &Inst, apart: i32) -> Option<[Var; 2]> {
        if inst.place.is_none() {
            return self.pair(inst, Role::Last);
        }
        Some(self.last(inst, apart)?.map(|source| match source {
            Source::Var(var) => var,
            memory => self.one(rows::VMOVDQU, memory),
        }))
    }

    /// `row(source)`.
    fn one(&mut self, row: Row, source: impl Into<Source>) -> Var {
        self.one_by(row, source, 0)
    }

    /// `row(source)` with a number.
    fn one_by(&mut self, row: Row, source: impl Into<Source>, immediate: i32) -> Var {
        let result = self.vector();
        self.push(with(Inst::row(row).def(result).imm(immediate), source.into()));
        result
    }

    /// `row(first, source)`.
    fn two(&mut self, row: Row, first: Var, source: impl Into<Source>) -> Var {
        self.two_by(row, first, source, 0)
    }

    /// `row(first, source)` with a number.
    fn two_by(&mut self, row: Row, first: Var, source: impl Into<Source>, immediate: i32) -> Var {
        let result = self.vector();
        self.push(with(Inst::row(row).def(result).second(first).imm(immediate), source.into()));
        result
    }

    /// A shift by a number.
    fn shift(&mut self, row: Row, x: Var, count: i32) -> Var {
        let result = self.vector();
        self.push(Inst::row(row).op(result, How::Def, Role::Second).last(x).imm(count));
        result
    }

    /// The lanes of a mask of one vector, and the others of another.
    fn blend(&mut self, mask: Var, inside: impl Into<Source>, outside: Var) -> Var {
        let result = self.vector();
        let inst = Inst::row(rows::VBLENDVPS).def(result).second(outside).op(mask, How::Use, Role::Merge);
        self.push(with(inst, inside.into()));
        result
    }

    /// The upper 128 bits of half a vector.
    fn upper(&mut self, x: Var) -> Var {
        let result = self.vector();
        self.push(Inst::row(rows::VEXTRACTI128).register(x).result_last(result).imm(1));
        result
    }

    fn constant32(&mut self, bits: u32) -> Source {
        self.constant64(u64::from(bits) << 32 | u64::from(bits))
    }

    fn constant64(&mut self, bits: u64) -> Source {
        constant(self.constants.splat(bits))
    }

    fn empty(&mut self) -> Var {
        let result = self.vector();
        self.push(Inst::new(Code::EmptyMask).op(result, How::Def, Role::Register));
        result
    }

    fn not(&mut self, x: Var) -> Var {
        let ones = self.constant64(u64::MAX);
        self.two(rows::VPXOR, x, ones)
    }

    fn copy(&mut self, to: Var, from: Var) {
        self.push(Inst::new(Code::Copy).op(to, How::Def, Role::Hidden).op(from, How::Use, Role::Hidden));
    }

    fn set(&mut self, to: Var, from: [Var; 2]) {
        let to = self.halves(to);
        to.into_iter().zip(from).for_each(|(to, from)| self.copy(to, from));
    }

    /// Sets the result of an instruction in the lanes of its mask.
    fn finish(&mut self, inst: &Inst, value: [Var; 2], wide: bool) -> Option<()> {
        let result = Self::written(inst)?;
        let (zero, merge) = (Self::read(inst, Role::Zero), Self::read(inst, Role::Merge));
        let value = match (zero, merge) {
            (None, None) => value,
            (Some(mask), _) => {
                let mask = self.mask_for(mask, wide);
                std::array::from_fn(|half| self.two(rows::VPAND, value[half], mask[half]))
            }
            (None, Some(mask)) => {
                let (mask, old) = (self.mask_for(mask, wide), self.replaced(inst)?);
                std::array::from_fn(|half| self.blend(mask[half], value[half], old[half]))
            }
        };
        self.set(result, value);
        Some(())
    }

    /// The halves of a mask for lanes of 32 or 64 bits.
    fn mask_for(&mut self, mask: Var, wide: bool) -> [Var; 2] {
        if !wide {
            return self.halves(mask);
        }
        if let Some(&known) = self.wide.get(&mask) {
            return known;
        }
        let upper = self.upper(mask);
        let result = [self.one(rows::VPMOVSXDQ, mask), self.one(rows::VPMOVSXDQ, upper)];
        self.wide.insert(mask, result);
        result
    }
}

fn constant(place: u32) -> Source {
    Source::Memory { place: Place::at(Anchor::Constant(place), 0), base: None, index: None }
}

/// A place so many bytes behind another.
fn moved(place: Place, bytes: i32) -> Place {
    match place.anchor {
        Anchor::Constant(start) => Place { anchor: Anchor::Constant(start + bytes as u32), ..place },
        _ => Place { displacement: place.displacement + bytes, ..place },
    }
}

/// Adds the last operand.
fn with(inst: Inst, source: Source) -> Inst {
    match source {
        Source::Var(var) => inst.last(var),
        Source::Memory { place, base, index } => {
            let inst = inst.at(place);
            let inst = if let Some(base) = base { inst.base(base) } else { inst };
            if let Some(index) = index { inst.index(index) } else { inst }
        }
    }
}
