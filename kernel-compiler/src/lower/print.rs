//! `println!` and its kin: the arguments become words of 32 bits, which the host makes values of again.

use super::FunctionLowering;
use crate::ir::{Format, Handle, Numeric, PrintSite, Statement, Value};
use crate::typed::{self, Expr, ExprKind, Print, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn print(&mut self, print: &Print) {
        let (format, words) = self.format(&print.format);
        let &Print { stream, newline, .. } = print;
        let site = self.builder.module.prints.intern(PrintSite { format, stream, newline });
        self.builder.push(Statement::Print { site, words });
    }

    /// A format string with the types of its arguments, and these as words.
    pub(super) fn format(&mut self, format: &typed::Format) -> (Format, Vec<Handle<Value>>) {
        let (mut arguments, mut words) = (Vec::new(), Vec::new());
        for (name, argument) in &format.arguments {
            let value = self.printed(argument);
            arguments.push((name.clone(), self.show(value, &mut words)));
        }
        (Format { text: format.text.clone(), arguments }, words)
    }

    /// Appends the words of a number, a `bool` or a vector, and gives its type.
    pub(super) fn show(&mut self, value: Handle<Value>, words: &mut Vec<Handle<Value>>) -> Numeric {
        let ty = self.builder.numeric_of(value);
        for lane in 0..ty.lanes {
            let value = if ty.lanes == 1 { value } else { self.builder.lane(value, lane) };
            words.extend(self.words(value, ty.scalar));
        }
        ty
    }

    /// The scalar or vector that is printed, which may be behind references.
    fn printed(&mut self, argument: &Expr) -> Handle<Value> {
        match self.table.resolve(&argument.ty) {
            Ty::Reference { to, .. } => {
                let kind = ExprKind::Dereference(Box::new(argument.clone()));
                self.printed(&Expr { kind, ty: (*to).clone(), span: argument.span })
            }
            _ => self.value(argument),
        }
    }

    /// The bits of a scalar, the low ones first.
    fn words(&mut self, value: Handle<Value>, scalar: Scalar) -> Vec<Handle<Value>> {
        let bits = match scalar {
            Scalar::F16 | Scalar::Bf16 => self.builder.bitcast(value, Scalar::U16),
            Scalar::F32 => self.builder.bitcast(value, Scalar::U32),
            Scalar::F64 => self.builder.bitcast(value, Scalar::U64),
            _ => value,
        };
        let low = self.builder.cast(bits, Scalar::U32);
        if scalar.size() <= 4 {
            return vec![low];
        }
        let bits = self.builder.cast(bits, Scalar::U64);
        let width = self.builder.constant(Scalar::U64, 32);
        let high = self.builder.binary(BinaryOp::Shr, bits, width);
        vec![low, self.builder.cast(high, Scalar::U32)]
    }
}
