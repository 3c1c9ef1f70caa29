//! From the program to machine code over variables.
//!
//! # How lanes part and meet
//!
//! Blocks stand in memory as they stand in the program. A block at which not all lanes may be has a mask. Where lanes part, each way's mask is what its lanes
//! are, and control goes through the blocks in their order: one whose mask is empty is passed over, together with all that only it leads to. At the way back
//! of a loop, control goes to its header if any lane does. So the earliest block that has lanes is always the next, as in the interpreter.
//!
//! # How values are kept
//!
//! An integer that is the same in all lanes, or differs by the same from lane to lane, is in a general register: that of the first lane. A `Bool` is a mask.
//! All others are vectors, one of sixteen lanes of 32 bits, or two of eight lanes of 64 bits; smaller integers have their own lanes of 32 bits, in which the upper
//! bits are zero. Where a form is made that nobody needs, `lir` drops it.
//!
//! A subgroup of more lanes than vectors have is several *strips*, which go through the code together: each has masks and values of its own, but
//! for values that are the same in all of them, and a block is passed over if no strip has lanes there.
//!
//! A value that is read behind a loop which lanes leave at different times is kept for that in a vector of its own, its *shadow*, which each lane sets as
//! long as it is in the loop.

/// The place of a field of the context.
macro_rules! context {
    ($field:ident) => {
        crate::native::lir::Place::at(
            crate::native::lir::Anchor::Context,
            std::mem::offset_of!(crate::native::context::Context, $field) as i32,
        )
    };
    ($field:ident + $offset:expr) => {
        crate::native::lir::Place::at(
            crate::native::lir::Anchor::Context,
            std::mem::offset_of!(crate::native::context::Context, $field) as i32 + $offset,
        )
    };
}

mod atomic;
mod call;
mod checks;
mod collective;
mod control;
mod convert;
mod counted;
mod divide;
mod each;
mod elementary;
mod ends;
mod exchange;
mod float;
mod image;
mod in_order;
mod indexed;
mod int;
mod integers;
mod lines;
mod memory;
mod origin;
mod prefetch;
mod proved;
mod remake;
mod scalar;
mod strided;
mod subgroups;
mod unwrapped;
mod values;
mod wait;

use super::analyse::agreed::agreed;
use super::analyse::flow::{Flow, Loop};
use super::analyse::liveness::Live;
use super::analyse::ranges::Ranges;
use super::analyse::regions::{Region, regions, stops_alike};
use super::analyse::shape::{Shape, Shapes};
use super::encode::{self as rows, Condition};
use super::hashing::{Map, Set};
use super::ids::Ids;
use super::lir::{Block, Class, Constants, End, Function, Inst as Machine, Passes, Refused, Var, has};
use super::switches::{Switch, Switches};
use super::target::Target;
use crate::exec::{Code, strip_private_bytes};
use crate::program::{ImageOp, Inst, Kind, MAX_STRIPS, Program, Site, Space, Terminator, Value};
use checks::Trust;
use control::Control;
use elementary::WithInteger;
use lines::Lines;
use subgroups::Walk;
use values::Forms;
use wait::Waiting;

/// An access that is checked by a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked {
    /// The number of the instruction.
    pub(crate) op: u32,
    /// How many bytes from the address on it accesses.
    pub(crate) extent: u64,
    pub(crate) space: Space,
    /// Where in the argument block the pointer is from which the addresses come, if they come from one.
    pub(crate) argument: Option<u32>,
    /// The indices that are compared, if they are rather than addresses.
    pub(crate) indices: Option<Indices>,
}

/// Indices of an access, each so many bytes from the next, and the first so far from where an argument points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Indices {
    pub(crate) argument: u32,
    pub(crate) scale: u64,
    pub(crate) offset: i64,
}

/// What image instructions are done to: an operation, and the numbers of image and sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UsedImage {
    pub(crate) op: ImageOp,
    pub(crate) numbers: [u64; 2],
}

/// What native code asks for besides instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Control is at an `OpUnreachable`.
    Unreachable(Site),
    /// Lanes wait at the barrier with this number.
    Park(u32),
    /// The launch has to stop.
    Halt,
}

/// The calls from this number on are events.
pub(crate) const EVENTS: u32 = 1 << 31;

/// A barrier: its site, and the block after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BarrierPlace {
    pub(crate) site: Site,
    pub(crate) block: u32,
}

