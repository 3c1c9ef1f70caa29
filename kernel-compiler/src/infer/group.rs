//! The functions of `subgroup` and `work_group`.

use super::Infer;
use super::deferred::Requirement;
use crate::ir::{Among, Combine, Extent, Group, Memory, Query, Scope};
use crate::methods::Receiver;
use crate::typed::{CopyFunction, ExprKind, GroupFunction, Stride, Ty, VariableKind};
use kernel_core::Scalar;
use quote::ToTokens;
use std::rc::Rc;
use syn::ExprCall;

/// What a name stands for.
enum Meaning {
    Query(Query),
    Function(GroupFunction),
}

/// What the function with a name is, the name being that of the module and that in the module.
fn meaning(name: &str) -> Option<(Group, Meaning)> {
    use GroupFunction as Is;
    if name == "barrier" {
        return Some((Group::WorkGroup, Meaning::Function(Is::Barrier)));
    }
    if name == "assume_distinct" {
        return Some((Group::WorkGroup, Meaning::Function(Is::AssumeDistinct(Among::Launch))));
    }
    let (group, name) = match name.strip_prefix("subgroup_") {
        Some(name) => (Group::Subgroup, name),
        None => (Group::WorkGroup, name.strip_prefix("work_group_")?),
    };
    let query = match (group, name) {
        (Group::Subgroup, "id") => Some(Query::SubgroupId),
        (Group::Subgroup, "count") => Some(Query::NumSubgroups),
        (Group::Subgroup, "local_id") => Some(Query::SubgroupLocalId),
        (Group::Subgroup, "size") => Some(Query::SubgroupSize),
        (Group::Subgroup, "max_size") => Some(Query::MaxSubgroupSize),
        (Group::WorkGroup, "local_linear_id") => Some(Query::LocalLinearId),
        (Group::WorkGroup, "size") => Some(Query::WorkGroupSize),
        _ => None,
    };
    if let Some(query) = query {
        return Some((group, Meaning::Query(query)));
    }
    let function = match name {
        "barrier" => Is::Barrier,
        // What it orders is in its arguments.
        "barrier_in" => Is::BarrierIn(Scope::WorkGroup, Memory::NONE),
        "all" => Is::All,
        "any" => Is::Any,
        "ballot" => Is::Ballot,
        "broadcast" => Is::Broadcast,
        "assume_uniform" => Is::AssumeUniform,
        "assume_distinct" if group == Group::WorkGroup => Is::AssumeDistinct(Among::WorkGroup),
        "shuffle" => Is::Shuffle,
        "shuffle_up" => Is::ShuffleUp,
        "shuffle_down" => Is::ShuffleDown,
        "shuffle_xor" => Is::ShuffleXor,
        "block_read" => Is::BlockRead(1),
        "block_read2" => Is::BlockRead(2),
        "block_read4" => Is::BlockRead(4),
        "block_read8" => Is::BlockRead(8),
        "block_write" => Is::BlockWrite(1),
        "block_write2" => Is::BlockWrite(2),
        "block_write4" => Is::BlockWrite(4),
        "block_write8" => Is::BlockWrite(8),
        _ if group == Group::WorkGroup
            && let Some(copy) = copy(name) =>
        {
            Is::Copy(copy)
        }
        _ => fold(name)?,
    };
    Some((group, Meaning::Function(function)))
}

fn copy(name: &str) -> Option<CopyFunction> {
    let (name, has_work) = match name.strip_suffix("_while") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let stride = match name {
        "copy" => Stride::None,
        "gather" => Stride::From,
        "scatter" => Stride::To,
        _ => return None,
    };
    Some(CopyFunction { stride, has_work })
}

fn fold(name: &str) -> Option<GroupFunction> {
    let (extent, operator) = name.rsplit_once('_')?;
    let extent = match extent {
        "reduce" => Extent::All,
        "scan_inclusive" => Extent::Inclusive,
        "scan_exclusive" => Extent::Exclusive,
        _ => return None,
    };
    let combine = match operator {
        "add" => Combine::Add,
        "mul" => Combine::Mul,
        "min" => Combine::Min,
        "max" => Combine::Max,
        "and" => Combine::And,
        "or" => Combine::Or,
        "xor" => Combine::Xor,
        _ => return None,
    };
    Some(GroupFunction::Fold(combine, extent))
}

/// Returns whether a name is that of a function of `subgroup` or `work_group`, or `barrier`.
pub(super) fn is_function(name: &str) -> bool {
    meaning(name).is_some()
}

