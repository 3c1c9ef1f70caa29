//! The bytes of a function whose registers are chosen.

use super::allocate::{Allocation, CONTEXT, REGISTERS, STACK};
use super::ssa::Form;
use super::{Anchor, Class, Code, End, Inst, Place, Role, SCRATCH};
use crate::dump::{self, Listed};
use crate::native::context::Context;
use crate::native::encode::{self as rows, Assembler, Base, Label, Memory, Operand, Operands, Register, Row};
use crate::native::hashing::Map;
use crate::native::target::Target;
use regalloc2::{Allocation as At, Block, Edit, Inst as Index, InstOrEdit, RegClass};
use std::mem::offset_of;

/// The constants behind the code, each once.
#[derive(Debug, Default)]
pub(in crate::native) struct Constants {
    pub(in crate::native) bytes: Vec<u8>,
    places: Map<Vec<u8>, u32>,
}

impl Constants {
    /// The place of a constant of 4, 8, 32 or 64 bytes, aligned to its size.
    pub(in crate::native) fn place(&mut self, constant: &[u8]) -> u32 {
        if let Some(&place) = self.places.get(constant) {
            return place;
        }
        let place = self.bytes.len().next_multiple_of(constant.len());
        self.bytes.resize(place, 0);
        self.bytes.extend_from_slice(constant);
        self.places.insert(constant.to_vec(), place as u32);
        place as u32
    }
}

/// The least page of memory in bytes.
const PAGE: i32 = 4096;

/// What the caller expects to find unchanged.
const SAVED: [Register; 6] = [3, 5, 12, 13, 14, 15];

const NOTHING: Operands =
    Operands { register: 0, second: 0, last: Operand::Register(0), mask: 0, zeroing: false, immediate: 0 };

/// The code of a function whose first argument is the context, in which the address of the function for calls is at `thunk`.
pub(super) fn emit(
    form: &Form,
    allocation: &Allocation,
    constants: &Constants,
    thunk: i32,
) -> (Vec<u8>, Vec<Listed>) {
    let mut emitter = Emitter::new(form, allocation, thunk);
    emitter.prologue();
    for block in 0..form.blocks.len() {
        emitter.block(block);
    }
    emitter.assembler.note(|| "the end, and the constants".into());
    let listed = emitter.assembler.take_listed();
    (emitter.assembler.finish(&constants.bytes), listed)
}

struct Emitter<'a> {
    form: &'a Form,
    allocation: &'a Allocation,
    assembler: Assembler,
    labels: Vec<Label>,
    /// Where a block that only jumps leads to in the end; other blocks lead to themselves.
    leads_to: Vec<usize>,
    thunk: i32,
}

impl<'a> Emitter<'a> {
    fn new(form: &'a Form, allocation: &'a Allocation, thunk: i32) -> Self {
        let mut assembler = if dump::is_wanted() { Assembler::listing() } else { Assembler::default() };
        let labels = form.blocks.iter().map(|_| assembler.label()).collect();
        let mut this = Self { form, allocation, assembler, labels, leads_to: Vec::new(), thunk };
        this.leads_to = this.follow_all();
        this
    }

    /// Where control is in the end that comes to each block.
    fn follow_all(&self) -> Vec<usize> {
        let count = self.form.blocks.len();
        let mut ends: Vec<Option<usize>> = vec![None; count];
        let mut on_path = vec![false; count];
        for start in 0..count {
            let (mut path, mut block) = (Vec::new(), start);
            let end = loop {
                if let Some(end) = ends[block] {
                    break end;
                }
                // A ring of empty blocks is an endless loop, which stays one.
                let next = self.only_jumps_to(block).filter(|_| !on_path[block]);
                let Some(next) = next else { break block };
                on_path[block] = true;
                path.push(block);
                block = next;
            };
            ends[block].get_or_insert(end);
            for block in path {
                on_path[block] = false;
                ends[block].get_or_insert(end);
            }
        }
        (0..count).map(|block| ends[block].unwrap_or(block)).collect()
    }

    /// The block that another one does nothing but jump to.
    fn only_jumps_to(&self, block: usize) -> Option<usize> {
        let End::Jump(to) = self.form.blocks[block].end else { return None };
        let items = self.allocation.output.block_insts_and_edits(&self.allocation.view, Block::new(block));
        (block != 0 && items.count() == 1).then_some(to.0 as usize)
    }

    fn prologue(&mut self) {
        for register in SAVED {
            self.assembler.push(register);
        }
        self.move_general(CONTEXT, 7);
        self.assembler
            .emit(rows::MOV64_STORE, &Operands { register: STACK, last: memory(CONTEXT, 0), ..NOTHING });
        let room = -(self.scratch() + SCRATCH as i32 + 64);
        // Touched page by page, so that a stack that is too small ends at its guard.
        for page in 1..=room.unsigned_abs() as i32 / PAGE {
            self.assembler.emit(rows::MOV64, &Operands { last: memory(STACK, -page * PAGE), ..NOTHING });
        }
        let stack = Operands { last: Operand::Register(STACK), immediate: room, ..NOTHING };
        self.assembler.emit(rows::ADD64_IMMEDIATE, &stack);
        self.assembler.emit(rows::AND64_IMMEDIATE, &Operands { immediate: -64, ..stack });
        self.assembler
            .emit(rows::MOV64, &Operands { register: REGISTERS, last: memory(CONTEXT, 8), ..NOTHING });
    }