/// Code over variables, and what it needs to run.
#[derive(Debug)]
pub(super) struct Selected {
    pub(super) function: Function,
    pub(super) constants: Constants,
    pub(super) limits: Vec<Checked>,
    pub(super) images: Vec<UsedImage>,
    pub(super) events: Vec<Event>,
    pub(super) barriers: Vec<BarrierPlace>,
    /// The bytes behind the register file in which values wait at barriers.
    pub(super) saved_bytes: u32,
    /// The bytes of private memory of a subgroup that there must be besides the interpreter's.
    pub(super) private_bytes: u64,
    /// Whether the code runs one subgroup at a time, rather than all of the group.
    pub(super) is_stepwise: bool,
    /// The instructions that the interpreter always executes.
    pub(super) interpreted: Vec<Inst>,
}

/// How often selection may start again for instructions that the processor lacks.
const MAX_ROUNDS: usize = 4;

/// Selects code for a program whose work-groups have some size; `code` is the same program for the interpreter.
pub(super) fn select(
    program: &Program,
    code: &Code,
    ids: &Ids,
    target: Target,
    switches: Switches,
) -> Result<Selected, Refused> {
    let facts = Facts::new(program, ids, switches)?;
    let select = |lacking: Set<Position>| {
        let mut selector = Selector::new(program, code, ids, &facts, switches);
        selector.lacking = Lacking { target, known: lacking, found: Vec::new() };
        selector.lines = selector.find_lines();
        selector.run();
        selector
    };
    let mut selector = select(Set::default());
    for _ in 0..MAX_ROUNDS {
        if selector.lacking.found.is_empty() {
            break;
        }
        let Lacking { mut known, found, .. } = selector.lacking;
        known.extend(found);
        selector = select(known);
    }
    if !selector.lacking.found.is_empty() {
        return Err(Refused("instructions that the processor lacks"));
    }
    Ok(Selected {
        is_stepwise: facts.regions.is_none(),
        function: selector.function,
        constants: selector.constants,
        limits: selector.limits,
        images: selector.images,
        events: selector.events,
        barriers: selector.barriers,
        saved_bytes: selector.waiting.bytes,
        private_bytes: selector
            .lines
            .more_bytes(ids.strips, ids.strips as u64 * strip_private_bytes(program)),
        interpreted: selector.interpreted,
    })
}

/// So many values may wait at all barriers together.
const MAX_WAITING: usize = 1 << 16;

/// What is known of the program.
struct Facts {
    flow: Flow,
    live: Live,
    shapes: Shapes,
    /// What is executed between barriers, if that has code of its own.
    regions: Option<Vec<Region>>,
    /// The values that all subgroups of a group agree on.
    agreed: Vec<bool>,
    ranges: Ranges,
    /// The loops of which each pass goes over a barrier.
    over_barriers: Vec<bool>,
    /// The regions in which no subgroup stops elsewhere than another one.
    alike: Vec<bool>,
}

impl Facts {
    fn new(program: &Program, ids: &Ids, switches: Switches) -> Result<Self, Refused> {
        let flow = Flow::new(program)?;
        let live = Live::new(program, &flow)?;
        let shapes = Shapes::new(program, &flow, &live, ids, switches)?;
        let targets = program.blocks.iter().filter_map(|block| match &block.terminator {
            Terminator::Barrier { next, .. } => Some(next.target.0 as usize),
            _ => None,
        });
        if targets.map(|target| live.at(target).count()).sum::<usize>() > MAX_WAITING {
            return Err(Refused("too many values that wait at barriers"));
        }
        let regions = regions(program, &flow, &shapes, switches);
        let agreed = agreed(program, &flow, &shapes, switches);
        let ranges = Ranges::new(program, &flow, ids, switches);
        let goes_round = |own: &Loop| flow.reached(own.header)[own.latch];
        let over_barriers = flow.loops.iter().map(|own| !goes_round(own)).collect();
        let is_alike = |region| switches.has(Switch::Alike) && stops_alike(program, region, &agreed);
        let alike = regions.iter().flatten().map(is_alike).collect();
        Ok(Self { flow, live, shapes, regions, agreed, ranges, over_barriers, alike })
    }
}

/// The block and the place in it of an instruction of the program.
type Position = (usize, usize);

/// The instructions of the program that the interpreter executes since the processor lacks what they need.
#[derive(Default)]
struct Lacking {
    target: Target,
    known: Set<Position>,
    /// Those that have come up besides.
    found: Vec<Position>,
}

