//! Between which numbers integers lie, so that accesses of local and private memory need no checks where they cannot fail.
//!
//! A range is of numbers without a sign. It holds for each work-item that executes the instruction, and says nothing of the numbers in the lanes of others. What conditions
//! say of values holds in the blocks to which they lead.

use super::flow::Flow;
use crate::native::ids::Ids;
use crate::native::switches::{Switch, Switches};
use crate::program::{
    BuiltIn, CompareOp, ConvertOp, Inst, IntOp, IntUnary, Kind, Preset, Program, Terminator, Value,
};

/// The least and the greatest number that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Range {
    pub(in crate::native) low: u64,
    pub(in crate::native) high: u64,
}

/// After so many passes, phis that still grow are taken for anything on that side.
const STEADY: usize = 2;
/// Values that still grow after so many passes are not known.
const MAX_PASSES: usize = 10;
/// So often all values are looked at again, when a way that is correct has been found, to make it narrower.
const NARROWING: usize = 2;
/// So many conditions on the way to a block are looked at, and so many parts of each.
const MAX_CONDITIONS: usize = 32;
const MAX_PARTS: usize = 8;

impl Range {
    const fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }

    const fn all(kind: Kind) -> Self {
        Self::new(0, greatest(kind))
    }

    fn join(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What is in both, if there is anything.
    fn meet(self, other: Self) -> Self {
        let both = Self::new(self.low.max(other.low), self.high.min(other.high));
        if both.low <= both.high { both } else { self }
    }

    /// A range by two operations that may overflow.
    fn checked(low: Option<u64>, high: Option<u64>, kind: Kind) -> Self {
        match (low, high) {
            (Some(low), Some(high)) if high <= greatest(kind) => Self::new(low, high),
            _ => Self::all(kind),
        }
    }
}

const fn greatest(kind: Kind) -> u64 {
    match kind {
        Kind::Bool => 1,
        kind => u64::MAX >> (64 - 8 * kind.size()),
    }
}

/// What a condition says on one of its ways: that the first value is less than the second one, or at most equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    less: Value,
    more: Value,
    strict: bool,
}

/// The ranges of the values of a program.
#[derive(Debug)]
pub(in crate::native) struct Ranges {
    /// None for what has not been computed.
    of: Vec<Option<Range>>,
    /// What the only way to each block says, if it is one of a branch.
    orders: Vec<Vec<Order>>,
    /// The block before each on every way, until the first one.
    before: Vec<usize>,
}

impl Ranges {
    pub(in crate::native) fn new(program: &Program, flow: &Flow, ids: &Ids, switches: Switches) -> Self {
        let mut this = Self {
            of: vec![None; program.kinds.len()],
            orders: vec![Vec::new(); flow.blocks],
            before: (0..flow.blocks).map(|block| flow.idom(block)).collect(),
        };
        let uses = switches.has(Switch::Ranges) && program.local_bytes + program.private_bytes > 0;
        if uses {
            this.find_orders(program, flow);
            this.presets(program, ids);
        }
        if !uses || !this.settle(program) {
            this.of = program.kinds.iter().map(|&kind| Some(Range::all(kind))).collect();
            return this;
        }
        for _ in 0..NARROWING {
            this.pass(program, |old, new| old.meet(new));
        }
        this
    }

    /// The range of a value where a block reads it; none if nothing computes it.
    pub(in crate::native) fn at(&self, value: Value, block: usize) -> Option<Range> {
        let mut range = self.of[value.0 as usize]?;
        for order in self.orders_at(block) {
            let (less, more) = (self.of[order.less.0 as usize], self.of[order.more.0 as usize]);
            let strict = u64::from(order.strict);
            if let (true, Some(more)) = (order.less == value, more) {
                range = range.meet(Range::new(0, more.high.saturating_sub(strict)));
            }
            if let (true, Some(less)) = (order.more == value, less) {
                range = range.meet(Range::new(less.low.saturating_add(strict), u64::MAX));
            }
        }
        Some(range)
    }

