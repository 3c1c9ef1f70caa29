//! Calls, of one function or by a pointer.

use super::operand::Operand;
use super::{Calls, Lowering};
use crate::load::functions::Function;
use crate::load::indirect::address;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::{DraftId, Exit, Variable};
use crate::program::{CompareOp, Inst, Kind, Site};

/// What a function calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callee {
    pub(super) function: Id,
    /// Whether it is one of those that a pointer may lead to.
    pub(super) by_pointer: bool,
}

/// A call that is being inlined.
pub(super) struct Call<'w> {
    inst: Instruction<'w>,
    /// The functions that have not been inlined, each with the block in which it starts if that is not the current one.
    waiting: Vec<(Id, Option<DraftId>)>,
    arguments: Vec<(Id, Operand)>,
    result: Vec<Variable>,
    /// Where control goes after any of several functions.
    end: Option<DraftId>,
    has_begun: bool,
}

impl<'m, 'w> Lowering<'m, 'w> {
    /// OpFunctionCall; none if it is only noted, or done already.
    pub(super) fn call(&mut self, inst: &Instruction<'w>) -> Result<Option<Call<'w>>, LoadError> {
        let id = inst.operand(0)?;
        let function = self.module.functions.get(&id);
        let function = function.ok_or_else(|| inst.error(Problem::Expected { what: "a function", id }))?;
        if function.parameters.len() != inst.operands.len() - 1
            || function.definition.result_type != inst.result_type
        {
            return Err(inst.error(Problem::TypeMismatch("the call and the function")));
        }
        let mut arguments = Vec::with_capacity(function.parameters.len());
        for (index, &(_, ty)) in function.parameters.iter().enumerate() {
            let (given, operand) = self.operand(inst, index + 1)?;
            if given != ty {
                return Err(inst.error(Problem::TypeMismatch("an argument and its parameter")));
            }
            arguments.push((given, operand));
        }
        if self.intrinsic(inst, id)? {
            return Ok(None);
        }
        if let Calls::Noted(callees) = &mut self.calls {
            callees.push(Callee { function: id, by_pointer: false });
            self.unknown_result(inst)?;
            return Ok(None);
        }
        let result = self.result_variables(inst)?;
        let waiting = vec![(id, None)];
        Ok(Some(Call { inst: *inst, waiting, arguments, result, end: None, has_begun: false }))
    }

    /// OpFunctionPointerCallINTEL: the pointer is compared with the addresses of all functions that it may lead to; none if the call is only noted.
    pub(super) fn call_by_pointer(&mut self, inst: &Instruction<'w>) -> Result<Option<Call<'w>>, LoadError> {
        let (kind, pointer) = self.scalar(inst, 0)?;
        self.same_kind(inst, kind, Kind::I64)?;
        let mut arguments = Vec::with_capacity(inst.operands.len() - 1);
        for index in 1..inst.operands.len() {
            let (ty, values) = self.values(inst, index)?;
            arguments.push((ty, Operand::Values(values)));
        }
        let types: Vec<Id> = arguments.iter().map(|&(ty, _)| ty).collect();
        let module = self.module;
        let callees = module.indirect.callees(&module.types, inst.result_type, &types);
        let located = |problem| inst.error(problem);
        let end = self.builder.new_block().map_err(located)?;
        let mut waiting = Vec::new();
        for &id in callees {
            // There is no recursion, so that a pointer which leads to it is as wrong as one that leads to no function.
            if self.open_functions.contains(&id) && matches!(self.calls, Calls::Inlined) {
                continue;
            }
            let operands = [pointer, self.constant(Kind::I64, address(id))];
            let is_it = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, Kind::I64, v, operands))?;
            let start = self.builder.new_block().map_err(located)?;
            let next = self.builder.new_block().map_err(located)?;
            self.builder.finish(Exit::Branch(is_it, start, next));
            self.builder.open(next);
            waiting.push((id, Some(start)));
        }
        self.builder.finish(Exit::Unreachable(Site(inst.offset)));
        if let Calls::Noted(noted) = &mut self.calls {
            noted.extend(callees.iter().map(|&function| Callee { function, by_pointer: true }));
            self.builder.open(end);
            self.unknown_result(inst)?;
            return Ok(None);
        }
        let result = self.result_variables(inst)?;
        Ok(Some(Call { inst: *inst, waiting, arguments, result, end: Some(end), has_begun: false }))
    }

    /// The next function of a call that has to be inlined, with the variables for its result.
    pub(super) fn next_callee(
        &mut self,
        call: &mut Call<'w>,
    ) -> Result<Option<(&'m Function<'w>, Vec<Variable>)>, LoadError> {
        if let (true, Some(end)) = (call.has_begun, call.end) {
            self.builder.finish(Exit::Jump(end));
        }
        call.has_begun = true;
        let Some((id, start)) = call.waiting.pop() else { return Ok(None) };
        if let Some(start) = start {
            self.builder.open(start);
        }
        let module = self.module;
        let function = module.functions.get(&id);
        let function =
            function.ok_or_else(|| call.inst.error(Problem::Expected { what: "a function", id }))?;
        for (&(parameter, ty), (_, argument)) in function.parameters.iter().zip(&call.arguments) {
            if let Operand::Values(values) = argument {
                self.copy_scalars(values.len()).map_err(|error| call.inst.error(error.problem))?;
            }
            self.operands.insert(parameter, (ty, argument.clone()));
        }
        Ok(Some((function, call.result.clone())))
    }

    /// Lets the result of a call stand for what has been returned.
    pub(super) fn end_call(&mut self, call: &Call<'w>) -> Result<(), LoadError> {
        if let Some(end) = call.end {
            self.builder.open(end);
        }
        if *self.module.types.get(call.inst.result_type)? == Type::Void {
            return Ok(());
        }
        let values = self.read_all(&call.inst, &call.result)?;
        self.define(&call.inst, values)
    }

    fn result_variables(&mut self, inst: &Instruction<'_>) -> Result<Vec<Variable>, LoadError> {
        let leaves = self.module.types.leaves(inst.result_type).map_err(|error| inst.error(error.problem))?;
        Ok(leaves.iter().map(|&(kind, _)| self.builder.new_variable(kind)).collect())
    }

    /// A result of which nothing is known, for a call that is only noted.
    fn unknown_result(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let result = self.opaque(inst.result_type).map_err(|error| inst.error(error.problem))?;
        if result.is_empty() { Ok(()) } else { self.define(inst, result) }
    }
}