/// The lanes of a strip that are here: all, or those of a mask.
type Mask = Option<Var>;

/// The same of all strips; those that there are not are as the first.
type Masks = [Mask; MAX_STRIPS];

struct Selector<'a> {
    program: &'a Program,
    code: &'a Code,
    ids: &'a Ids,
    flow: &'a Flow,
    shapes: &'a Shapes,
    live: &'a Live,
    facts: &'a Facts,
    switches: Switches,
    function: Function,
    constants: Constants,
    limits: Vec<Checked>,
    images: Vec<UsedImage>,
    /// What image instructions work on.
    parts: image::Parts,
    /// The limit for an instruction, an extent, and the indices that are compared.
    limit_numbers: Map<(u32, u64, Option<Indices>), usize>,
    events: Vec<Event>,
    barriers: Vec<BarrierPlace>,
    interpreted: Vec<Inst>,
    waiting: Waiting,
    forms: Vec<Forms>,
    control: Control,
    walk: Walk,
    /// The block of the program that is selected.
    block: usize,
    /// The place in it.
    place: usize,
    /// Whether an instruction of the program is selected.
    in_inst: bool,
    lacking: Lacking,
    /// The block of the function that grows.
    at: Block,
    /// How many strips the subgroup has.
    strips: usize,
    /// The strip for which code is selected.
    strip: usize,
    /// Whether that is for all strips, of which the first stands for them.
    is_shared: bool,
    /// The lanes that are here, of each strip.
    here: Masks,
    /// Those of the strip, or of any strip where code is for all.
    mask: Mask,
    /// Whether the block is selected for when all lanes are there, and those are known to go on together.
    is_whole: bool,
    all_here: bool,
    /// How accesses of memory are allowed.
    trust: Trust,
    /// Upper halves of masks that are known in this block of the function.
    halves: Map<Var, Var>,
    /// The lanes of any strip, by the mask of the first, that are known there.
    unions: Map<Var, Var>,
    /// Constants in registers that are known in this block of the function.
    known: Map<(Value, bool), Var>,
    /// The private memory that is in lines.
    lines: Lines,
    /// Where a subgroup comes to that is done.
    finish: Block,
    /// Where native code ends.
    leave: Block,
    /// Where it comes to when the launch has to stop.
    halted: Block,
    preset: Vec<Option<crate::program::Preset>>,
    /// The instruction that defines each value.
    defined: Vec<Option<Inst>>,
    /// Where in its block that is.
    places: Vec<usize>,
    /// How often each value is read.
    uses: Vec<u32>,
    /// Whether a value needs a shadow.
    shadowed: Vec<bool>,
    /// The phis of each block.
    phis: Vec<Vec<Value>>,
    /// How many instructions are the interpreter's.
    /// How many instructions functions have become.
    function_steps: usize,
}

impl<'a> Selector<'a> {
    fn new(program: &'a Program, code: &'a Code, ids: &'a Ids, facts: &'a Facts, switches: Switches) -> Self {
        let Facts { flow, live, shapes, .. } = facts;
        let has_wholes = switches.has(Switch::Wholes) && may_have_wholes(program, shapes);
        let strips = ids.strips;
        let count = program.kinds.len();
        let passes = Passes {
            hoist: switches.has(Switch::Hoist),
            sink: switches.has(Switch::Sink),
            fold: switches.has(Switch::Sums),
            slots: switches.has(Switch::Slots),
            layout: switches.has(Switch::Layout),
        };
        let mut function = Function { passes, ..Function::default() };
        let start = function.block(false);
        function.stand(start);
        let (finish, leave) = (function.block(false), function.block(false));
        let halted = function.block(true);
        let mut preset = vec![None; count];
        for &(value, what) in &program.presets {
            preset[value.0 as usize] = Some(what);
        }
        let (mut defined, mut places) = (vec![None; count], vec![0; count]);
        for (place, inst) in program.blocks.iter().flat_map(|block| block.insts.iter().enumerate()) {
            if let Some(result) = inst.result() {
                defined[result.0 as usize] = Some(*inst);
                places[result.0 as usize] = place;
            }
        }
        let mut phis = vec![Vec::new(); flow.blocks];
        let mut seen = vec![false; count];
        for edge in program.blocks.iter().flat_map(|block| block.terminator.edges()) {
            for step in &edge.moves {
                if !std::mem::replace(&mut seen[step.to.0 as usize], true) {
                    phis[edge.target.0 as usize].push(step.to);
                }
            }
        }
        Self {
            program,
            code,
            ids,
            flow,
            shapes,
            live,
            facts,
            switches,
            constants: Constants::default(),
            limits: Vec::new(),
            images: Vec::new(),
            parts: image::Parts::default(),
            limit_numbers: Map::default(),
            events: Vec::new(),
            barriers: Vec::new(),
            interpreted: Vec::new(),
            waiting: Waiting::new(count),
            walk: Walk::default(),
            forms: (0..strips).map(|_| Forms::new(count)).collect(),
            control: Control::new(&mut function, flow, shapes, switches, has_wholes, strips),
            function,
            block: 0,
            place: 0,
            in_inst: false,
            lacking: Lacking::default(),
            lines: Lines::default(),
            at: start,
            strips,
            strip: 0,
            is_shared: false,
            here: [None; MAX_STRIPS],
            mask: None,
            is_whole: false,
            all_here: false,
            trust: Trust::default(),
            halves: Map::default(),
            unions: Map::default(),
            known: Map::default(),
            finish,
            leave,
            halted,
            preset,
            defined,
            places,
            uses: uses(program),
            shadowed: shadowed(program, flow, shapes),
            phis,
            function_steps: 0,
        }
    }

