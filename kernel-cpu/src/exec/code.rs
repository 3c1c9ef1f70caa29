//! A program made ready for the interpreter.
//!
//! Every value gets a place in the register file, and every instruction the function that executes it.

use super::frame::{ALIGNMENT, Slot};
use super::isa::{Handler, Isa};
use super::locals::Locals;
use super::map::Select;
use super::{atomic, clock, collective, convert, float, image, int, math, memory, moves, noted};
use crate::check::{MAX_NOTES, Note, Sync, Syncs};
use crate::program::{
    AtomicOp, BuiltIn, CompareOp, Edge, IMAGE_PARTS, ImageOp, Inst, IntOp, Kind, LANES, Preset, Program,
    Site, Space, Terminator, Value, strips,
};
use std::ops::Range;
use std::sync::Arc;

/// The largest register file of a strip, in bytes.
const MAX_FRAME_BYTES: u32 = 64 << 20;

/// The same where each subgroup of a work-group has one of its own, to keep it at barriers.
const MAX_KEPT_FRAME_BYTES: u32 = 4 << 20;

/// The program has too many values for a register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameTooLarge;

/// An instruction as the interpreter executes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    handler: Handler,
    pub(super) result: Slot,
    pub(super) a: Slot,
    pub(super) b: Slot,
    pub(super) c: Slot,
    /// For accesses to global memory, the index of what was found last; else unused.
    pub(super) extra: u32,
    pub(super) site: Site,
    pub(super) scale: i64,
    pub(super) offset: i64,
    pub(super) atomic: AtomicOp,
    /// How collectives combine two values, by their bits.
    pub(super) combine: fn(u64, u64) -> u64,
    pub(super) image: ImageOp,
    /// Whether all lanes compute the same.
    pub(super) uniform: bool,
    /// Whether all strips of a subgroup do it together; else it works on one of them.
    pub(super) is_together: bool,
}

impl Op {
    /// What notes the accesses of this instruction, as the one with a number.
    fn noted_by(&self, handler: Handler, extra: u32) -> Self {
        Self { handler, extra, ..*self }
    }

    /// Executes it on a frame of its code.
    #[inline(always)]
    pub(super) fn run(&self, frame: &mut super::frame::Frame<'_>) {
        // SAFETY: the handler was chosen for this processor, and the slots lie within the frame size of the
        // code, which is that of the frame.
        unsafe { (self.handler)(frame, self) }
    }
}

/// The end of a block.
#[derive(Clone, Debug)]
pub(super) enum Exit {
    Jump(Target),
    Branch { condition: Slot, then: Target, otherwise: Target },
    Barrier { site: Site, next: Target },
    Return,
    Unreachable(Site),
}

/// The moves of an edge, and the block that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) moves: Range<usize>,
    pub(super) block: u32,
}

#[derive(Clone, Debug)]
pub(super) struct CodeBlock {
    pub(super) ops: Range<usize>,
    pub(super) exit: Exit,
}

/// Where a preset value goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<T> {
    pub(super) slot: Slot,
    pub(super) kind: Kind,
    pub(super) what: T,
}

/// A program made ready.
#[derive(Debug)]
pub(crate) struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) blocks: Vec<CodeBlock>,
    /// The presets that a launch fixes.
    pub(super) presets: Vec<Placed<Preset>>,
    /// The presets that work-groups and work-items fix.
    pub(super) built_ins: Vec<Placed<BuiltIn>>,
    /// The size of the register file of a strip in bytes.
    pub(super) frame_bytes: u32,
    /// How many work-items a subgroup has.
    pub(super) subgroup_size: u32,
    /// The bytes behind the register files of a subgroup's strips that native code wants.
    pub(super) saved_bytes: u32,
    /// The bytes of private memory that it wants for a subgroup besides the interpreter's.
    pub(super) private_bytes: u64,
    /// How many instructions remember what they found.
    pub(super) accesses: u32,
    pub(super) has_barriers: bool,
    /// The instructions whose accesses are noted.
    pub(super) notes: Arc<[Note]>,
}

impl Code {
    /// Makes a program ready for the processor that this runs on.
    pub(crate) fn new(program: &Program) -> Result<Self, FrameTooLarge> {
        Self::assemble(Assembler::new(program))
    }

    /// The same with accesses noted, in a module that orders them so.
    pub(crate) fn with_notes(program: &Program, syncs: &Syncs) -> Result<Self, FrameTooLarge> {
        Self::assemble(Assembler { syncs: Some(syncs), ..Assembler::new(program) })
    }