impl Infer<'_> {
    /// A call of a function of `subgroup` or `work_group`, or of `barrier`, if the name is that of one.
    pub(super) fn group_call(&mut self, call: &ExprCall, name: &str) -> Option<(ExprKind, Ty)> {
        let (group, meaning) = meaning(name)?;
        Some(match meaning {
            Meaning::Query(query) => {
                self.group_arguments(call, &[]);
                (ExprKind::Query(query, 0), Ty::USIZE)
            }
            Meaning::Function(function) => self.group_function(call, group, function),
        })
    }

    fn group_function(&mut self, call: &ExprCall, group: Group, function: GroupFunction) -> (ExprKind, Ty) {
        if function == GroupFunction::BarrierIn(Scope::WorkGroup, Memory::NONE) {
            return self.barrier_in(call, group);
        }
        if let GroupFunction::Copy(copy) = function {
            return self.copy_function(call, group, copy);
        }
        if let GroupFunction::BlockRead(count) | GroupFunction::BlockWrite(count) = function {
            return self.block_function(call, group, function, count);
        }
        let bool = Ty::Scalar(Scalar::Bool);
        let (own, receiver) = match function {
            GroupFunction::Barrier => (Ty::Unit, None),
            GroupFunction::All | GroupFunction::Any | GroupFunction::Ballot => (bool, None),
            GroupFunction::Fold(combine, _) => (self.table.fresh(VariableKind::Any), Some(takes(combine))),
            GroupFunction::AssumeDistinct(_) => (self.table.fresh(VariableKind::Integer), None),
            _ => (self.table.fresh(VariableKind::Any), Some(Receiver::Scalar)),
        };
        let parameters = match function {
            GroupFunction::Barrier => vec![],
            GroupFunction::All | GroupFunction::Any | GroupFunction::Ballot | GroupFunction::Fold(..) => {
                vec![own.clone()]
            }
            GroupFunction::AssumeUniform | GroupFunction::AssumeDistinct(_) => vec![own.clone()],
            _ => vec![own.clone(), Ty::USIZE],
        };
        let Some(arguments) = self.group_arguments(call, &parameters) else {
            return (ExprKind::Error, Ty::Error);
        };
        if let Some(receiver) = receiver {
            self.defer(Requirement::LanesIn(receiver), &own, call);
        }
        let result = if function == GroupFunction::Ballot { Ty::Scalar(Scalar::U64) } else { own };
        (ExprKind::Group(group, function, arguments), result)
    }

    /// A block read or write of so many elements of each work-item.
    fn block_function(
        &mut self,
        call: &ExprCall,
        group: Group,
        function: GroupFunction,
        count: u32,
    ) -> (ExprKind, Ty) {
        let element = self.table.fresh(VariableKind::Any);
        let value = match count {
            1 => element.clone(),
            _ => Ty::Vector(Rc::new(element.clone()), Rc::new(Ty::Constant(count.into()))),
        };
        let is_write = matches!(function, GroupFunction::BlockWrite(_));
        let slice = Ty::Slice { element: Rc::new(element.clone()), mutable: is_write };
        let mut parameters = vec![slice, Ty::USIZE];
        if is_write {
            parameters.push(value.clone());
        }
        let Some(arguments) = self.group_arguments(call, &parameters) else {
            return (ExprKind::Error, Ty::Error);
        };
        self.defer(Requirement::In(Receiver::Block), &element, call);
        (ExprKind::Group(group, function, arguments), if is_write { Ty::Unit } else { value })
    }

    /// A copy by the work-group, with what it does meanwhile.
    fn copy_function(&mut self, call: &ExprCall, group: Group, copy: CopyFunction) -> (ExprKind, Ty) {
        let element = Rc::new(self.table.fresh(VariableKind::Any));
        let mut parameters =
            [true, false].map(|mutable| Ty::Slice { element: element.clone(), mutable }).to_vec();
        if copy.stride != Stride::None {
            parameters.push(Ty::USIZE);
        }
        let work = copy.has_work.then(|| (Vec::new(), self.table.fresh(VariableKind::Any)));
        if call.args.len() != parameters.len() + usize::from(copy.has_work) {
            self.group_arguments(call, &parameters);
            return (ExprKind::Error, Ty::Error);
        }
        let mut given = call.args.iter();
        let mut arguments: Vec<_> = parameters
            .iter()
            .zip(&mut given)
            .map(|(wanted, argument)| self.typed_argument(argument, wanted))
            .collect();
        if let (Some(work), Some(argument)) = (&work, given.next()) {
            arguments.push(self.callable_argument(argument, work));
        }
        let result = work.map_or(Ty::Unit, |(_, result)| result);
        (ExprKind::Group(group, GroupFunction::Copy(copy), arguments), result)
    }

    /// The arguments of a call that takes these types.
    fn group_arguments(&mut self, call: &ExprCall, parameters: &[Ty]) -> Option<Vec<crate::typed::Expr>> {
        let arguments = self.arguments(&call.args);
        let name = call.func.to_token_stream().to_string();
        self.check_arguments(call, &call.args, &name, &arguments, parameters).then_some(arguments)
    }
}

/// The types of what can be combined so.
const fn takes(combine: Combine) -> Receiver {
    match combine {
        Combine::Add | Combine::Mul | Combine::Min | Combine::Max => Receiver::Number,
        Combine::And | Combine::Or | Combine::Xor => Receiver::Bits,
    }
}
