//! The ranges of the elements of tables and of private arrays, as lists of offsets.
//!
//! Of an array in which only constants are kept they are known from the start. What else is kept in one, as the neighbours in `[w - 1, 0, 1]`, the walk sees where it is stored. So the elements of such an
//! array are known where it has come by all stores to it, which is so in all code that fills an array before it looks at it.
//!
//! What an array holds before it is stored to is undefined. So wherever it is loaded from, either all of it or each of its elements has been stored before on the way there.

use super::interval::Interval;
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Base, Block, Handle, Index, Module, Op, Place, Statement, Step, Table, Type, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::extend;

/// The most elements of an array that is looked at.
const LONGEST: u32 = 64;

/// What the elements of arrays of integers can be to which nothing refers.
#[derive(Default)]
pub(super) struct Elements {
    known: HashMap<Handle<Variable>, Stores>,
}

/// What is stored to an array.
#[derive(Clone, Copy)]
struct Stores {
    /// The constants among it, and zero, which is loaded where an index is out of bounds.
    constants: Interval,
    /// How many statements store something else.
    others: usize,
    /// What they store, as far as the walk has come by them; nothing if that may be anything.
    seen: Option<Interval>,
    /// How many of them it has not come by.
    awaited: usize,
}

impl Elements {
    pub(super) fn of(module: &Module) -> Self {
        let mut known: HashMap<Handle<Variable>, Stores> = HashMap::default();
        for (variable, declared) in module.variables.iter() {
            if element_of(module, declared.ty).is_some() {
                let constants = Interval::exactly(0);
                known.insert(variable, Stores { constants, others: 0, seen: None, awaited: 0 });
            }
        }
        if known.is_empty() {
            return Self { known };
        }
        let mut forget = |place: &Place| {
            if let Base::Variable(variable) = place.base {
                known.remove(&variable);
            }
        };
        for (_, value) in module.values.iter() {
            match &value.op {
                Op::Load(_) | Op::InBounds(_) => {}
                Op::BlockAccess(access) => forget(&access.place),
                other => other.place().into_iter().for_each(&mut forget),
            }
        }
        module.body.for_each_statement(&mut |statement| {
            if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, value } = statement
                && let Some(stores) = known.get_mut(variable)
            {
                match stored_range(module, *value) {
                    Some(range) => stores.constants = stores.constants.join(range),
                    None => stores.others += 1,
                }
            }
        });
        let mut initialised = Initialised { module, unknown: HashSet::default() };
        initialised.block(&module.body, &HashMap::default());
        known.retain(|variable, _| !initialised.unknown.contains(variable));
        let mut elements = Self { known };
        elements.start();
        elements
    }

    /// Forgets what has been seen, at the start of a walk, which comes by each statement once at most.
    pub(super) fn start(&mut self) {
        for stores in self.known.values_mut() {
            (stores.seen, stores.awaited) = (Some(stores.constants), stores.others);
        }
    }

    /// Takes note of what a statement stores, whose range is computed if it matters.
    pub(super) fn note_store(
        &mut self,
        module: &Module,
        variable: Handle<Variable>,
        value: Handle<Value>,
        range: impl FnOnce() -> Option<Interval>,
    ) {
        let Some(stores) = self.known.get_mut(&variable) else { return };
        if stored_range(module, value).is_none() {
            stores.seen = stores.seen.and_then(|seen| Some(seen.join(range()?)));
            stores.awaited = stores.awaited.saturating_sub(1);
        }
    }

    /// What an element of an array can be, if that is known here.
    pub(super) fn range(&self, variable: Handle<Variable>) -> Option<Interval> {
        self.known.get(&variable).filter(|stores| stores.awaited == 0)?.seen
    }
}

/// What the elements of tables of integers can be; where an index is out of bounds, that is zero.
pub(super) fn ranges_of_tables(module: &Module) -> HashMap<Handle<Table>, Interval> {
    let known = module.tables.iter().filter_map(|(handle, table)| {
        let scalar = module.scalar(module.types.innermost(table.ty)).filter(|scalar| scalar.is_integer())?;
        let elements = table.bits.iter().map(|bits| Interval::exactly(extend(scalar, *bits)));
        Some((handle, elements.fold(Interval::exactly(0), Interval::join)))
    });
    known.collect()
}

/// The search for arrays that may be loaded from before they are stored to.
struct Initialised<'a> {
    module: &'a Module,
    unknown: HashSet<Handle<Variable>>,
}

/// Which elements of arrays have been stored, for certain.
type Stored = HashMap<Handle<Variable>, HashSet<u64>>;

impl Initialised<'_> {
    /// Goes through a block; what it stores has been stored in what is nested in it, and in what follows there.
    fn block(&mut self, block: &Block, before: &Stored) {
        let mut stored = before.clone();
        for statement in &block.statements {
            match statement {
                Statement::Evaluate(value) => self.load(*value, &stored),
                Statement::Store { place: Place { base: Base::Variable(variable), path }, .. } => {
                    self.store(*variable, path, &mut stored);
                }
                Statement::If { accept: one, reject: other, .. } => {
                    self.block(one, &stored);
                    self.block(other, &stored);
                }
                Statement::Loop { body, continuing, .. } => {
                    self.block(body, &stored);
                    self.block(continuing, &stored);
                }
                _ => {}
            }
        }
    }

    fn load(&mut self, value: Handle<Value>, stored: &Stored) {
        let Op::Load(Place { base: Base::Variable(variable), .. }) = self.module.values[value].op else {
            return;
        };
        let Type::Array { len, .. } = self.module.types[self.module.variables[variable].ty] else { return };
        if stored.get(&variable).is_none_or(|elements| elements.len() < len as usize) {
            self.unknown.insert(variable);
        }
    }

    fn store(&self, variable: Handle<Variable>, path: &[Step], stored: &mut Stored) {
        let Type::Array { len: len @ ..=LONGEST, .. } = self.module.types[self.module.variables[variable].ty]
        else {
            return;
        };
        match path {
            [] => {
                stored.insert(variable, (0..u64::from(len)).collect());
            }
            [Step::Index(Index { index, .. })] => {
                if let Op::Constant(element) = self.module.values[*index].op
                    && element < u64::from(len)
                {
                    stored.entry(variable).or_default().insert(element);
                }
            }
            _ => {}
        }
    }
}

/// The integers that an array is made of. Long ones are not worth the work.
fn element_of(module: &Module, ty: Handle<Type>) -> Option<Scalar> {
    let Type::Array { element, len: ..=LONGEST } = module.types[ty] else { return None };
    module.scalar(element).filter(|scalar| scalar.is_integer())
}

/// The range of constants, or of an array of them.
fn stored_range(module: &Module, value: Handle<Value>) -> Option<Interval> {
    let Value { ty, op, .. } = &module.values[value];
    match op {
        Op::Zero => Some(Interval::exactly(0)),
        Op::Constant(bits) => {
            let scalar = module.scalar(*ty).filter(|scalar| scalar.is_integer())?;
            Some(Interval::exactly(extend(scalar, *bits)))
        }
        Op::Construct(parts) => {
            let parts = parts.iter().map(|part| stored_range(module, *part));
            parts.reduce(|one, other| Some(one?.join(other?)))?
        }
        _ => None,
    }
}
