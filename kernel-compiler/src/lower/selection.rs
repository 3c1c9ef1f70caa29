//! Branches that only choose between floats: both are computed, and one is selected.
//!
//! A branch costs a device as much as some additions. And behind branches its compiler does not see that something is computed twice, such as the weights of a filter for
//! resampling (`if t < 1.0 { … } else { … }`), which are the same in each row.

use super::builder::Builder;
use crate::ir::{Base, Block, End, Handle, Math, Op, Place, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// How many values both branches may compute together.
const MOST_VALUES: usize = 16;

/// A value that is stored in a variable.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) place: Place,
    pub(super) value: Handle<Value>,
}

impl From<Store> for Statement {
    fn from(Store { place, value }: Store) -> Self {
        Self::Store { place, value }
    }
}

impl Builder<'_, '_> {
    /// Appends a statement that runs one of two blocks; or if they only store what is computed cheaply, all that both compute. What is to be stored then is left to do.
    pub(super) fn choose(&mut self, condition: Handle<Value>, [accept, reject]: [Block; 2]) -> Vec<Store> {
        let (Some(accepted), Some(rejected)) = (self.stores(&accept), self.stores(&reject)) else {
            self.append(Statement::If { condition, accept, reject });
            return Vec::new();
        };
        let same_places = accepted.len() == rejected.len()
            && accepted.iter().zip(&rejected).all(|(accepted, rejected)| accepted.place == rejected.place);
        let values = [&accept, &reject].map(|block| block.statements.len() - accepted.len());
        if !same_places || values[0] + values[1] > MOST_VALUES {
            self.append(Statement::If { condition, accept, reject });
            return Vec::new();
        }
        for (block, values) in [accept, reject].into_iter().zip(values) {
            block.statements.into_iter().take(values).for_each(|value| self.push(value));
        }
        let select = |(accepted, rejected): (Store, Store)| Store {
            value: self.select(condition, accepted.value, rejected.value),
            ..accepted
        };
        accepted.into_iter().zip(rejected).map(select).collect()
    }

    /// What a block stores after all that it computes, if it does nothing else and that is cheap.
    fn stores(&self, block: &Block) -> Option<Vec<Store>> {
        let is_store = |statement: &Statement| matches!(statement, Statement::Store { .. });
        let first = block.statements.iter().position(is_store)?;
        let (values, stores) = block.statements.split_at(first);
        let is_cheap =
            |value: &Statement| matches!(value, Statement::Evaluate(value) if self.is_cheap(*value));
        let stores = stores.iter().map(|store| match store {
            Statement::Store { place, value } if is_variable(place) && self.is_single(*value) => {
                Some(Store { place: place.clone(), value: *value })
            }
            _ => None,
        });
        let does_more = block.end != End::Next || !values.iter().all(is_cheap);
        if does_more { None } else { stores.collect() }
    }

    /// Whether it does no harm to compute a value in vain, and costs little.
    fn is_cheap(&self, value: Handle<Value>) -> bool {
        let is_result = self.is_single(value) || self.has_type(value, Scalar::Bool.into());
        is_result
            && match &self.values[value].op {
                Op::Load(place) => is_variable(place),
                Op::Unary(..) | Op::Select { .. } | Op::Classify(..) => true,
                Op::Binary { op, .. } => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
                Op::Cast(from) => self.scalar_of(*from).bits() <= 32,
                Op::Math(function, _) => {
                    matches!(
                        function,
                        Math::Copysign | Math::Fabs | Math::Fma | Math::Fmax | Math::Fmin | Math::Mad
                    )
                }
                _ => false,
            }
    }

    /// Whether a value is one float of 32 bits or fewer.
    fn is_single(&self, value: Handle<Value>) -> bool {
        [Scalar::F16, Scalar::F32].iter().any(|scalar| self.has_type(value, (*scalar).into()))
    }
}

fn is_variable(place: &Place) -> bool {
    matches!(place.base, Base::Variable(_)) && place.path.is_empty()
}
