//! Functions, blocks, branches, phis and calls.

use super::operand::Operand;
use super::{Calls, Lowering};
use crate::check::checks;
use crate::load::functions::Function;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::{DraftId, Exit, Variable};
use crate::program::{CompareOp, Inst, Kind, Site, Value};
use spirv::{Op, Scope};

/// The deepest chain of calls.
pub(super) const MAX_CALL_DEPTH: usize = 64;

/// Where an inlined function returns to, and the variables that take its result.
pub(super) struct Return {
    block: DraftId,
    result: Vec<Variable>,
}

/// One inlined body.
struct Body<'m, 'w> {
    function: &'m Function<'w>,
    /// The draft block in which each block starts.
    starts: Vec<DraftId>,
    /// The draft block in which each block ended; none if control cannot come there.
    ends: Vec<Option<DraftId>>,
    /// The phis, which get their operands once all blocks are there.
    phis: Vec<(Vec<Variable>, Instruction<'w>)>,
    back: Option<Return>,
}

impl<'m, 'w> Lowering<'m, 'w> {
    /// Lowers the body of a function into the current block and what follows.
    pub(super) fn body(&mut self, function: &'m Function<'w>, back: Option<Return>) -> Result<(), LoadError> {
        let starts: Result<Vec<_>, _> = function.blocks.iter().map(|_| self.builder.new_block()).collect();
        let starts = starts.map_err(|problem| function.definition.error(problem))?;
        let ends = vec![None; starts.len()];
        let mut body = Body { function, starts, ends, phis: Vec::new(), back };
        self.builder.finish(Exit::Jump(body.starts[0]));
        for block in function.reverse_post_order()? {
            self.builder.open(body.starts[block]);
            for inst in &function.blocks[block].body {
                if inst.op == Op::Phi {
                    let variables = self.phi(inst)?;
                    body.phis.push((variables, *inst));
                } else {
                    self.instruction(inst)?;
                }
            }
            body.ends[block] = Some(self.builder.current());
            self.terminator(&mut body, block)?;
        }
        body.phis.iter().try_for_each(|(variables, inst)| self.phi_operands(&body, variables, inst))
    }

    /// Inlines a function: the kernel itself, or, with the variables for its result, one that it calls.
    pub(super) fn function(
        &mut self,
        function: &'m Function<'w>,
        result: Option<Vec<Variable>>,
    ) -> Result<(), LoadError> {
        let inst = &function.definition;
        if self.call_stack.contains(&inst.result) {
            return Err(inst.error(Problem::Recursion));
        }
        if self.call_stack.len() >= MAX_CALL_DEPTH {
            return Err(inst.error(Problem::TooLarge("the depth of calls")));
        }
        if function.blocks.is_empty() {
            let name = self.module.decorations.imported.get(&inst.result).cloned();
            let problem = name.map_or(Problem::Structure("a function without a body"), Problem::Unresolved);
            return Err(inst.error(problem));
        }
        let back = match result {
            Some(result) => {
                let block = self.builder.new_block().map_err(|problem| inst.error(problem))?;
                Some(Return { block, result })
            }
            None => None,
        };
        let after = back.as_ref().map(|back| back.block);
        self.call_stack.push(inst.result);
        let private = self.private_top;
        self.private_top = private.next_multiple_of(16);
        let height = self.height_before(function).map_err(|error| inst.error(error.problem))?;
        self.body(function, back)?;
        self.private_top = private;
        self.call_stack.pop();
        if let Some(after) = after {
            self.builder.open(after);
            self.give_back(height).map_err(|error| inst.error(error.problem))?;
        }
        Ok(())
    }

