//! Registers, by `regalloc2`.

use super::ssa::Form;
use super::{Class, End, How, Inst, Refused};
use crate::native::encode::Register;
use crate::native::target::Target;
use regalloc2::{
    Block, Ctx, Function, Inst as Index, InstRange, MachineEnv, Operand, OperandConstraint, OperandKind,
    OperandPos, Output, PReg, PRegSet, RegClass, RegallocOptions, VReg, run_with_ctx,
};
use std::cell::RefCell;

/// The context's address.
pub(super) const CONTEXT: Register = 15;
/// The address of the register file of the subgroup.
pub(super) const REGISTERS: Register = 14;
/// The stack.
pub(super) const STACK: Register = 4;

/// How much of the stack a function may take, in units of 8 bytes.
const MAX_SPILL_SLOTS: usize = 1 << 14;

/// The memory of the allocator is kept for the next function, unless this one had more instructions.
const MAX_KEPT: usize = 1 << 14;

thread_local! {
    static MEMORY: RefCell<Ctx> = RefCell::default();
}

/// What the allocator decided, and how it numbered the instructions.
pub(super) struct Allocation {
    pub(super) output: Output,
    pub(super) view: View,
}

pub(super) fn allocate(form: &Form) -> Result<Allocation, Refused> {
    let view = View::new(form);
    let options = RegallocOptions { validate_ssa: cfg!(debug_assertions), ..RegallocOptions::default() };
    let mut memory = MEMORY.take();
    run_with_ctx(&view, &environment(form.target), &options, &mut memory)
        .map_err(|_| Refused("the register allocator found no registers"))?;
    let output = std::mem::take(&mut memory.output);
    if view.insts.len() <= MAX_KEPT {
        MEMORY.set(memory);
    }
    if output.num_spillslots > MAX_SPILL_SLOTS {
        return Err(Refused::TOO_LARGE);
    }
    Ok(Allocation { output, view })
}

fn environment(target: Target) -> MachineEnv {
    let set = |class: RegClass, registers: &mut dyn Iterator<Item = Register>| {
        let mut set = PRegSet::empty();
        registers.for_each(|register| set.add(PReg::new(register.into(), class)));
        set
    };
    let general = [0, 1, 2, 6, 7, 8, 9, 10, 11, 3, 5, 12, 13];
    MachineEnv {
        preferred_regs_by_class: [
            set(RegClass::Int, &mut general.into_iter()),
            set(RegClass::Float, &mut (0..target.vectors())),
            set(RegClass::Vector, &mut (1..8)),
        ],
        non_preferred_regs_by_class: [PRegSet::empty(); 3],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

const fn class(class: Class) -> RegClass {
    match class {
        Class::General => RegClass::Int,
        Class::Vector => RegClass::Float,
        Class::Mask => RegClass::Vector,
    }
}

/// The function as the allocator sees it.
pub(super) struct View {
    operands: Vec<Operand>,
    /// Where the operands of each instruction start, and whether it ends a block (1) or the function (2).
    insts: Vec<(u32, u8)>,
    pub(super) ranges: Vec<(u32, u32)>,
    succs: Vec<Vec<Block>>,
    preds: Vec<Vec<Block>>,
    params: Vec<Vec<VReg>>,
    args: Vec<Vec<Vec<VReg>>>,
    vregs: usize,
    vector_slots: usize,
}

impl View {
    /// How many instructions there are.
    pub(super) fn instructions(&self) -> usize {
        self.num_insts()
    }

    fn new(form: &Form) -> Self {
        let vreg = |var: super::Var| VReg::new(var.0 as usize, class(form.classes[var.0 as usize]));
        let mut view = Self {
            operands: Vec::new(),
            insts: Vec::new(),
            ranges: Vec::new(),
            succs: Vec::new(),
            preds: Vec::new(),
            params: Vec::new(),
            args: Vec::new(),
            vregs: form.classes.len(),
            vector_slots: form.target.vector_bytes() / 8,
        };
        for block in &form.blocks {
            let start = view.insts.len() as u32;
            for inst in &block.insts {
                view.push(inst, 0, vreg);
            }
            match &block.end {
                End::Branch { test, .. } => view.push(test, 1, vreg),
                End::Jump(_) => view.insts.push((view.operands.len() as u32, 1)),
                End::Return | End::Open => view.insts.push((view.operands.len() as u32, 2)),
            }
            view.ranges.push((start, view.insts.len() as u32));
            view.succs.push(block.end.targets().map(|to| Block::new(to.0 as usize)).collect());
            view.preds.push(block.preds.iter().map(|&from| Block::new(from as usize)).collect());
            view.params.push(block.params.iter().map(|&param| vreg(param)).collect());
            view.args
                .push(block.args.iter().map(|args| args.iter().map(|&arg| vreg(arg)).collect()).collect());
        }
        view.insts.push((view.operands.len() as u32, 0));
        view
    }

    fn push(&mut self, inst: &Inst, kind: u8, vreg: impl Fn(super::Var) -> VReg) {
        self.insts.push((self.operands.len() as u32, kind));
        for op in inst.operands() {
            let var = vreg(op.var);
            let fixed = |register: u8| OperandConstraint::FixedReg(PReg::new(register.into(), var.class()));
            let reg = OperandConstraint::Reg;
            let (constraint, kind, position) = match op.how {
                How::Use => (reg, OperandKind::Use, OperandPos::Early),
                How::LateUse => (reg, OperandKind::Use, OperandPos::Late),
                How::Def => (reg, OperandKind::Def, OperandPos::Late),
                How::Reuse(place) => {
                    (OperandConstraint::Reuse(place.into()), OperandKind::Def, OperandPos::Late)
                }
                How::UseFixed(register) => (fixed(register), OperandKind::Use, OperandPos::Early),
                How::DefFixed(register) => (fixed(register), OperandKind::Def, OperandPos::Late),
            };
            self.operands.push(Operand::new(var, constraint, kind, position));
        }
    }
}

impl Function for View {
    fn num_insts(&self) -> usize {
        self.insts.len() - 1
    }

    fn num_blocks(&self) -> usize {
        self.ranges.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        let (start, end) = self.ranges[block.index()];
        InstRange::new(Index::new(start as usize), Index::new(end as usize))
    }

    fn block_succs(&self, block: Block) -> &[Block] {
        &self.succs[block.index()]
    }

    fn block_preds(&self, block: Block) -> &[Block] {
        &self.preds[block.index()]
    }

    fn block_params(&self, block: Block) -> &[VReg] {
        &self.params[block.index()]
    }

    fn is_ret(&self, inst: Index) -> bool {
        self.insts[inst.index()].1 == 2
    }

    fn is_branch(&self, inst: Index) -> bool {
        self.insts[inst.index()].1 == 1
    }

    fn branch_blockparams(&self, block: Block, _: Index, which: usize) -> &[VReg] {
        &self.args[block.index()][which]
    }

    fn inst_operands(&self, inst: Index) -> &[Operand] {
        let (start, end) = (self.insts[inst.index()].0, self.insts[inst.index() + 1].0);
        &self.operands[start as usize..end as usize]
    }

    fn inst_clobbers(&self, _: Index) -> PRegSet {
        PRegSet::empty()
    }

    fn num_vregs(&self) -> usize {
        self.vregs
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        if class == RegClass::Float { self.vector_slots } else { 1 }
    }
}
