//! What a loop costs for all lanes together, and for one after the other.
//!
//! How often it is gone round is not known, and how fast which processor gathers neither: so this is a guess, in instructions of a processor.

use super::read_by;
use crate::native::analyse::flow::{Flow, Loop};
use crate::native::analyse::shape::{Shape, Shapes};
use crate::native::improve::loops::{needed, weight};
use crate::program::{AtomicOp, FloatOp, Inst, Kind, LANES, MathOp, Program, Space, Terminator, Value};
use std::collections::HashSet;

/// The most instructions of a loop that is changed.
const MAX_INSTRUCTIONS: usize = 256;

/// What a gather of all lanes costs, of numbers of up to 32 bits and of 64, if an instruction costs 1: processors load number by number.
const GATHER: [f32; 2] = [24.0, 32.0];

/// Lanes with no more bytes from one to the next load whole vectors, which are shuffled.
const NEAR: u64 = 64;

/// What a division or a square root costs, and an instruction of one lane, of which processors execute some at a time.
const LONG: f32 = 10.0;
const ONE: f32 = 0.25;

/// How much better it has to be, since all this is a guess.
const MARGIN: f32 = 1.1;

/// How many instructions it takes to give a lane its turn, and to take a value out of a vector; and the passes that a lane is taken to have.
const TURN: f32 = 6.0;
const TAKEN: f32 = 4.0;
const PASSES: f32 = 8.0;

/// What a pass costs at least, since it needs what the one before has made.
const PASS: f32 = 3.0;

/// What an atomic operation costs a lane, together with others or not.
const ATOMIC: f32 = 6.0;

/// The cost of a pass.
pub(super) struct Cost {
    /// For all lanes together.
    together: f32,
    /// For one of them.
    alone: f32,
    /// Whether lanes access memory far from each other.
    gathers: bool,
}

/// Whether lanes can go through a loop one after the other.
pub(super) fn can_take_turns(program: &Program, own: Loop) -> bool {
    let mut atomics = None;
    let can_take_turns = |inst: &Inst| match *inst {
        Inst::Atomic { op, space: Space::Global | Space::Local, result, .. } => {
            atomics.get_or_insert_with(|| Atomics::new(program, own)).may_take_turns(op, result)
        }
        _ => inst.is_pure() || is_access(inst),
    };
    insts(program, own).count() <= MAX_INSTRUCTIONS && insts(program, own).all(can_take_turns)
}

/// Whether a loop loads or stores anything, so that lanes may gather.
pub(super) fn has_accesses(program: &Program, own: Loop) -> bool {
    insts(program, own).any(is_access)
}

fn insts(program: &Program, own: Loop) -> impl Iterator<Item = &Inst> {
    program.blocks[own.header..=own.latch].iter().flat_map(|block| &block.insts)
}

/// Whether an instruction loads or stores memory that is not the work-item's own.
fn is_access(inst: &Inst) -> bool {
    match inst {
        Inst::Load { space, .. } | Inst::Store { space, .. } => {
            matches!(space, Space::Global | Space::Constant | Space::Local)
        }
        _ => false,
    }
}

impl Cost {
    /// That of a loop in which lanes can take turns.
    pub(super) fn new(program: &Program, flow: &Flow, shapes: &Shapes, own: Loop) -> Self {
        let blocks = &program.blocks[own.header..=own.latch];
        // What is not the same in each pass.
        let mut varies = vec![false; program.kinds.len()];
        for edge in blocks.iter().flat_map(|block| block.terminator.edges()) {
            edge.moves.iter().for_each(|step| varies[step.to.0 as usize] = true);
        }
        let mut cost = Self { together: 0.0, alone: 0.0, gathers: false };
        for (place, block) in blocks.iter().enumerate() {
            for inst in &block.insts {
                let is_near = |address| match shapes.shape_in(flow, address, own.header + place) {
                    Shape::Stride(stride) => stride.unsigned_abs() <= NEAR,
                    _ => false,
                };
                let is_wide = |kind: Kind| usize::from(kind.size() == 8);
                let (together, alone) = match *inst {
                    Inst::Load { kind, address, .. } | Inst::Store { kind, address, .. } => {
                        let is_near = is_near(address);
                        cost.gathers |= !is_near;
                        (if is_near { 1.0 } else { GATHER[is_wide(kind)] }, 1.0)
                    }
                    Inst::Atomic { .. } => (LANES as f32 * ATOMIC, ATOMIC),
                    _ if !inst.any_operand(|operand| varies[operand.0 as usize]) => continue,
                    Inst::Float(FloatOp::Div, kind, ..)
                    | Inst::Math(MathOp::Sqrt | MathOp::Recip | MathOp::Rsqrt, kind, ..) => {
                        let time = LONG * (is_wide(kind) + 1) as f32;
                        (time, time / ONE)
                    }
                    _ => (weight(inst) as f32, weight(inst) as f32),
                };
                inst.result().into_iter().for_each(|result| varies[result.0 as usize] = true);
                cost.together += together;
                cost.alone += alone;
            }
        }
        cost
    }

    /// Whether a loop is likely to take less time if lanes take turns, for which so many values are taken out of vectors.
    pub(super) fn is_less_alone(&self, taken: usize) -> bool {
        let turn = (TURN + TAKEN * taken as f32) / PASSES;
        let alone = LANES as f32 * f32::max(ONE * (self.alone + turn), PASS);
        self.gathers && MARGIN * alone < self.together
    }
}

/// What becomes of the results of atomic operations.
struct Atomics {
    /// The values that something reads.
    read: HashSet<Value>,
    /// Those on which it depends whether a lane leaves the loop.
    leaving: HashSet<Value>,
}

impl Atomics {
    fn new(program: &Program, own: Loop) -> Self {
        let body: Vec<usize> = (own.header..=own.latch).collect();
        let (mut read, mut leaving) = (HashSet::new(), HashSet::new());
        for block in &program.blocks {
            read_by(block, &mut |value, _| _ = read.insert(value));
        }
        let conditions = |leaves: bool| {
            let blocks = body.iter().map(|&place| &program.blocks[place].terminator);
            blocks.filter_map(move |terminator| match *terminator {
                Terminator::Branch { condition, .. } => {
                    let mut targets = terminator.edges().map(|edge| edge.target.0 as usize);
                    (!leaves || targets.any(|target| !own.contains(target))).then_some(condition)
                }
                _ => None,
            })
        };
        for condition in conditions(true) {
            leaving.extend(needed(program, &body, condition));
        }
        // What a branch in the loop decides by the way on which lanes come.
        let inner = body.iter().flat_map(|&place| program.blocks[place].terminator.edges());
        let mut inner = inner.filter(|edge| edge.target.0 as usize != own.header);
        if inner.any(|edge| edge.moves.iter().any(|step| leaving.contains(&step.to))) {
            for condition in conditions(false) {
                leaving.extend(needed(program, &body, condition));
            }
        }
        Self { read, leaving }
    }

    /// Whether it is the same in the end which lane comes first, and no lane waits for what another one does.
    fn may_take_turns(&self, op: AtomicOp, result: Value) -> bool {
        match op {
            AtomicOp::Load => !self.leaving.contains(&result),
            // Their sum depends on the order.
            AtomicOp::FAdd | AtomicOp::CompareExchange => false,
            _ => !self.read.contains(&result),
        }
    }
}