    /// OpFunctionCall.
    pub(super) fn call(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        let id = inst.operand(0)?;
        let function = self.module.functions.get(&id);
        let function = function.ok_or_else(|| inst.error(Problem::Expected { what: "a function", id }))?;
        if function.parameters.len() != inst.operands.len() - 1
            || function.definition.result_type != inst.result_type
        {
            return Err(inst.error(Problem::TypeMismatch("the call and the function")));
        }
        for (index, &(parameter, ty)) in function.parameters.iter().enumerate() {
            let (given, operand) = self.operand(inst, index + 1)?;
            if given != ty {
                return Err(inst.error(Problem::TypeMismatch("an argument and its parameter")));
            }
            if matches!(self.calls, Calls::Inlined) {
                self.operands.insert(parameter, (ty, operand));
            }
        }
        if let Calls::Noted(callees) = &mut self.calls {
            callees.push(id);
            let result = self.opaque(inst.result_type).map_err(|error| inst.error(error.problem))?;
            return if result.is_empty() { Ok(()) } else { self.define(inst, result) };
        }
        let is_void = *self.module.types.get(inst.result_type)? == Type::Void;
        let leaves = self.module.types.leaves(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let variables: Vec<_> = leaves.iter().map(|&(kind, _)| self.builder.new_variable(kind)).collect();
        self.function(function, Some(variables.clone()))?;
        if is_void {
            return Ok(());
        }
        let values = self.read_all(inst, &variables)?;
        self.define(inst, values)
    }

    fn read_all(&mut self, inst: &Instruction<'_>, variables: &[Variable]) -> Result<Vec<Value>, LoadError> {
        let read = |&variable| self.builder.read(variable).map_err(|problem| inst.error(problem));
        variables.iter().map(read).collect()
    }

    fn phi(&mut self, inst: &Instruction<'_>) -> Result<Vec<Variable>, LoadError> {
        let leaves = self.module.types.leaves(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let variables: Vec<_> = leaves.iter().map(|&(kind, _)| self.builder.new_variable(kind)).collect();
        let values = self.read_all(inst, &variables)?;
        self.define(inst, values)?;
        Ok(variables)
    }

    /// Writes the operands of a phi at the ends of the blocks that they come from.
    fn phi_operands(
        &mut self,
        body: &Body<'_, '_>,
        variables: &[Variable],
        inst: &Instruction<'_>,
    ) -> Result<(), LoadError> {
        if !inst.operands.len().is_multiple_of(2) {
            return Err(inst.error(Problem::Truncated));
        }
        for (pair, labels) in inst.operands.chunks_exact(2).enumerate() {
            let block = body.function.block(inst, labels[1])?;
            // A block that control cannot come from has no end, and its value may not be defined.
            let Some(end) = body.ends[block] else { continue };
            let (ty, values) = self.values(inst, 2 * pair)?;
            if ty != inst.result_type || values.len() != variables.len() {
                return Err(inst.error(Problem::TypeMismatch("a phi and its operand")));
            }
            for (&variable, value) in variables.iter().zip(values) {
                let write = self.builder.write_at_end(end, variable, value);
                write.map_err(|problem| inst.error(problem))?;
            }
        }
        Ok(())
    }

    fn terminator(&mut self, body: &mut Body<'_, 'w>, block: usize) -> Result<(), LoadError> {
        let inst = &body.function.blocks[block].terminator;
        let target = |index| {
            let place = body.function.block(inst, inst.operand(index)?)?;
            Ok::<_, LoadError>(body.starts[place])
        };
        let exit = match inst.op {
            Op::Branch => Exit::Jump(target(0)?),
            Op::BranchConditional => {
                let [condition] = *self.booleans(inst, 0)? else {
                    return Err(inst.error(Problem::TypeMismatch("a branch needs one boolean")));
                };
                Exit::Branch(condition, target(1)?, target(2)?)
            }
            Op::Switch => {
                body.ends[block] = Some(self.switch(body, inst)?);
                return Ok(());
            }
            Op::Return => leave(body),
            Op::ReturnValue => {
                self.return_value(body, inst)?;
                leave(body)
            }
            Op::Unreachable => Exit::Unreachable(Site(inst.offset)),
            _ => return Err(inst.error(Problem::UnsupportedInstruction)),
        };
        self.builder.finish(exit);
        Ok(())
    }

    fn return_value(&mut self, body: &Body<'_, '_>, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, values) = self.values(inst, 0)?;
        if ty != body.function.definition.result_type {
            return Err(inst.error(Problem::TypeMismatch("the returned value and the function")));
        }
        let result = body.back.as_ref().map(|back| back.result.as_slice()).unwrap_or_default();
        for (&variable, value) in result.iter().zip(values) {
            self.builder.write(variable, value).map_err(|problem| inst.error(problem))?;
        }
        Ok(())
    }

    /// OpSwitch becomes a chain of comparisons.
    ///
    /// Returns the block where phis may put their writes: the first of the chain, since all targets are
    /// reached through it.
    fn switch(&mut self, body: &Body<'_, '_>, inst: &Instruction<'_>) -> Result<DraftId, LoadError> {
        let (kind, selector) = self.scalar(inst, 0)?;
        if kind.is_float() || kind == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("a switch needs an integer")));
        }
        let start = self.builder.current();
        let case_words = if kind.size() == 8 { 3 } else { 2 };
        let cases = inst.operands_from(2);
        if !cases.len().is_multiple_of(case_words) {
            return Err(inst.error(Problem::Truncated));
        }
        for case in cases.chunks_exact(case_words) {
            let (literal, label) = (&case[..case_words - 1], case[case_words - 1]);
            let bits = u64::from(literal[0]) | literal.get(1).map_or(0, |&high| u64::from(high) << 32);
            let constant = self.constant(kind, bits & (u64::MAX >> (64 - 8 * kind.size())));
            let operands = [selector, constant];
            let equal = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, kind, v, operands))?;
            let next = self.builder.new_block().map_err(|problem| inst.error(problem))?;
            let target = body.starts[body.function.block(inst, label)?];
            self.builder.finish(Exit::Branch(equal, target, next));
            self.builder.open(next);
        }
        let default = body.starts[body.function.block(inst, inst.operand(1)?)?];
        self.builder.finish(Exit::Jump(default));
        Ok(start)
    }

    /// OpControlBarrier, and the second half of one that is split.
    pub(super) fn control_barrier(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        // A subgroup runs in lockstep, so what its lanes wrote is already visible to the others.
        if self.check_barrier(inst)? == Scope::Subgroup {
            // Only who looks for races has to know of it.
            return match checks().races {
                true => self
                    .builder
                    .effect(Inst::Converge(Site(inst.offset)))
                    .map_err(|problem| inst.error(problem)),
                false => Ok(()),
            };
        }
        if self.constant_operand(inst, 0)? == Scope::Device as u64 {
            self.device_barriers.push(Site(inst.offset));
        }
        self.meet(inst)
    }

    /// Whose barrier it is.
    pub(super) fn check_barrier(&self, inst: &Instruction<'_>) -> Result<Scope, LoadError> {
        self.check_memory_scope(inst, 1)?;
        match self.constant_operand(inst, 0)? {
            scope if scope == Scope::Subgroup as u64 => Ok(Scope::Subgroup),
            scope if scope == Scope::Workgroup as u64 => Ok(Scope::Workgroup),
            scope if scope == Scope::Device as u64 => Ok(Scope::Device),
            _ => Err(inst.error(Problem::Environment(
                "the execution scope of a barrier must be Device, Workgroup or Subgroup",
            ))),
        }
    }

    /// Lets a result stand for what another one does.
    pub(super) fn alias(&mut self, inst: &Instruction<'_>, ty: Id, operand: Operand) {
        self.operands.insert(inst.result, (ty, operand));
    }
}

fn leave(body: &Body<'_, '_>) -> Exit {
    match &body.back {
        Some(back) => Exit::Jump(back.block),
        None => Exit::Return,
    }
}