    /// Where the scratch memory is, behind the values that are spilled.
    fn scratch(&self) -> i32 {
        (self.allocation.output.num_spillslots * 8).next_multiple_of(64) as i32
    }

    fn load_registers(&mut self) {
        self.assembler
            .emit(rows::MOV64, &Operands { register: REGISTERS, last: memory(CONTEXT, 8), ..NOTHING });
    }

    fn epilogue(&mut self) {
        self.assembler.emit(rows::MOV64, &Operands { register: STACK, last: memory(CONTEXT, 0), ..NOTHING });
        for &register in SAVED.iter().rev() {
            self.assembler.pop(register);
        }
        self.assembler.zero_upper();
        self.assembler.ret();
    }

    fn block(&mut self, index: usize) {
        if index != 0 && self.leads_to[index] != index {
            return;
        }
        self.assembler.bind(self.labels[index]);
        let start = self.allocation.view.ranges[index].0 as usize;
        let block = &self.form.blocks[index];
        let items: Vec<_> =
            self.allocation.output.block_insts_and_edits(&self.allocation.view, Block::new(index)).collect();
        for item in items {
            match item {
                InstOrEdit::Edit(Edit::Move { from, to }) => self.transfer(*from, *to),
                InstOrEdit::Inst(inst) => {
                    let registers = self.registers(inst);
                    match block.insts.get(inst.index() - start) {
                        Some(inst) => self.inst(inst, &registers),
                        None => self.end(index, &registers),
                    }
                }
            }
        }
    }

    /// The block that stands behind this one in memory.
    fn next(&self, index: usize) -> Option<usize> {
        (index + 1..self.form.blocks.len()).find(|&next| self.leads_to[next] == next)
    }

    fn end(&mut self, index: usize, registers: &[Register]) {
        match &self.form.blocks[index].end {
            End::Jump(to) => {
                let to = self.leads_to[to.0 as usize];
                if self.next(index) == Some(to) {
                    return;
                }
                match self.asked_again(index, to) {
                    Some(registers) => self.branch(index, to, &registers),
                    None => self.assembler.jump(self.labels[to]),
                }
            }
            End::Branch { .. } => self.branch(index, index, registers),
            End::Return | End::Open => self.epilogue(),
        }
    }

    /// Ends a block with the branch that a block has at its end.
    fn branch(&mut self, index: usize, of: usize, registers: &[Register]) {
        let (form, next) = (self.form, self.next(index));
        let End::Branch { test, condition, then, otherwise } = &form.blocks[of].end else { return };
        self.inst(test, registers);
        let (then, otherwise) = (self.leads_to[then.0 as usize], self.leads_to[otherwise.0 as usize]);
        if next == Some(then) {
            self.assembler.jump_if(condition.inverse(), self.labels[otherwise]);
        } else {
            self.assembler.jump_if(*condition, self.labels[then]);
            if next != Some(otherwise) {
                self.assembler.jump(self.labels[otherwise]);
            }
        }
    }

    /// The registers of the branch that is all that a block before this one has, if it is the head of a loop: control gets there faster by another branch than by a jump to it.
    fn asked_again(&self, from: usize, to: usize) -> Option<Vec<Register>> {
        let is_back = self.form.asks_again && to <= from;
        if !is_back || !matches!(self.form.blocks[to].end, End::Branch { .. }) {
            return None;
        }
        let mut items = self.allocation.output.block_insts_and_edits(&self.allocation.view, Block::new(to));
        match (items.next(), items.next()) {
            (Some(InstOrEdit::Inst(inst)), None) => Some(self.registers(inst)),
            _ => None,
        }
    }

    /// The registers of an instruction's operands.
    fn registers(&self, inst: Index) -> Vec<Register> {
        let allocs = self.allocation.output.inst_allocs(inst).iter();
        allocs.map(|at| at.as_reg().map_or(0, |register| register.hw_enc() as Register)).collect()
    }