    fn run(&mut self) {
        self.find_barriers();
        match self.facts.regions {
            Some(_) => self.groups(),
            None => self.one_subgroup(),
        }
        self.ends();
    }

    /// Selects the blocks of the program: first what is executed when all lanes are there, then what is when some are elsewhere.
    fn blocks(&mut self) {
        for block in 0..self.flow.blocks {
            let is_masked = self.shapes.masked[block];
            if is_masked && !self.control.has_wholes || !self.is_in_region(block) {
                continue;
            }
            self.set_whole(self.control.has_wholes);
            if is_masked {
                self.start_whole(block);
            } else {
                self.start_block(block);
            }
            self.rest_of_block();
        }
        self.set_whole(false);
        for block in 0..self.flow.blocks {
            if self.shapes.masked[block] && self.is_in_region(block) {
                self.start_block(block);
                self.rest_of_block();
            }
        }
    }

    fn set_whole(&mut self, is_whole: bool) {
        self.is_whole = is_whole;
        self.all_here = is_whole;
    }

    fn rest_of_block(&mut self) {
        self.insts();
        self.end_block();
    }

    fn find_barriers(&mut self) {
        for block in &self.program.blocks {
            if let Terminator::Barrier { site, next } = &block.terminator {
                self.barriers.push(BarrierPlace { site: *site, block: next.target.0 });
            }
        }
    }

    /// Makes a block stand, and goes on there.
    fn go(&mut self, block: Block) {
        self.function.stand(block);
        self.go_on(block);
    }

    /// Goes on in a block that stands already.
    fn go_on(&mut self, block: Block) {
        self.at = block;
        self.halves.clear();
        self.unions.clear();
        self.known.clear();
    }

    /// Has code be for a strip.
    fn enter(&mut self, strip: usize) {
        (self.strip, self.is_shared) = (strip, false);
        self.mask = self.here[strip];
    }

    /// Has code be for all strips, where they all do the same.
    fn enter_shared(&mut self) {
        self.enter(0);
        if self.strips > 1 {
            self.is_shared = true;
            self.mask = self.any_here();
        }
    }

    /// The lanes that are here in any strip.
    fn any_here(&mut self) -> Mask {
        let mut any = self.here[0]?;
        if let Some(&known) = self.unions.get(&any) {
            return Some(known);
        }
        for strip in 1..self.strips {
            let other = self.here[strip]?;
            any = self.masks(rows::KOR, any, other);
        }
        self.unions.insert(self.here[0]?, any);
        Some(any)
    }

    /// Says which lanes are here.
    fn set_here(&mut self, here: Masks) {
        self.here = here;
        self.unions.clear();
        self.enter(0);
    }

    /// Whether a value is the same in all strips.
    fn is_common(&self, value: Value) -> bool {
        !self.shapes.apart[value.0 as usize]
    }

    /// The strip whose variables a value has.
    fn strip_of(&self, value: Value) -> usize {
        if self.is_common(value) { 0 } else { self.strip }
    }

