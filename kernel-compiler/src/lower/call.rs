//! Calls of device functions.

use super::FunctionLowering;
use crate::chain::Id;
use crate::ir::{Handle, Op, Statement, Value};
use crate::typed::{Expr, Ty};

impl FunctionLowering<'_, '_, '_> {
    pub(super) fn call(&mut self, expr: &Expr, id: &Id, arguments: &[Expr]) -> Option<Handle<Value>> {
        let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        let types = arguments.iter().map(|argument| self.builder.type_of(*argument)).collect();
        let function = self.builder.module.instance(id, types, expr.span)?;
        match self.table.resolve(&expr.ty) {
            Ty::Unit | Ty::Never | Ty::Error => {
                self.builder.push(Statement::Call(function, arguments));
                None
            }
            ty => {
                let ty = self.builder.module.stored_type(&ty);
                Some(self.builder.evaluate(ty, Op::Call(function, arguments)))
            }
        }
    }
}
