//! What a loop costs for all lanes together, and for one after the other.
//!
//! How often it is gone round is not known, and how fast which processor gathers neither: so this is a guess, in instructions of a processor.

use crate::native::analyse::flow::{Flow, Loop};
use crate::native::analyse::shape::{Shape, Shapes};
use crate::native::improve::loops::weight;
use crate::program::{FloatOp, Inst, Kind, LANES, MathOp, Program, Space};

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

/// The cost of a pass.
pub(super) struct Cost {
    /// For all lanes together.
    together: f32,
    /// For one of them.
    alone: f32,
    /// Whether lanes access memory far from each other.
    gathers: bool,
}

impl Cost {
    /// None if there is something that lanes cannot do one after the other.
    pub(super) fn new(program: &Program, flow: &Flow, shapes: &Shapes, own: Loop) -> Option<Self> {
        let blocks = &program.blocks[own.header..=own.latch];
        if blocks.iter().map(|block| block.insts.len()).sum::<usize>() > MAX_INSTRUCTIONS {
            return None;
        }
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
                    Inst::Load { kind, space, address, .. } | Inst::Store { kind, space, address, .. }
                        if matches!(space, Space::Global | Space::Constant | Space::Local) =>
                    {
                        let is_near = is_near(address);
                        cost.gathers |= !is_near;
                        (if is_near { 1.0 } else { GATHER[is_wide(kind)] }, 1.0)
                    }
                    _ if !inst.is_pure() => return None,
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
        Some(cost)
    }

    /// Whether a loop is likely to take less time if lanes take turns, for which so many values are taken out of vectors.
    pub(super) fn is_less_alone(&self, taken: usize) -> bool {
        let turn = (TURN + TAKEN * taken as f32) / PASSES;
        let alone = LANES as f32 * f32::max(ONE * (self.alone + turn), PASS);
        self.gathers && MARGIN * alone < self.together
    }
}
