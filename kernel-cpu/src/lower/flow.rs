//! Functions, blocks, branches and phis.

use super::Lowering;
use super::call::Call;
use super::operand::Operand;
use crate::check::checks;
use crate::load::functions::Function;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::{DraftId, Exit, Variable};
use crate::program::{CompareOp, Inst, Kind, Site, Value};
use spirv::Scope;

/// Where an inlined function returns to, and the variables that take its result.
pub(super) struct Return {
    block: DraftId,
    result: Vec<Variable>,
    /// Where private memory began that its caller had not taken.
    private_top: u64,
    /// How much was in use of the memory for variable-length arrays.
    height: Option<Value>,
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
    /// The blocks that have not been begun, the next one last.
    waiting: Vec<usize>,
    /// The block that is being lowered, and its next instruction.
    at: Option<(usize, usize)>,
    /// The call before that instruction, while what it calls is inlined.
    call: Option<Call<'w>>,
    back: Option<Return>,
}

impl<'m, 'w> Lowering<'m, 'w> {
    /// Lowers a function into the current block and what follows, with all that it calls where calls are inlined. Calls may be as deep as they like.
    pub(super) fn function(&mut self, function: &'m Function<'w>) -> Result<(), LoadError> {
        let mut bodies = vec![self.enter(function, None)?];
        while let Some(body) = bodies.last_mut() {
            match self.go_on(body)? {
                Some((callee, result)) => bodies.push(self.enter(callee, Some(result))?),
                None => bodies.pop().map_or(Ok(()), |body| self.leave(body))?,
            }
        }
        Ok(())
    }

    /// Begins the body of a function; one that is called has variables for its result.
    fn enter(
        &mut self,
        function: &'m Function<'w>,
        result: Option<Vec<Variable>>,
    ) -> Result<Body<'m, 'w>, LoadError> {
        let inst = &function.definition;
        if !self.open_functions.insert(inst.result) {
            return Err(inst.error(Problem::Recursion));
        }
        if function.blocks.is_empty() {
            let name = self.module.decorations.imported.get(&inst.result).cloned();
            let problem = name.map_or(Problem::Structure("a function without a body"), Problem::Unresolved);
            return Err(inst.error(problem));
        }
        let back = match result {
            Some(result) => {
                let block = self.builder.new_block().map_err(|problem| inst.error(problem))?;
                let private_top = self.private_top;
                self.private_top = private_top.next_multiple_of(16);
                let height = self.height_before(function).map_err(|error| inst.error(error.problem))?;
                Some(Return { block, result, private_top, height })
            }
            None => None,
        };
        let starts: Result<Vec<_>, _> = function.blocks.iter().map(|_| self.builder.new_block()).collect();
        let starts = starts.map_err(|problem| inst.error(problem))?;
        self.builder.finish(Exit::Jump(starts[0]));
        let mut waiting = function.reverse_post_order()?;
        waiting.reverse();
        let ends = vec![None; starts.len()];
        Ok(Body { function, starts, ends, phis: Vec::new(), waiting, at: None, call: None, back })
    }

    /// Lowers what is left of a body, up to the next function that has to be inlined, whose result goes to variables.
    fn go_on(
        &mut self,
        body: &mut Body<'m, 'w>,
    ) -> Result<Option<(&'m Function<'w>, Vec<Variable>)>, LoadError> {
        loop {
            if let Some(call) = &mut body.call {
                if let Some(callee) = self.next_callee(call)? {
                    return Ok(Some(callee));
                }
                self.end_call(call)?;
                body.call = None;
            }
            let (block, place) = match body.at.take() {
                Some(at) => at,
                None => {
                    let Some(block) = body.waiting.pop() else { return Ok(None) };
                    self.builder.open(body.starts[block]);
                    (block, 0)
                }
            };
            let Some(inst) = body.function.blocks[block].body.get(place) else {
                body.ends[block] = Some(self.builder.current());
                self.terminator(body, block)?;
                continue;
            };
            body.at = Some((block, place + 1));
            match inst.op {
                Op::Phi => {
                    let variables = self.phi(inst)?;
                    body.phis.push((variables, *inst));
                }
                Op::FunctionCall => body.call = self.call(inst)?,
                Op::FunctionPointerCallINTEL => body.call = self.call_by_pointer(inst)?,
                _ => self.instruction(inst)?,
            }
        }
    }

    /// Ends a body, all blocks of which have been lowered.
    fn leave(&mut self, body: Body<'m, 'w>) -> Result<(), LoadError> {
        body.phis.iter().try_for_each(|(variables, inst)| self.phi_operands(&body, variables, inst))?;
        let inst = &body.function.definition;
        self.open_functions.remove(&inst.result);
        if let Some(back) = body.back {
            self.private_top = back.private_top;
            self.builder.open(back.block);
            self.give_back(back.height).map_err(|error| inst.error(error.problem))?;
        }
        Ok(())
    }

    pub(super) fn read_all(
        &mut self,
        inst: &Instruction<'_>,
        variables: &[Variable],
    ) -> Result<Vec<Value>, LoadError> {
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

    /// Does something where a condition holds.
    pub(super) fn only_where(
        &mut self,
        inst: &Instruction<'_>,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let located = |problem| inst.error(problem);
        let inside = self.builder.new_block().map_err(located)?;
        let next = self.builder.new_block().map_err(located)?;
        self.builder.finish(Exit::Branch(condition, inside, next));
        self.builder.open(inside);
        then(self)?;
        self.builder.finish(Exit::Jump(next));
        self.builder.open(next);
        Ok(())
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