    fn assemble(mut assembler: Assembler<'_>) -> Result<Self, FrameTooLarge> {
        let program = assembler.program;
        let (mut presets, mut built_ins) = (Vec::new(), Vec::new());
        for &(value, preset) in &program.presets {
            let (slot, kind) = (assembler.slot(value), program.kinds[value.0 as usize]);
            match preset {
                Preset::BuiltIn(what) => built_ins.push(Placed { slot, kind, what }),
                what => presets.push(Placed { slot, kind, what }),
            }
        }
        let blocks = program.blocks.iter().map(|block| assembler.block(block)).collect();
        if assembler.too_large {
            return Err(FrameTooLarge);
        }
        Ok(Self {
            blocks,
            presets,
            built_ins,
            frame_bytes: assembler.frame_bytes.next_multiple_of(ALIGNMENT as u32),
            subgroup_size: program.subgroup_size,
            saved_bytes: 0,
            private_bytes: 0,
            accesses: assembler.accesses,
            ops: assembler.ops,
            has_barriers: program.has_barriers(),
            notes: assembler.notes.into(),
        })
    }
}

/// Where native code finds an instruction and its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The number of the instruction.
    pub(crate) number: u32,
    /// The byte offsets of its values in the register file.
    pub(crate) result: u32,
    pub(crate) operands: [u32; 3],
}

impl Code {
    /// The places of an instruction of the program, by its block and its place there.
    pub(crate) fn places(&self, block: usize, place: usize) -> Places {
        let number = self.blocks[block].ops.start + place;
        let op = &self.ops[number];
        let operands = [op.a, op.b, op.c].map(|slot| slot.0);
        Places { number: number as u32, result: op.result.0, operands }
    }

    /// The size of the register file of a strip in bytes.
    pub(crate) fn frame_bytes(&self) -> u32 {
        self.frame_bytes
    }

    /// Has room kept behind the register files of the strips that are executed together, and behind their private memory.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(crate) fn reserve(&mut self, bytes: u32, private_bytes: u64) {
        self.saved_bytes = bytes.next_multiple_of(ALIGNMENT as u32);
        self.private_bytes = private_bytes.next_multiple_of(ALIGNMENT as u64);
    }

    /// How many strips a subgroup has.
    pub(super) fn strips(&self) -> usize {
        strips(self.subgroup_size)
    }

    /// The size of the register files of a subgroup's strips, with what is behind them.
    pub(super) fn files_bytes(&self) -> u32 {
        self.strips() as u32 * self.frame_bytes + self.saved_bytes
    }
}

struct Assembler<'a> {
    program: &'a Program,
    select: Select,
    /// The place of each value.
    slots: Vec<Option<Slot>>,
    locals: Locals,
    /// The values of the current block that have a place only until it ends.
    held: Vec<Value>,
    /// The places that no value has at the moment, by the number of bytes of a lane.
    free: [Vec<Slot>; 9],
    frame_bytes: u32,
    max_frame_bytes: u32,
    too_large: bool,
    accesses: u32,
    /// Where the numbers are that image instructions work on, if there are any.
    image_parts: Option<u32>,
    ops: Vec<Op>,
    /// What orders accesses, if they are to be noted.
    syncs: Option<&'a Syncs>,
    notes: Vec<Note>,
}

