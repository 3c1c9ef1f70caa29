//! What can be found wrong with kernels before they are lowered: each function that they call is checked once, by itself.
//!
//! A function is lowered with parameters of which nothing is known, its calls are only noted, and what was made of it is
//! thrown away. So all that is wrong with an instruction is found in time and memory proportional to the module, however often functions call each
//! other. How large each kernel becomes with everything inlined is computed from how large its functions are.

use super::builder::MAX_STEPS;
use super::call::Callee;
use super::globals::ModuleData;
use super::kernel::MAX_PRIVATE_BYTES;
use super::operand::{Operand, Place, Storage};
use super::{Calls, Escaped, Lowering};
use crate::load::functions::Function;
use crate::load::types::Type;
use crate::load::{Id, LoadError, Module, Problem};
use crate::program::Value;
use spirv::StorageClass;
use std::collections::{HashMap, HashSet};

/// How many steps the kernels of a module may have together with everything inlined: so many, and so many more for each word of the module.
/// That bounds what all of its kernels can cost.
const FREE_STEPS: u64 = 1 << 17;
const STEPS_PER_WORD: u64 = 64;

/// Copies of scalars that cost as much as a step.
const COPIES_PER_STEP: u64 = 16;

/// The most scalars that a built-in variable has: a mask of lanes has four words.
const MAX_BUILT_IN_LEAVES: u64 = 4;

/// Checks all that the entry points of a module call.
///
/// # Errors
///
/// What is wrong with the first instruction that something is wrong with; if there is none, that something is called which another module
/// would have to define.
pub(crate) fn check(module: &Module<'_>, data: &ModuleData, escaped: &Escaped) -> Result<(), LoadError> {
    let lowering = Lowering::new(module, data, escaped, Calls::Noted(Vec::new()));
    let budget = FREE_STEPS + STEPS_PER_WORD * module.word_count as u64;
    let mut check = Check { lowering, costs: HashMap::new(), steps: 0, budget, unresolved: None };
    check.module().map_err(|error| module.name(error))
}

/// What a function costs with everything inlined that it calls.
#[derive(Clone, Copy, Default)]
struct Cost {
    steps: u64,
    private_bytes: u64,
}

/// A function whose callees are being checked.
struct Open {
    function: Id,
    own: Cost,
    /// Where the private memory of what it calls begins.
    private_top: u64,
    callees: Vec<Callee>,
    /// The sum and the most of what those before the next one cost.
    called: Cost,
    next: usize,
}

struct Check<'a, 'w> {
    lowering: Lowering<'a, 'w>,
    /// Of the functions that have been checked, and None for those that are open.
    costs: HashMap<Id, Option<Cost>>,
    /// How many steps have been checked.
    steps: u64,
    budget: u64,
    /// The first call of what another module would have to define.
    unresolved: Option<LoadError>,
}

impl Check<'_, '_> {
    fn module(&mut self) -> Result<(), LoadError> {
        let module = self.lowering.module;
        self.lowering.constant_ops()?;
        let constants = self.lowering.builder.discard_blocks() as u64;
        // What is computed from constants is there for all functions.
        let computed = std::mem::take(&mut self.lowering.operands);
        self.lowering.constants.extend(computed);
        let mut seen = HashSet::new();
        let mut total = 0_u64;
        for entry in &module.entry_points {
            let id = entry.function;
            let function = module.functions.get(&id).ok_or(Problem::Expected { what: "a function", id })?;
            let inst = &function.definition;
            let mut own = Cost::default();
            if seen.insert(id) {
                self.lowering.parameters(entry, function)?;
                own = self.finish_function();
            }
            let cost = self.function(id)?;
            let steps = cost.steps.saturating_add(own.steps).saturating_add(constants);
            total = total.saturating_add(steps);
            if steps > MAX_STEPS as u64 {
                return Err(inst.error(Problem::TooLarge("the kernel with everything inlined")));
            }
            if total > self.budget {
                let what = "the kernels of the module with everything inlined";
                return Err(inst.error(Problem::TooLarge(what)));
            }
            if own.private_bytes.next_multiple_of(16) + cost.private_bytes > MAX_PRIVATE_BYTES {
                return Err(inst.error(Problem::TooLarge("private memory")));
            }
        }
        self.unresolved.take().map_or(Ok(()), Err)
    }