    /// What conditions on all ways to a block say.
    fn orders_at(&self, block: usize) -> impl Iterator<Item = Order> {
        let mut next = Some(block);
        let blocks = std::iter::from_fn(move || {
            let block = next?;
            next = (block > 0).then(|| self.before[block]);
            Some(block)
        });
        blocks.flat_map(|block| self.orders[block].iter().copied()).take(MAX_CONDITIONS)
    }

    fn find_orders(&mut self, program: &Program, flow: &Flow) {
        let mut defined = vec![None; program.kinds.len()];
        for inst in program.insts() {
            if let Some(result) = inst.result() {
                defined[result.0 as usize] = Some(*inst);
            }
        }
        for block in &program.blocks {
            let Terminator::Branch { condition, then, otherwise } = &block.terminator else { continue };
            if then.target == otherwise.target {
                continue;
            }
            for (edge, truth) in [(then, true), (otherwise, false)] {
                let to = edge.target.0 as usize;
                if flow.preds[to].len() == 1 {
                    self.orders[to] = orders(*condition, truth, &defined);
                }
            }
        }
    }

    fn presets(&mut self, program: &Program, ids: &Ids) {
        let mut has_source = vec![false; program.kinds.len()];
        for block in &program.blocks {
            let results = block.insts.iter().filter_map(Inst::result);
            let phis = block.terminator.edges().flat_map(|edge| &edge.moves).map(|step| step.to);
            results.chain(phis).for_each(|value| has_source[value.0 as usize] = true);
        }
        // What nothing defines is anything.
        for (value, &kind) in program.kinds.iter().enumerate() {
            if !has_source[value] {
                self.of[value] = Some(Range::all(kind));
            }
        }
        for &(value, preset) in &program.presets {
            let all = Range::all(program.kinds[value.0 as usize]);
            let range = match preset {
                Preset::Constant(bits) => {
                    let bits = bits & all.high;
                    Range::new(bits, bits)
                }
                Preset::BuiltIn(built_in) => of_built_in(built_in, ids).unwrap_or(all),
                _ => all,
            };
            self.of[value.0 as usize] = Some(all.meet(range));
        }
    }

    /// Makes ranges wider until they hold; says whether they do.
    fn settle(&mut self, program: &Program) -> bool {
        for pass in 0..MAX_PASSES {
            let widens = pass >= STEADY;
            let changed = self.pass(program, |old, new| {
                let both = old.join(new);
                let low = if widens && both.low < old.low { 0 } else { both.low };
                let high = if widens && both.high > old.high { u64::MAX } else { both.high };
                Range::new(low, high)
            });
            if !changed {
                return true;
            }
        }
        false
    }

    /// Computes all values anew, and keeps what `combine` makes of the old and the new range; says whether any has changed.
    fn pass(&mut self, program: &Program, combine: impl Fn(Range, Range) -> Range) -> bool {
        let mut changed = false;
        let mut set = |of: &mut Option<Range>, kind: Kind, new: Range| {
            let combined = of.map_or(new, |old| combine(old, new));
            let next = Some(Range::all(kind).meet(combined));
            changed |= std::mem::replace(of, next) != next;
        };
        let mut brought: Vec<Option<Range>> = vec![None; program.kinds.len()];
        for (place, block) in program.blocks.iter().enumerate() {
            for inst in &block.insts {
                let Some(result) = inst.result() else { continue };
                let kind = program.kinds[result.0 as usize];
                if let Some(new) = self.of_inst(inst, kind, place) {
                    set(&mut self.of[result.0 as usize], kind, new);
                }
            }
            for edge in block.terminator.edges() {
                // The condition of the way itself holds too.
                let to = edge.target.0 as usize;
                let at = if self.before[to] == place && !self.orders[to].is_empty() { to } else { place };
                for step in &edge.moves {
                    let Some(new) = self.at(step.from, at) else { continue };
                    let of = &mut brought[step.to.0 as usize];
                    *of = Some(of.map_or(new, |old| old.join(new)));
                }
            }
        }
        for (value, new) in brought.into_iter().enumerate() {
            if let Some(new) = new {
                set(&mut self.of[value], program.kinds[value], new);
            }
        }
        changed
    }

