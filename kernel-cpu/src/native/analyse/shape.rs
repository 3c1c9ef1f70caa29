//! How values differ between the lanes of a subgroup, and where lanes part.
//!
//! The two depend on each other: a branch parts lanes if its condition varies, and a phi varies where parted lanes meet. Both start with the best and are
//! made worse until nothing changes.

use super::flow::Flow;
use super::liveness::Live;
use super::sets::Sets;
use crate::native::ids::Ids;
use crate::native::lir::Refused;
use crate::native::switches::{Switch, Switches};
use crate::program::{
    BuiltIn, ConvertOp, Inst, IntOp, Kind, Move, Preset, Program, Space, Terminator, Value,
};

/// How a value differs between lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Shape {
    /// Not known yet.
    Unset,
    /// By this much from lane to lane, modulo the size of the kind; 0 for uniform values, which may be of any kind.
    Stride(i64),
    Varying,
}

impl Shape {
    pub(in crate::native) const UNIFORM: Self = Self::Stride(0);
}

/// What is known about the values and blocks of a program.
#[derive(Debug)]
pub(in crate::native) struct Shapes {
    pub(in crate::native) shapes: Vec<Shape>,
    /// Whether the value may differ between the strips of a subgroup; else a lane of one has what that lane of each other strip has.
    pub(in crate::native) apart: Vec<bool>,
    /// Whether the value depends on constants, arguments and ids alone, so that it is the same whenever it is computed.
    pub(in crate::native) timeless: Vec<bool>,
    /// Whether its scalar may be wrong because an address of 32 bits wraps in between.
    pub(in crate::native) fragile: Vec<bool>,
    /// The constant that a value is.
    pub(in crate::native) constants: Vec<Option<u64>>,
    /// The blocks that end with a branch at which lanes part.
    pub(in crate::native) divergent: Vec<bool>,
    /// Where the lanes that part there meet again; the number of blocks is the end.
    pub(in crate::native) meet: Vec<usize>,
    /// For each way from each of those (the first of block 1 is number 2), the blocks to which it leads before they meet again.
    pub(in crate::native) arms: Sets,
    /// The blocks at which not all lanes of the subgroup may be.
    pub(in crate::native) masked: Vec<bool>,
    /// The loops that lanes may leave at different times.
    pub(in crate::native) parting: Vec<bool>,
    /// The blocks at which lanes that parted may meet.
    pub(in crate::native) merging: Vec<bool>,
    /// The block that defines each value; that of presets is the first.
    pub(in crate::native) home: Vec<usize>,
    /// For each phi, the only value that any edge brings.
    only: Vec<Only>,
    /// Whether subgroups have several strips.
    has_strips: bool,
    /// How many more times all values may be looked at.
    passes: u32,
    switches: Switches,
}

/// What the edges bring for a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Only {
    Nothing,
    One(Value),
    Several,
}

/// So often all values are looked at, at most.
const MAX_PASSES: u32 = 400;