    /// Checks a function and all that it calls.
    fn function(&mut self, id: Id) -> Result<Cost, LoadError> {
        let mut stack: Vec<Open> = Vec::new();
        let mut next = Some(Callee { function: id, by_pointer: false });
        loop {
            if let Some(Callee { function: id, by_pointer }) = next.take() {
                match self.costs.get(&id) {
                    Some(&Some(cost)) => match stack.last_mut() {
                        Some(caller) => caller.add(cost),
                        None => return Ok(cost),
                    },
                    // Such a call is a fault if it is reached.
                    Some(None) if by_pointer => {}
                    Some(None) => {
                        let function = &self.lowering.module.functions[&id];
                        return Err(function.definition.error(Problem::Recursion));
                    }
                    None => {
                        self.costs.insert(id, None);
                        stack.push(self.body(id)?);
                    }
                }
            }
            let Some(open) = stack.last_mut() else { return Ok(Cost::default()) };
            next = open.callees.get(open.next).copied();
            open.next += 1;
            if next.is_none() {
                let (id, cost) = (open.function, open.cost());
                stack.pop();
                self.costs.insert(id, Some(cost));
                next = Some(Callee { function: id, by_pointer: false });
            }
        }
    }

    /// Checks the body of a function.
    fn body(&mut self, id: Id) -> Result<Open, LoadError> {
        let module = self.lowering.module;
        let function = module.functions.get(&id).ok_or(Problem::Expected { what: "a function", id })?;
        let mut open = Open {
            function: id,
            own: Cost::default(),
            private_top: 0,
            callees: Vec::new(),
            called: Cost::default(),
            next: 0,
        };
        if function.blocks.is_empty() {
            let name = module.decorations.imported.get(&id).cloned();
            let problem = name.map_or(Problem::Structure("a function without a body"), Problem::Unresolved);
            let error = function.definition.error(problem);
            if !matches!(error.problem, Problem::Unresolved(_)) {
                return Err(error);
            }
            self.unresolved.get_or_insert(error);
            return Ok(open);
        }
        self.lowering.opaque_parameters(function)?;
        self.lowering.function(function)?;
        open.private_top = self.lowering.private_top.next_multiple_of(16);
        if let Calls::Noted(callees) = &mut self.lowering.calls {
            open.callees = std::mem::take(callees);
        }
        open.own = self.finish_function();
        self.steps += open.own.steps;
        if self.steps > self.budget {
            let problem = Problem::TooLarge("the functions of the module");
            return Err(function.definition.error(problem));
        }
        Ok(open)
    }

    /// Forgets what the lowering has of one function; returns what it costs.
    fn finish_function(&mut self) -> Cost {
        let lowering = &mut self.lowering;
        let copied = std::mem::take(&mut lowering.copied);
        let steps = lowering.builder.discard_blocks() as u64 + copied / COPIES_PER_STEP;
        lowering.operands = HashMap::new();
        lowering.local = HashMap::new();
        lowering.local_bytes = 0;
        lowering.private_top = 0;
        lowering.private_stack = None;
        Cost { steps, private_bytes: std::mem::take(&mut lowering.private_bytes) }
    }
}

impl Open {
    fn add(&mut self, callee: Cost) {
        self.called.steps = self.called.steps.saturating_add(callee.steps);
        self.called.private_bytes = self.called.private_bytes.max(callee.private_bytes);
    }

    fn cost(&self) -> Cost {
        Cost {
            steps: self.own.steps.saturating_add(self.called.steps),
            private_bytes: self.own.private_bytes.max(self.private_top + self.called.private_bytes),
        }
    }
}

impl Lowering<'_, '_> {
    /// Scalars of which nothing is known.
    pub(super) fn opaque(&mut self, ty: Id) -> Result<Vec<Value>, LoadError> {
        let leaves = self.module.types.leaves(ty)?;
        let values: Result<_, _> = leaves.into_iter().map(|(kind, _)| self.builder.opaque(kind)).collect();
        values.map_err(LoadError::from)
    }

    /// Lets the parameters stand for what a call might pass.
    fn opaque_parameters(&mut self, function: &Function<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| function.definition.error(error.problem);
        for &(id, ty) in &function.parameters {
            let place = match *self.module.types.get(ty).map_err(located)? {
                Type::Pointer { class: StorageClass::Function, pointee } => {
                    self.register_variable(id, pointee).map_err(located)?
                }
                // Built-in variables are never in memory.
                Type::Pointer { class: StorageClass::Input, pointee } => {
                    if self.module.types.leaf_count(pointee).map_err(located)? > MAX_BUILT_IN_LEAVES {
                        return Err(function
                            .definition
                            .error(Problem::Unsupported("this built-in variable")));
                    }
                    let leaves = self.module.types.leaves(pointee).map_err(located)?;
                    let variables: Vec<_> =
                        leaves.iter().map(|&(kind, _)| self.builder.new_variable(kind)).collect();
                    let first = variables.first().copied();
                    first.map(|first| Place { storage: Storage::Variables(first), pointee, leaf: 0 })
                }
                _ => None,
            };
            let operand = match place {
                Some(place) => Operand::Place(place),
                None => Operand::Values(self.opaque(ty).map_err(located)?),
            };
            self.operands.insert(id, (ty, operand));
        }
        Ok(())
    }
}