    /// The range of a result; none if its operands are not computed yet.
    fn of_inst(&self, inst: &Inst, kind: Kind, block: usize) -> Option<Range> {
        let all = Range::all(kind);
        Some(match *inst {
            Inst::Int(op, _, _, [a, b]) => {
                let (x, y) = (self.at(a, block)?, self.at(b, block)?);
                match op {
                    IntOp::Sub if self.is_at_most(b, a, block) => {
                        Range::new(x.low.saturating_sub(y.high), x.high.saturating_sub(y.low))
                    }
                    op => of_int(op, kind, x, y),
                }
            }
            Inst::IntUnary(op, operand, _, x) => {
                let x = self.at(x, block)?;
                match op {
                    IntUnary::LeadingZeros | IntUnary::TrailingZeros | IntUnary::CountOnes => {
                        all.meet(Range::new(0, 8 * u64::from(operand.size())))
                    }
                    IntUnary::SAbs if x.high <= greatest(kind) / 2 => x,
                    _ => all,
                }
            }
            Inst::Convert(op @ (ConvertOp::Zext | ConvertOp::Sext), from, _, _, x) => {
                let x = self.at(x, block)?;
                let keeps = op == ConvertOp::Zext || x.high <= greatest(from) / 2;
                if keeps && from != Kind::Bool && x.high <= all.high { x } else { all }
            }
            Inst::Select(_, _, _, [a, b]) => self.at(a, block)?.join(self.at(b, block)?),
            _ => all,
        })
    }

    /// Whether conditions say that one value is at most another one.
    fn is_at_most(&self, less: Value, more: Value, block: usize) -> bool {
        let (low, high) = (self.at(more, block), self.at(less, block));
        let apart = low.zip(high).is_some_and(|(more, less)| less.high <= more.low);
        apart || self.orders_at(block).any(|order| order.less == less && order.more == more)
    }
}