    /// Selects code that defines a value: once for each strip, or for all of them.
    fn in_strips_of(&mut self, value: Value, mut select: impl FnMut(&mut Self)) {
        if self.is_common(value) {
            self.enter_shared();
            select(self);
        } else {
            for strip in 0..self.strips {
                self.enter(strip);
                select(self);
            }
        }
        self.enter(0);
    }

    /// Selects an instruction for all strips of the subgroup.
    fn inst_of_all(&mut self, inst: &Inst) {
        if self.strips == 1 {
            return self.inst(inst);
        }
        match inst.result() {
            _ if inst.is_together() => self.inst_together(inst),
            Some(result) => self.in_strips_of(result, |this| this.inst_of_strip(inst)),
            None => {
                for strip in 0..self.strips {
                    self.enter(strip);
                    self.inst_of_strip(inst);
                }
                self.enter(0);
            }
        }
    }

    /// Selects an instruction for a strip; one that does something, or goes from lane to lane, is passed over where the strip has no lanes.
    fn inst_of_strip(&mut self, inst: &Inst) {
        let goes_by_lane = matches!(inst, Inst::Load { .. }) && !self.is_vectorized(inst);
        let needs_lanes = (inst.has_effect() || goes_by_lane) && !self.is_shared;
        let Some(mask) = self.mask.filter(|_| needs_lanes) else {
            return self.inst(inst);
        };
        let cold = self.function.blocks[self.at.0 as usize].cold;
        let (some, after) = (self.function.block(cold), self.function.block(cold));
        let test = Machine::row(rows::KORTEST).register(mask).last(mask);
        self.branch(test, Condition::Equal, after, some);
        self.go(some);
        self.inst(inst);
        self.jump(after);
        self.go(after);
    }

    /// Selects what the lanes of several strips do together.
    fn inst_together(&mut self, inst: &Inst) {
        self.enter(0);
        let is_lacking = self.lacking.known.contains(&(self.block, self.place));
        let done = match *inst {
            _ if is_lacking || !self.switches.has(Switch::Arithmetic) => None,
            Inst::Converge(_) => self.converge(),
            Inst::Fold { combine, extent, kind, result, x } => self.fold(combine, extent, kind, result, x),
            Inst::Shuffle(kind, result, operands) => self.shuffle(kind, result, operands),
            Inst::Pick(kind, result, operands) => self.taken_alone(kind, result, operands),
            Inst::Contribute(kind, x) => self.contribute(kind, x),
            Inst::Gather { combine, extent, kind, result } => self.collect(combine, extent, kind, result),
            _ => None,
        };
        if done.is_none() {
            self.enter(0);
            self.interpreted.push(*inst);
            self.call_together(inst);
        }
        self.enter(0);
    }

    fn push(&mut self, inst: Machine) {
        self.need(&inst);
        self.function.push(self.at, inst);
    }

    /// Notes whether the processor lacks an instruction. What does not belong to one of the program is refused later.
    fn need(&mut self, inst: &Machine) {
        let here = (self.block, self.place);
        let lacks = self.lacking.target == Target::Avx2 && !has(inst);
        if lacks && self.in_inst && !self.lacking.known.contains(&here) {
            self.lacking.found.push(here);
        }
    }

    fn jump(&mut self, to: Block) {
        self.function.end(self.at, End::Jump(to));
    }

    fn branch(&mut self, test: Machine, condition: Condition, then: Block, otherwise: Block) {
        self.function.end(self.at, End::Branch { test, condition, then, otherwise });
    }

    fn general(&mut self) -> Var {
        self.function.var(Class::General)
    }

    fn vector(&mut self) -> Var {
        self.function.var(Class::Vector)
    }

    fn mask_var(&mut self) -> Var {
        self.function.var(Class::Mask)
    }

    fn kind(&self, value: Value) -> Kind {
        self.program.kinds[value.0 as usize]
    }

    /// Whether the block has not been selected for another region.
    fn is_first_copy(&self) -> bool {
        let before = self.facts.regions.iter().flatten().take(self.walk.region);
        before.into_iter().all(|region| !region.has[self.block])
    }

    /// The shape of a value as this block sees it.
    fn shape(&self, value: Value) -> Shape {
        self.shapes.shape_in(self.flow, value, self.block)
    }