impl Shapes {
    pub(in crate::native) fn new(
        program: &Program,
        flow: &Flow,
        live: &Live,
        ids: &Ids,
        switches: Switches,
    ) -> Result<Self, Refused> {
        let count = program.kinds.len();
        let mut this = Self {
            shapes: vec![Shape::Unset; count],
            apart: vec![false; count],
            timeless: vec![false; count],
            fragile: vec![false; count],
            constants: vec![None; count],
            divergent: vec![false; flow.blocks],
            meet: vec![flow.blocks; flow.blocks],
            arms: Sets::new(2 * flow.blocks, flow.blocks + 1),
            masked: vec![false; flow.blocks],
            parting: vec![false; flow.loops.len()],
            merging: vec![false; flow.blocks],
            home: vec![0; count],
            only: vec![Only::Nothing; count],
            has_strips: ids.strips > 1,
            passes: MAX_PASSES,
            switches,
        };
        for &(value, preset) in &program.presets {
            let index = value.0 as usize;
            this.timeless[index] = true;
            this.shapes[index] = match preset {
                Preset::BuiltIn(BuiltIn::GlobalId(d) | BuiltIn::LocalId(d)) => this.allowed(ids.shape(d)),
                _ => preset_shape(program, preset),
            };
            this.apart[index] = this.has_strips && is_apart(preset, ids);
            if let Preset::Constant(bits) = preset {
                let kind = program.kinds[index];
                let mask = if kind == Kind::Bool { 1 } else { u64::MAX >> (64 - 8 * kind.size()) };
                this.constants[index] = Some(bits & mask);
            }
        }
        for (place, block) in program.blocks.iter().enumerate() {
            for inst in &block.insts {
                if let Some(result) = inst.result() {
                    this.home[result.0 as usize] = place;
                }
            }
            for edge in block.terminator.edges() {
                for step in &edge.moves {
                    this.home[step.to.0 as usize] = edge.target.0 as usize;
                    let only = &mut this.only[step.to.0 as usize];
                    *only = match *only {
                        Only::Nothing => Only::One(step.from),
                        Only::One(other) if other == step.from => Only::One(other),
                        _ => Only::Several,
                    };
                }
            }
        }
        this.find_timeless(program);
        loop {
            this.settle(program, flow)?;
            if !this.part(program, flow) && !this.meet_anywhere(program, live) {
                break;
            }
        }
        // What is never defined is anything.
        for shape in this.shapes.iter_mut().filter(|shape| **shape == Shape::Unset) {
            *shape = Shape::UNIFORM;
        }
        Ok(this)
    }

    pub(in crate::native) fn shape(&self, value: Value) -> Shape {
        self.shapes[value.0 as usize]
    }

    pub(in crate::native) fn constant(&self, value: Value) -> Option<u64> {
        self.constants[value.0 as usize]
    }

    /// The loop that lanes leave one after the other, out of which a value is read in a block.
    pub(in crate::native) fn left_loop(&self, flow: &Flow, value: Value, block: usize) -> Option<usize> {
        if self.timeless[value.0 as usize] {
            return None;
        }
        let mut own = flow.innermost[self.home[value.0 as usize]];
        while let Some(index) = own {
            if self.parting[index] && !flow.loops[index].contains(block) {
                return Some(index);
            }
            own = flow.loops[index].parent;
        }
        None
    }

    /// The shape of a value as it is seen in a block.
    pub(in crate::native) fn shape_in(&self, flow: &Flow, value: Value, block: usize) -> Shape {
        match self.shape(value) {
            Shape::Unset => Shape::Unset,
            _ if self.left_loop(flow, value, block).is_some() => Shape::Varying,
            shape => shape,
        }
    }

    fn find_timeless(&mut self, program: &Program) {
        for inst in program.insts() {
            let Some(result) = inst.result().filter(|_| inst.is_pure()) else { continue };
            let mut all = true;
            let mut inst = *inst;
            inst.visit_operands(&mut |operand| all &= self.timeless[operand.0 as usize]);
            self.timeless[result.0 as usize] = all;
        }
    }