    fn inst(&mut self, inst: &Inst, registers: &[Register]) {
        let operands = operands(inst, registers, self.scratch());
        match inst.code {
            Code::Row(row) => self.assembler.emit(row, &operands),
            // Renaming has left no copies.
            Code::Copy | Code::Undefined => {}
            Code::Immediate(value) => self.assembler.load_immediate(operands.register, value),
            Code::Compare { row, condition } => {
                let result = registers[0];
                self.assembler
                    .emit(row, &Operands { register: role(inst, registers, Role::Second), ..operands });
                self.assembler.set(condition, result);
                let byte = Operand::Register(result);
                self.assembler.emit(rows::MOVZX8, &Operands { register: result, last: byte, ..NOTHING });
            }
            Code::Divide { row } => {
                let high = Operands { register: 2, last: Operand::Register(2), ..NOTHING };
                self.assembler.emit(rows::XOR32, &high);
                self.assembler.emit(row, &operands);
            }
            Code::Choose { compare, choose } => {
                let (first, second) = (role(inst, registers, Role::Second), operands.last);
                self.assembler.emit(compare, &Operands { register: first, last: second, ..NOTHING });
                let other = Operand::Register(role(inst, registers, Role::Index));
                self.assembler.emit(choose, &Operands { last: other, ..operands });
            }
            Code::FullMask | Code::EmptyMask => {
                let result = operands.register;
                let last = Operand::Register(result);
                let row = match (self.form.target, inst.code == Code::FullMask) {
                    (Target::Avx512, true) => rows::KXNOR,
                    (Target::Avx512, false) => rows::KXOR,
                    (Target::Avx2, true) => rows::VPCMPEQD,
                    (Target::Avx2, false) => rows::VPXOR,
                };
                self.assembler.emit(row, &Operands { register: result, second: result, last, ..NOTHING });
            }
            Code::Registers => self.load_registers(),
            Code::NextRegisters => {
                let stride = memory(CONTEXT, offset_of!(Context, registers_stride) as i32);
                self.assembler.emit(rows::ADD64, &Operands { register: REGISTERS, last: stride, ..NOTHING });
            }
            Code::Call(number) => {
                let number = Operands { last: memory(CONTEXT, 16), immediate: number as i32, ..NOTHING };
                self.assembler.emit(rows::MOV32_IMMEDIATE, &number);
                self.assembler.emit(rows::CALL, &Operands { last: memory(CONTEXT, self.thunk), ..NOTHING });
            }
        }
    }

    fn move_general(&mut self, to: Register, from: Register) {
        self.assembler
            .emit(rows::MOV64, &Operands { register: to, last: Operand::Register(from), ..NOTHING });
    }

    /// A move that the allocator wants.
    fn transfer(&mut self, from: At, to: At) {
        let place = |at: At| at.as_stack().map(|slot| memory(STACK, slot.index() as i32 * 8));
        let register = |at: At| at.as_reg().map(|register| register.hw_enc() as Register);
        let class = match from.as_reg().or(to.as_reg()).map(|register| register.class()) {
            Some(RegClass::Float) => Class::Vector,
            Some(RegClass::Vector) => Class::Mask,
            _ => Class::General,
        };
        let (load, store) = self.form.target.moves(class);
        let mut emit = |row: Row, register: Register, last: Operand| {
            self.assembler.emit(row, &Operands { register, last, ..NOTHING });
        };
        match (register(from), register(to)) {
            (Some(from), Some(to)) => emit(load, to, Operand::Register(from)),
            (None, Some(to)) => {
                if let Some(place) = place(from) {
                    emit(load, to, place);
                }
            }
            (Some(from), None) => {
                if let Some(place) = place(to) {
                    emit(store, from, place);
                }
            }
            // The allocator goes through registers.
            (None, None) => {}
        }
    }
}

fn memory(base: Register, displacement: i32) -> Operand {
    Operand::Memory(Memory {
        base: Base::Register(base),
        index: None,
        scale: 1,
        displacement,
        broadcast: false,
    })
}

/// The register of the operand in a role; 0 if there is none.
fn role(inst: &Inst, registers: &[Register], role: Role) -> Register {
    let place = inst.operands().iter().position(|op| op.role == role);
    place.and_then(|place| registers.get(place)).copied().unwrap_or(0)
}

fn operands(inst: &Inst, registers: &[Register], scratch: i32) -> Operands {
    let has = |wanted: Role| inst.operands().iter().any(|op| op.role == wanted);
    let get = |wanted: Role| role(inst, registers, wanted);
    let last = match inst.place {
        None => Operand::Register(get(Role::Last)),
        Some(Place { anchor, scale, displacement, broadcast }) => {
            let displacement = if anchor == Anchor::Scratch { scratch + displacement } else { displacement };
            let base = match anchor {
                Anchor::Var => Base::Register(get(Role::Base)),
                Anchor::Context => Base::Register(CONTEXT),
                Anchor::Registers => Base::Register(REGISTERS),
                Anchor::Constant(place) => Base::Constant(place),
                Anchor::Scratch => Base::Register(STACK),
            };
            let index = has(Role::Index).then(|| get(Role::Index));
            Operand::Memory(Memory { base, index, scale, displacement, broadcast })
        }
    };
    let zeroing = has(Role::Zero);
    Operands {
        register: get(Role::Register),
        second: get(Role::Second),
        last,
        mask: if zeroing { get(Role::Zero) } else { get(Role::Merge) },
        zeroing,
        immediate: inst.immediate,
    }
}