    fn inst(&mut self, inst: &Inst) {
        let switch = match inst {
            Inst::Load { .. } | Inst::Store { .. } | Inst::Atomic { .. } => Switch::Memory,
            _ => Switch::Arithmetic,
        };
        let is_lacking = self.lacking.known.contains(&(self.block, self.place));
        let done = match *inst {
            Inst::ImageOperand { part, value, .. } => self.image_operand(part, value),
            Inst::Image { .. } => self.image(inst, !is_lacking),
            Inst::ImageResult { part, result, .. } => self.image_result(part, result),
            _ if is_lacking || !self.switches.has(switch) => None,
            Inst::Int(op, kind, result, operands) => self.int(op, kind, result, operands),
            Inst::IntUnary(op, kind, result, x) => self.int_unary(op, kind, result, x),
            Inst::Float(op, kind, result, operands) => self.float(op, kind, result, operands),
            Inst::Compare(op, kind, result, operands) => self.compare(op, kind, result, operands),
            Inst::Convert(op, from, to, result, x) => self.convert(op, from, to, result, x),
            Inst::Math(op, kind, result, operands) => {
                self.math(op, kind, result, operands).or_else(|| self.function(op, kind, result, operands))
            }
            Inst::Pown(kind, result, operands) => {
                self.with_integer(WithInteger::Power, kind, result, operands)
            }
            Inst::Rootn(kind, result, operands) => {
                self.with_integer(WithInteger::Root, kind, result, operands)
            }
            Inst::Ldexp(kind, result, operands) => {
                self.with_integer(WithInteger::Scale, kind, result, operands)
            }
            Inst::Select(kind, result, condition, operands) => self.choose(kind, result, condition, operands),
            Inst::Classify { test, kind, result, x } => self.classify(test, kind, result, x),
            Inst::Address { result, base, index, scale, offset } => {
                self.address(result, base, index, scale, offset)
            }
            Inst::Load { kind, space, result, address, .. } => self.load(kind, space, result, address),
            Inst::Store { kind, space, value, address, .. } => self.store(kind, space, value, address),
            Inst::Atomic { op, kind, space, result, address, operands, .. } => {
                self.atomic(op, kind, space, result, [address, operands[0]])
            }
            Inst::Converge(_) => self.converge(),
            Inst::Fold { combine, extent, kind, result, x } => self.fold(combine, extent, kind, result, x),
            Inst::Shuffle(kind, result, operands) => self.shuffle(kind, result, operands),
            Inst::Pick(kind, result, operands) => self.taken_alone(kind, result, operands),
            Inst::Contribute(kind, x) => self.contribute(kind, x),
            Inst::Gather { combine, extent, kind, result } => self.collect(combine, extent, kind, result),
            _ => None,
        };
        if done.is_none() {
            if !self.trust.calls && self.is_first_copy() {
                self.interpreted.push(*inst);
            }
            self.call(inst);
        }
    }
}

/// More instructions than these where lanes may have parted are not selected twice.
const MAX_TWICE: usize = 1 << 12;

/// Whether blocks at which lanes may be missing have code of their own for when all are there.
fn may_have_wholes(program: &Program, shapes: &Shapes) -> bool {
    let masked = program.blocks.iter().zip(&shapes.masked).filter(|(_, masked)| **masked);
    masked.map(|(block, _)| block.insts.len()).sum::<usize>() <= MAX_TWICE
}

/// How often each value is read.
fn uses(program: &Program) -> Vec<u32> {
    let mut result = vec![0; program.kinds.len()];
    let mut read = |value: Value| result[value.0 as usize] += 1;
    for block in &program.blocks {
        for inst in &block.insts {
            let mut inst = *inst;
            inst.visit_operands(&mut |operand| read(*operand));
        }
        if let Terminator::Branch { condition, .. } = block.terminator {
            read(condition);
        }
        block.terminator.edges().flat_map(|edge| &edge.moves).for_each(|step| read(step.from));
    }
    result
}

/// Which values are read behind loops that lanes leave at different times.
fn shadowed(program: &Program, flow: &Flow, shapes: &Shapes) -> Vec<bool> {
    let mut result = vec![false; program.kinds.len()];
    for (place, block) in program.blocks.iter().enumerate() {
        let mut read = |value: Value| {
            if shapes.left_loop(flow, value, place).is_some() {
                result[value.0 as usize] = true;
            }
        };
        for inst in &block.insts {
            let mut inst = *inst;
            inst.visit_operands(&mut |operand| read(*operand));
        }
        if let Terminator::Branch { condition, .. } = block.terminator {
            read(condition);
        }
        for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
            read(step.from);
        }
    }
    result
}