impl<'a> Assembler<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            program,
            select: Select(Isa::detect()),
            slots: vec![None; program.kinds.len()],
            locals: Locals::of(program),
            held: Vec::new(),
            free: Default::default(),
            frame_bytes: 0,
            max_frame_bytes: if program.has_barriers() { MAX_KEPT_FRAME_BYTES } else { MAX_FRAME_BYTES },
            too_large: false,
            accesses: 0,
            image_parts: None,
            ops: Vec::new(),
            syncs: None,
            notes: Vec::new(),
        }
    }

    /// The place of a value.
    fn slot(&mut self, value: Value) -> Slot {
        if let Some(slot) = self.slots[value.0 as usize] {
            return slot;
        }
        let kind = self.program.kinds[value.0 as usize];
        let slot = if self.locals.has(value) {
            self.held.push(value);
            self.temporary(kind)
        } else {
            self.place(kind)
        };
        self.slots[value.0 as usize] = Some(slot);
        slot
    }

    /// A place that no value has at the moment.
    fn temporary(&mut self, kind: Kind) -> Slot {
        self.free[kind.size() as usize].pop().unwrap_or_else(|| self.place(kind))
    }

    /// Gives back the place of a value that nothing uses any more.
    fn release(&mut self, value: Value) {
        if let Some(slot) = self.slots[value.0 as usize].take() {
            self.free[self.program.kinds[value.0 as usize].size() as usize].push(slot);
        }
    }

    fn place(&mut self, kind: Kind) -> Slot {
        self.room(kind.size() * LANES as u32)
    }

    /// So many bytes, aligned for a value of as many.
    fn room(&mut self, size: u32) -> Slot {
        if self.frame_bytes + 2 * size > self.max_frame_bytes {
            self.too_large = true;
            return Slot(0);
        }
        let start = self.frame_bytes.next_multiple_of(size.min(64));
        self.frame_bytes = start + size;
        Slot(start)
    }

    fn block(&mut self, block: &crate::program::Block) -> CodeBlock {
        let start = self.ops.len();
        self.locals.enter(block);
        for (index, inst) in block.insts.iter().enumerate() {
            let op = self.op(inst);
            self.note(inst, &op);
            self.ops.push(op);
            // The places of the operands are given back only now, so that the result has another one.
            let mut inst = *inst;
            let result = inst.result();
            let mut release = |value: Value| {
                if self.locals.is_done(value, index) {
                    self.release(value);
                }
            };
            result.into_iter().for_each(&mut release);
            inst.visit_operands(&mut |operand| release(*operand));
        }
        let ops = start..self.ops.len();
        let exit = match &block.terminator {
            Terminator::Jump(edge) => Exit::Jump(self.target(edge)),
            Terminator::Branch { condition, then, otherwise } => Exit::Branch {
                condition: self.slot(*condition),
                then: self.target(then),
                otherwise: self.target(otherwise),
            },
            Terminator::Barrier { site, next } => Exit::Barrier { site: *site, next: self.target(next) },
            Terminator::Return => Exit::Return,
            Terminator::Unreachable(site) => Exit::Unreachable(*site),
        };
        for value in std::mem::take(&mut self.held) {
            self.release(value);
        }
        CodeBlock { ops, exit }
    }

    fn target(&mut self, edge: &Edge) -> Target {
        let start = self.ops.len();
        let mut kinds: Vec<(Value, Slot)> = Vec::new();
        let first_extra = self.program.kinds.len() as u32;
        let program = self.program;
        // A value that breaks a cycle has the number of the first one that no program value has, and a place
        // until all moves are done.
        let mut extra_kinds = Vec::new();
        let sequence = moves::sequence(&edge.moves, |like| {
            extra_kinds.push(program.kinds[like.0 as usize]);
            Value(first_extra + extra_kinds.len() as u32 - 1)
        });
        for (index, &kind) in extra_kinds.iter().enumerate() {
            let slot = self.temporary(kind);
            kinds.push((Value(first_extra + index as u32), slot));
        }
        for step in sequence {
            let place = |this: &mut Self, value: Value| match value.0.checked_sub(first_extra) {
                Some(index) => (kinds[index as usize].1, extra_kinds[index as usize]),
                None => (this.slot(value), program.kinds[value.0 as usize]),
            };
            let ((to, kind), (from, _)) = (place(self, step.to), place(self, step.from));
            let handler = int::masked_move(self.select.0, kind);
            self.ops.push(Op { result: to, a: from, ..blank(handler) });
        }
        for ((_, slot), kind) in kinds.into_iter().zip(extra_kinds) {
            self.free[kind.size() as usize].push(slot);
        }
        Target { moves: start..self.ops.len(), block: edge.target.0 }
    }

    fn op(&mut self, inst: &Inst) -> Op {
        let handler = self.handler(inst);
        let mut op = blank(handler);
        op.is_together = inst.is_together();
        if let Some(result) = inst.result() {
            op.result = self.slot(result);
            op.uniform = self.program.uniform[result.0 as usize];
        }
        let mut operands = Vec::with_capacity(3);
        let mut inst = *inst;
        inst.visit_operands(&mut |operand| operands.push(*operand));
        self.set_operands(&mut op, &inst, &operands);
        match inst {
            Inst::Address { scale, offset, .. } => (op.scale, op.offset) = (scale, offset),
            Inst::Load { space, site, .. } | Inst::Store { space, site, .. } => {
                self.access(&mut op, site, &[space]);
            }
            Inst::ImageOperand { part, .. } => op.result = self.image_part(part.into()),
            Inst::ImageResult { part, .. } => op.a = self.image_part(part.into()),
            Inst::Image { op: image, site, .. } => {
                op.image = image;
                op.site = site;
                op.c = self.image_part(0);
            }
            Inst::Copy { to, from, site, .. } => self.access(&mut op, site, &[to.1, from.1]),
            Inst::Atomic { op: atomic, space, site, .. } => {
                op.atomic = atomic;
                self.access(&mut op, site, &[space]);
            }
            Inst::Converge(site) => op.site = site,
            Inst::Fold { combine, extent, kind, .. } | Inst::Gather { combine, extent, kind, .. } => {
                op.combine = collective::function(combine, kind);
                op.offset = collective::neutral(combine, extent, kind) as i64;
            }
            _ => {}
        }
        op
    }

    /// Puts what notes the accesses of an instruction before it, if they are to be noted.
    fn note(&mut self, inst: &Inst, op: &Op) {
        let Some(syncs) = self.syncs else { return };
        let sync = syncs.at(op.site.0);
        for action in noted::actions(inst, sync == Some(Sync::Copy), sync.is_some()) {
            // More instructions than can be told apart are no longer noted.
            if self.notes.len() < MAX_NOTES {
                let extra = self.notes.len() as u32;
                self.notes.push(Note { site: op.site, action });
                self.ops.push(op.noted_by(noted::handler(self.select.0), extra));
            }
        }
    }

    /// The place of one of the numbers that image instructions work on, which follow each other.
    fn image_part(&mut self, part: usize) -> Slot {
        let start = match self.image_parts {
            Some(start) => start,
            None => {
                let Slot(start) = self.room((IMAGE_PARTS * LANES * size_of::<u32>()) as u32);
                *self.image_parts.insert(start)
            }
        };
        Slot(start + (part * LANES * size_of::<u32>()) as u32)
    }

    /// Puts the operands where the handlers look for them.
    fn set_operands(&mut self, op: &mut Op, inst: &Inst, operands: &[Value]) {
        let slots: Vec<Slot> = operands.iter().map(|&operand| self.slot(operand)).collect();
        let slot = |index: usize| slots.get(index).copied().unwrap_or(Slot(0));
        (op.a, op.b, op.c) = match inst {
            // The address comes first for all that touch memory.
            Inst::Store { .. } => (slot(1), slot(0), slot(2)),
            _ => (slot(0), slot(1), slot(2)),
        };
    }

    fn access(&mut self, op: &mut Op, site: Site, spaces: &[Space]) {
        op.site = site;
        if spaces.iter().any(|space| matches!(space, Space::Global | Space::Constant | Space::Generic)) {
            op.extra = self.accesses;
            self.accesses += 1;
        }
    }

    fn handler(&self, inst: &Inst) -> Handler {
        let (select, isa) = (self.select, self.select.0);
        match *inst {
            Inst::Int(op, kind, ..) => int::binary(select, op, kind),
            Inst::IntUnary(op, kind, ..) => int::unary(select, op, kind),
            Inst::Float(op, kind, ..) => float::arithmetic(select, op, kind),
            Inst::Compare(op, kind, ..) => compare(select, op, kind),
            // Lowering has checked the kinds; an exclusive or would be the mark of a mistake there.
            Inst::Convert(op, from, to, ..) => {
                convert::convert(select, op, from, to).unwrap_or_else(|| int::binary(select, IntOp::Xor, to))
            }
            Inst::Math(op, kind, ..) => math::function(select, op, kind),
            Inst::Select(kind, ..) => int::select(select, kind),
            Inst::Ldexp(kind, ..) => math::ldexp(select, kind),
            Inst::Pown(kind, ..) => math::pown(select, kind),
            Inst::Rootn(kind, ..) => math::rootn(select, kind),
            Inst::Exponent { kind, ilogb, .. } => math::exponent(select, kind, ilogb),
            Inst::Mantissa(kind, ..) => math::mantissa(select, kind),
            Inst::Classify { test, kind, .. } => float::classify(select, test, kind),
            Inst::Address { .. } => int::address(isa),
            Inst::Load { kind, space, .. } => memory::load(isa, kind, space),
            Inst::Store { kind, space, .. } => memory::store(isa, kind, space),
            Inst::ImageOperand { kind, .. } => image::operand(isa, kind),
            Inst::Image { .. } => image::handler(isa),
            Inst::ImageResult { kind, .. } => image::result(isa, kind),
            Inst::Copy { to, from, .. } => memory::copy(isa, to.1, from.1),
            Inst::Atomic { kind, space, .. } => atomic::atomic(isa, kind, space),
            Inst::Converge(_) => collective::converge(isa),
            Inst::Fold { extent, kind, .. } => collective::fold(isa, extent, kind),
            Inst::Shuffle(kind, ..) | Inst::Pick(kind, ..) => collective::shuffle(isa, kind),
            Inst::Contribute(kind, _) => collective::contribute(isa, kind),
            Inst::Gather { extent, kind, .. } => collective::gather(isa, extent, kind),
            Inst::Clock(_) => clock::handler(isa),
        }
    }
}

/// The handler of a comparison of integers or floats.
fn compare(select: Select, op: CompareOp, kind: Kind) -> Handler {
    let handler =
        if kind.is_float() { float::compare(select, op, kind) } else { int::compare(select, op, kind) };
    // Lowering pairs operators and kinds; see `handler`.
    handler.unwrap_or_else(|| int::binary(select, IntOp::Xor, Kind::Bool))
}

fn blank(handler: Handler) -> Op {
    let slot = Slot(0);
    Op {
        handler,
        result: slot,
        a: slot,
        b: slot,
        c: slot,
        extra: 0,
        site: Site(0),
        scale: 0,
        offset: 0,
        atomic: AtomicOp::Load,
        combine: |first, _| first,
        image: ImageOp::NONE,
        uniform: false,
        is_together: false,
    }
}