    /// Computes the shapes of all values, as far as lanes are known to part.
    fn settle(&mut self, program: &Program, flow: &Flow) -> Result<(), Refused> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            self.passes =
                self.passes.checked_sub(1).ok_or(Refused("values that depend on each other too long"))?;
            for (place, block) in program.blocks.iter().enumerate() {
                for inst in &block.insts {
                    let Some(result) = inst.result() else { continue };
                    let new = self.of_inst(program, flow, inst, place);
                    changed |= self.worsen(result, new);
                    changed |= self.mark_fragile(inst, result);
                    changed |= self.has_strips && self.comes_apart(flow, inst, result, place);
                }
                for edge in block.terminator.edges() {
                    let to = edge.target.0 as usize;
                    for step in &edge.moves {
                        let new = self.of_move(program, flow, step, place, to);
                        changed |= self.worsen(step.to, new);
                        let apart = self.has_strips && self.moves_apart(flow, step, place, to);
                        changed |= self.set_apart(step.to, apart);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a value may differ between strips as it is seen in a block.
    pub(in crate::native) fn is_apart_in(&self, flow: &Flow, value: Value, block: usize) -> bool {
        self.has_strips && (self.apart[value.0 as usize] || self.left_loop(flow, value, block).is_some())
    }

    /// Whether a value is the same for all lanes of the subgroup as it is seen in a block.
    pub(in crate::native) fn is_same_in(&self, flow: &Flow, value: Value, block: usize) -> bool {
        self.shape_in(flow, value, block) == Shape::UNIFORM && !self.is_apart_in(flow, value, block)
    }

    /// Notes that a value may differ between strips; says whether that is news.
    fn set_apart(&mut self, value: Value, apart: bool) -> bool {
        apart && !std::mem::replace(&mut self.apart[value.0 as usize], true)
    }

    /// Notes whether a result may differ between strips, which memory of lanes of their own does, and what lanes do together.
    fn comes_apart(&mut self, flow: &Flow, inst: &Inst, result: Value, block: usize) -> bool {
        if let Inst::Pick(_, _, [_, lane]) = *inst {
            return self.is_apart_in(flow, lane, block) && self.set_apart(result, true);
        }
        let mut apart = match inst {
            Inst::Load { space, .. } => matches!(space, Space::Private | Space::Generic),
            inst => !inst.is_pure(),
        };
        let mut inst = *inst;
        inst.visit_operands(&mut |operand| apart |= self.is_apart_in(flow, *operand, block));
        self.set_apart(result, apart)
    }

    /// Whether an edge may bring a phi something else for one strip than for another.
    fn moves_apart(&self, flow: &Flow, step: &Move, from: usize, to: usize) -> bool {
        let merges = self.leaves_parting(flow, from, to) || self.merging[to];
        self.is_apart_in(flow, step.from, from) || merges && !self.always_same(step)
    }

    /// What a shape is taken for.
    fn allowed(&self, shape: Shape) -> Shape {
        match shape {
            Shape::Stride(0) if !self.switches.has(Switch::Uniform) => Shape::Varying,
            Shape::Stride(1..) | Shape::Stride(..0) if !self.switches.has(Switch::Strides) => Shape::Varying,
            shape => shape,
        }
    }

    /// Makes a shape worse, if `new` is.
    fn worsen(&mut self, value: Value, new: Shape) -> bool {
        let new = self.allowed(new);
        let own = &mut self.shapes[value.0 as usize];
        let joined = match (*own, new) {
            (Shape::Unset, other) | (other, Shape::Unset) => other,
            (one, other) if one == other => one,
            _ => Shape::Varying,
        };
        std::mem::replace(own, joined) != joined
    }

    fn of_move(&self, program: &Program, flow: &Flow, step: &Move, from: usize, to: usize) -> Shape {
        // The edge reads the value where it starts, so one that leaves a loop with lanes of their own time brings what differs.
        let leaves = self.leaves_parting(flow, from, to);
        if (leaves || self.merging[to]) && !self.always_same(step) {
            return Shape::Varying;
        }
        match self.shape_in(flow, step.from, from) {
            // The other lanes of such a value could not be found again.
            Shape::Stride(stride) if stride != 0 && self.fragile[step.from.0 as usize] => Shape::Varying,
            // Such are kept in vectors.
            Shape::Stride(stride)
                if stride != 0 && !matches!(program.kinds[step.to.0 as usize], Kind::I32 | Kind::I64) =>
            {
                Shape::Varying
            }
            shape => shape,
        }
    }

    /// Whether an edge leaves a loop that lanes leave at different times.
    pub(in crate::native) fn leaves_parting(&self, flow: &Flow, from: usize, to: usize) -> bool {
        let mut own = flow.innermost[from];
        while let Some(index) = own {
            if self.parting[index] && !flow.loops[index].contains(to) {
                return true;
            }
            own = flow.loops[index].parent;
        }
        false
    }

    /// Whether all ways to a phi bring the same timeless value.
    fn always_same(&self, step: &Move) -> bool {
        self.timeless[step.from.0 as usize] && self.only[step.to.0 as usize] == Only::One(step.from)
    }

    fn of_inst(&self, program: &Program, flow: &Flow, inst: &Inst, block: usize) -> Shape {
        let shape = |value: Value| self.shape_in(flow, value, block);
        let mut uniform = true;
        let mut unset = false;
        let mut copy = *inst;
        copy.visit_operands(&mut |operand| {
            uniform &= shape(*operand) == Shape::UNIFORM;
            unset |= shape(*operand) == Shape::Unset;
        });
        if unset {
            return Shape::Unset;
        }
        let strides = |a: Value, b: Value| match (shape(a), shape(b)) {
            (Shape::Stride(a), Shape::Stride(b)) => Some((a, b)),
            _ => None,
        };
        let result = match *inst {
            Inst::Int(IntOp::Add, Kind::I32 | Kind::I64, _, [a, b]) => {
                strides(a, b).map(|(a, b)| a.wrapping_add(b))
            }
            Inst::Int(IntOp::Sub, Kind::I32 | Kind::I64, _, [a, b]) => {
                strides(a, b).map(|(a, b)| a.wrapping_sub(b))
            }
            Inst::Int(IntOp::Mul, Kind::I32 | Kind::I64, _, [a, b]) => {
                strides(a, b).and_then(|(first, second)| match (self.constant(a), self.constant(b)) {
                    (_, Some(factor)) => Some(first.wrapping_mul(factor as i64)),
                    (Some(factor), _) => Some(second.wrapping_mul(factor as i64)),
                    _ => (first == 0 && second == 0).then_some(0),
                })
            }
            Inst::Int(IntOp::Shl, Kind::I32 | Kind::I64, _, [a, b]) => {
                strides(a, b).and_then(|(first, second)| match self.constant(b) {
                    Some(count) => {
                        let kind = program.kinds[a.0 as usize];
                        Some(first.wrapping_shl(count as u32 & (8 * kind.size() - 1)))
                    }
                    None => (first == 0 && second == 0).then_some(0),
                })
            }
            Inst::Convert(
                ConvertOp::Zext | ConvertOp::Sext,
                Kind::I32 | Kind::I64,
                Kind::I32 | Kind::I64,
                _,
                x,
            ) => match shape(x) {
                Shape::Stride(stride) => Some(stride),
                _ => None,
            },
            Inst::Address { base, index, scale, .. } => {
                strides(base, index).map(|(base, index)| base.wrapping_add(index.wrapping_mul(scale)))
            }
            // These see who else is there, so what they give is the same only for those that are there together.
            Inst::Fold { .. }
            | Inst::Shuffle(..)
            | Inst::Atomic { .. }
            | Inst::Gather { .. }
            | Inst::ImageResult { .. }
            | Inst::Clock(_) => {
                return Shape::Varying;
            }
            // The value of one lane, if all agree which.
            Inst::Pick(_, _, [_, lane]) => (shape(lane) == Shape::UNIFORM).then_some(0),
            _ => uniform.then_some(0),
        };
        let Some(stride) = result else { return Shape::Varying };
        let stride = if inst.result().is_some_and(|result| program.kinds[result.0 as usize] == Kind::I32) {
            i64::from(stride as i32)
        } else {
            stride
        };
        // Larger ones are no addresses that anybody meant.
        if stride.unsigned_abs() >= 1 << 20 { Shape::Varying } else { Shape::Stride(stride) }
    }

    /// Where all lanes that part at a block meet again, and for each way the blocks before: the first block that all come to, and none of them by a way
    /// back, since then the others go on before them.
    fn meeting(&mut self, flow: &Flow, block: usize) -> usize {
        let mut stop = flow.ipdom[block];
        loop {
            let mut last = 0;
            for (arm, &to) in flow.succs[block].iter().enumerate().take(2) {
                let set = 2 * block + arm;
                self.arms.clear(set);
                flow.reach(to, stop, &mut self.arms, set);
                self.arms.remove(set, stop);
                last = last.max(self.arms.from(set, 0).last().unwrap_or(0));
            }
            if last < stop {
                return stop;
            }
            stop = flow.ipdom[stop];
        }
    }

    /// Finds the branches at which lanes part; says whether there are more than before.
    fn part(&mut self, program: &Program, flow: &Flow) -> bool {
        let mut changed = false;
        let mut arms = Sets::new(2, flow.blocks + 1);
        for block in 0..flow.blocks {
            let Terminator::Branch { condition, .. } = program.blocks[block].terminator else { continue };
            if self.divergent[block] || self.is_same_in(flow, condition, block) {
                continue;
            }
            if self.shape_in(flow, condition, block) == Shape::Unset {
                continue;
            }
            changed = true;
            self.divergent[block] = true;
            let stop = self.meeting(flow, block);
            self.meet[block] = stop;
            for inside in (0..2).flat_map(|arm| self.arms.from(2 * block + arm, 0)) {
                self.masked[inside] = true;
            }
            for (index, own) in flow.loops.iter().enumerate() {
                if own.contains(block) && !own.contains(stop) {
                    self.parting[index] = true;
                }
            }
            arms.clone_from(&Sets::new(2, flow.blocks + 1));
            for (arm, &to) in flow.succs[block].iter().enumerate().take(2) {
                flow.reach_ahead(block, to, stop, &mut arms, arm);
            }
            // What comes only after a block to which both lead is where they are one again.
            let is_both = |place: usize| place > block && arms.has(0, place) && arms.has(1, place);
            for both in arms.from(0, 0).filter(|&both| arms.has(1, both)) {
                if let Some(merging) = self.merging.get_mut(both) {
                    *merging |= both <= block || !is_both(flow.idom(both));
                }
            }
            // One arm may lead straight to where they meet.
            if let Some(merging) = self.merging.get_mut(stop) {
                *merging |= flow.preds[stop].len() > 1;
            }
        }
        changed
    }

    /// Notes whether the scalar of a value may be wrong, since a number of 32 bits that was extended may have wrapped between lanes.
    fn mark_fragile(&mut self, inst: &Inst, result: Value) -> bool {
        let fragile = match (inst, self.shape(result)) {
            (_, Shape::Unset | Shape::Varying | Shape::UNIFORM) => false,
            // The low bits are right.
            (Inst::Convert(_, _, Kind::I32, ..), _) => false,
            (Inst::Convert(_, Kind::I32, Kind::I64, ..), _) => true,
            _ => inst.any_operand(|operand| self.fragile[operand.0 as usize]),
        };
        std::mem::replace(&mut self.fragile[result.0 as usize], fragile) != fragile
    }

    /// Where not all lanes may come to a barrier together, what is needed after it may be of different times; says whether that is news.
    fn meet_anywhere(&mut self, program: &Program, live: &Live) -> bool {
        let mut changed = false;
        for (place, block) in program.blocks.iter().enumerate() {
            let Terminator::Barrier { next, .. } = &block.terminator else { continue };
            if self.masked[place] {
                for value in live.at(next.target.0 as usize) {
                    if !self.timeless[value.0 as usize] {
                        changed |= self.worsen(value, Shape::Varying);
                        let has_strips = self.has_strips;
                        changed |= self.set_apart(value, has_strips);
                    }
                }
            }
        }
        changed
    }
}

/// Whether a preset differs between the strips of a subgroup.
fn is_apart(preset: Preset, ids: &Ids) -> bool {
    match preset {
        Preset::BuiltIn(BuiltIn::GlobalId(d) | BuiltIn::LocalId(d)) => ids.is_apart(d),
        Preset::BuiltIn(BuiltIn::LocalLinearId | BuiltIn::SubgroupLane | BuiltIn::GlobalLinearId) => true,
        Preset::Private { .. } => true,
        _ => false,
    }
}

/// The shape of a preset that is no id of a dimension.
fn preset_shape(program: &Program, preset: Preset) -> Shape {
    match preset {
        Preset::BuiltIn(built_in) => match built_in {
            BuiltIn::LocalLinearId | BuiltIn::SubgroupLane => Shape::Stride(1),
            BuiltIn::GlobalLinearId => Shape::Varying,
            _ => Shape::UNIFORM,
        },
        Preset::Private { .. } => Shape::Stride(program.private_stride().into()),
        _ => Shape::UNIFORM,
    }
}