/// What a condition says if it is true, or if it is not.
fn orders(condition: Value, truth: bool, defined: &[Option<Inst>]) -> Vec<Order> {
    let mut result = Vec::new();
    let mut work = vec![(condition, truth)];
    for _ in 0..MAX_PARTS {
        let Some((value, truth)) = work.pop() else { break };
        match defined[value.0 as usize] {
            Some(Inst::Int(IntOp::And, Kind::Bool, _, both)) if truth => {
                work.extend(both.map(|part| (part, true)));
            }
            Some(Inst::Int(IntOp::Or, Kind::Bool, _, both)) if !truth => {
                work.extend(both.map(|part| (part, false)));
            }
            Some(Inst::IntUnary(IntUnary::BoolNot, _, _, x)) => work.push((x, !truth)),
            Some(Inst::Compare(op, kind, _, [a, b])) if !kind.is_float() => {
                let mut says = |less, more, strict| result.push(Order { less, more, strict });
                match (op, truth) {
                    (CompareOp::ULt, true) => says(a, b, true),
                    (CompareOp::ULt, false) => says(b, a, false),
                    (CompareOp::ULe, true) => says(a, b, false),
                    (CompareOp::ULe, false) => says(b, a, true),
                    (CompareOp::Eq, true) | (CompareOp::Ne, false) => {
                        says(a, b, false);
                        says(b, a, false);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    result
}

/// The range of an id or a size that the size of the group bounds; ids are those of work-items that exist.
fn of_built_in(built_in: BuiltIn, ids: &Ids) -> Option<Range> {
    let size = |d: u8| u64::from(ids.group_size[usize::from(d) % 3]);
    let items: u64 = (0..3).map(size).product();
    let lanes = u64::from(ids.subgroup_size);
    let below = |count: u64| Range::new(0, count.saturating_sub(1));
    match built_in {
        BuiltIn::LocalId(d) => Some(below(size(d))),
        BuiltIn::LocalSize(d) => Some(Range::new(size(d), size(d))),
        BuiltIn::LocalLinearId => Some(below(items)),
        BuiltIn::SubgroupLane => Some(below(lanes)),
        BuiltIn::SubgroupId => Some(below(items.div_ceil(lanes))),
        BuiltIn::SubgroupSize => Some(Range::new(1, lanes)),
        BuiltIn::SubgroupCount => Some(Range::new(1, items.div_ceil(lanes))),
        _ => None,
    }
}

fn of_int(op: IntOp, kind: Kind, x: Range, y: Range) -> Range {
    let all = Range::all(kind);
    let bits = 8 * u64::from(kind.size());
    // The greatest number with as many digits.
    let filled = |x: u64| if x == 0 { 0 } else { u64::MAX >> x.leading_zeros() };
    match op {
        _ if kind == Kind::Bool => all,
        IntOp::Add => Range::checked(x.low.checked_add(y.low), x.high.checked_add(y.high), kind),
        IntOp::Sub => Range::checked(x.low.checked_sub(y.high), x.high.checked_sub(y.low), kind),
        IntOp::Mul => Range::checked(x.low.checked_mul(y.low), x.high.checked_mul(y.high), kind),
        IntOp::UDiv if y.low > 0 => Range::new(x.low / y.high, x.high / y.low),
        IntOp::URem if y.low > 0 => Range::new(0, x.high.min(y.high - 1)),
        IntOp::Shl if y.low == y.high && y.low < bits && x.high <= all.high >> y.low => {
            Range::new(x.low << y.low, x.high << y.low)
        }
        IntOp::LShr if y.high < bits => Range::new(x.low >> y.high, x.high >> y.low),
        // The counts of shifts are masked.
        IntOp::LShr => Range::new(0, x.high),
        IntOp::And => Range::new(0, x.high.min(y.high)),
        IntOp::Or => Range::new(x.low.max(y.low), filled(x.high | y.high)),
        IntOp::Xor => Range::new(0, filled(x.high | y.high)),
        IntOp::UMin => Range::new(x.low.min(y.low), x.high.min(y.high)),
        IntOp::UMax => Range::new(x.low.max(y.low), x.high.max(y.high)),
        IntOp::UCarry | IntOp::UBorrow => all.meet(Range::new(0, 1)),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Block;
    use crate::program::drafts::{edge, program};

    /// The ranges of a program in groups of 256, whose blocks have local memory.
    fn ranges(kinds: &[Kind], presets: &[(u32, Preset)], blocks: Vec<Block>) -> Ranges {
        let program = Program { local_bytes: 1024, ..program(kinds, presets, blocks) };
        let flow = Flow::new(&program).unwrap();
        Ranges::new(&program, &flow, &Ids::new([256, 1, 1], 16), Switches::default())
    }

    fn int(op: IntOp, kind: Kind, result: u32, a: u32, b: u32) -> Inst {
        Inst::Int(op, kind, Value(result), [Value(a), Value(b)])
    }

    const ID: Preset = Preset::BuiltIn(BuiltIn::LocalId(0));

    #[test]
    fn ids_are_bounded_by_the_group_and_arithmetic_keeps_bounds() {
        const I: Kind = Kind::I32;
        let presets = [
            (0, ID),
            (1, Preset::Constant(7)),
            (2, Preset::Argument(0)),
            (3, Preset::Constant(3)),
            (4, Preset::Constant(0)),
        ];
        let insts = vec![
            int(IntOp::Add, I, 5, 0, 1),
            int(IntOp::Sub, I, 6, 0, 1),
            int(IntOp::And, I, 7, 2, 1),
            int(IntOp::Shl, I, 8, 0, 3),
            int(IntOp::UDiv, I, 9, 0, 3),
            int(IntOp::URem, I, 10, 2, 1),
            int(IntOp::Xor, I, 11, 0, 1),
            int(IntOp::Mul, I, 12, 2, 1),
            int(IntOp::UDiv, I, 13, 0, 4),
        ];
        let ranges = ranges(&[I; 14], &presets, vec![Block { insts, terminator: Terminator::Return }]);
        let at = |value| ranges.at(Value(value), 0).unwrap();
        let all = Range::all(I);
        assert_eq!(at(0), Range::new(0, 255));
        assert_eq!(at(5), Range::new(7, 262));
        assert_eq!(at(6), all);
        assert_eq!(at(7), Range::new(0, 7));
        assert_eq!(at(8), Range::new(0, 2040));
        assert_eq!(at(9), Range::new(0, 85));
        assert_eq!(at(10), Range::new(0, 6));
        assert_eq!(at(11), Range::new(0, 255));
        assert_eq!([at(12), at(13)], [all; 2]);
    }

    #[test]
    fn conditions_hold_where_they_lead() {
        const I: Kind = Kind::I32;
        // 0: id, 1: 100, 2: whether id < 100, 3: id - 100, 4: 100 - id.
        let kinds = [I, I, Kind::Bool, I, I];
        let compare = Inst::Compare(CompareOp::ULt, I, Value(2), [Value(0), Value(1)]);
        let branch = Terminator::Branch { condition: Value(2), then: edge(1, &[]), otherwise: edge(2, &[]) };
        let way = |inst| Block { insts: vec![inst], terminator: Terminator::Return };
        let blocks = vec![
            Block { insts: vec![compare], terminator: branch },
            way(int(IntOp::Sub, I, 4, 1, 0)),
            way(int(IntOp::Sub, I, 3, 0, 1)),
        ];
        let ranges = ranges(&kinds, &[(0, ID), (1, Preset::Constant(100))], blocks);
        assert_eq!(ranges.at(Value(0), 0), Some(Range::new(0, 255)));
        assert_eq!(ranges.at(Value(0), 1), Some(Range::new(0, 99)));
        assert_eq!(ranges.at(Value(0), 2), Some(Range::new(100, 255)));
        assert_eq!(ranges.at(Value(4), 1), Some(Range::new(1, 100)));
        assert_eq!(ranges.at(Value(3), 2), Some(Range::new(0, 155)));
    }

    /// `d = 128; while 0 < d { … d = d / 2 }`, or with another operation and another start.
    fn halving(op: IntOp, start: u64) -> Ranges {
        const I: Kind = Kind::I32;
        // 0: start, 1: 0, 2: 2, 3: d, 4: whether to go on, 5: next d.
        let kinds = [I, I, I, I, Kind::Bool, I];
        let presets = [(0, Preset::Constant(start)), (1, Preset::Constant(0)), (2, Preset::Constant(2))];
        let compare = Inst::Compare(CompareOp::ULt, I, Value(4), [Value(1), Value(3)]);
        let branch = Terminator::Branch { condition: Value(4), then: edge(2, &[]), otherwise: edge(3, &[]) };
        let blocks = vec![
            Block { insts: vec![], terminator: Terminator::Jump(edge(1, &[(3, 0)])) },
            Block { insts: vec![compare], terminator: branch },
            Block { insts: vec![int(op, I, 5, 3, 2)], terminator: Terminator::Jump(edge(1, &[(3, 5)])) },
            Block { insts: vec![], terminator: Terminator::Return },
        ];
        ranges(&kinds, &presets, blocks)
    }

    #[test]
    fn what_only_shrinks_in_a_loop_is_at_most_what_it_starts_with() {
        let shrinks = halving(IntOp::UDiv, 128);
        assert_eq!(shrinks.at(Value(3), 1), Some(Range::new(0, 128)));
        assert_eq!(shrinks.at(Value(3), 2), Some(Range::new(1, 128)));
        assert_eq!(shrinks.at(Value(3), 3), Some(Range::new(0, 0)));
        let grows = halving(IntOp::Add, 1);
        assert_eq!(grows.at(Value(3), 1), Some(Range::all(Kind::I32)));
    }

    #[test]
    fn what_nothing_defines_is_anything() {
        const I: Kind = Kind::I32;
        let branch = Terminator::Jump(edge(1, &[(1, 2)]));
        let blocks = vec![
            Block { insts: vec![], terminator: branch },
            Block { insts: vec![], terminator: Terminator::Return },
        ];
        let ranges = ranges(&[I; 3], &[(0, Preset::Constant(5))], blocks);
        assert_eq!(ranges.at(Value(1), 1), Some(Range::all(I)));
    }
}
