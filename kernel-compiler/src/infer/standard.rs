//! The methods of `Option` and `Result` that cannot be written in the language: they end in a fault, or give a reference to a
//! payload.

use super::{Infer, nominal};
use crate::diagnostics::Code;
use crate::methods::absent;
use crate::typed::{Expr, ExprKind, Nominal, ORDERING, Ty, VariantTest};
use kernel_core::FaultKind;
use std::rc::Rc;
use syn::ExprMethodCall;

impl Infer<'_> {
    /// `value.borrow()` by a bound by `Borrow`, which every type meets for itself: a reference to the value.
    pub(super) fn borrowed(&mut self, receiver: Expr) -> (ExprKind, Ty) {
        if matches!(self.table.shallow(&receiver.ty), Ty::Reference { .. } | Ty::Slice { .. }) {
            return (receiver.kind, receiver.ty);
        }
        let ty = Ty::Reference { to: Rc::new(receiver.ty.clone()), mutable: false };
        (ExprKind::Reference(Box::new(receiver)), ty)
    }

    /// A method of a struct or an enum that none of the `impl`s has.
    pub(super) fn standard_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        nominal: &Nominal,
    ) -> (ExprKind, Ty) {
        let name = call.method.to_string();
        let is_option = nominal.id == nominal::OPTION;
        let is_result = nominal.id == nominal::RESULT;
        let payload = nominal.arguments.first().cloned().unwrap_or(Ty::Unit);
        let error = nominal.arguments.get(1).cloned().unwrap_or(Ty::Unit);
        let good = variant(i64::from(is_option));
        match (name.as_str(), call.args.len()) {
            ("unwrap", 0) | ("expect", 1) if is_option => {
                self.unwrapped(call, receiver, (good, payload), FaultKind::UnwrapNone)
            }
            ("unwrap", 0) | ("expect", 1) if is_result => {
                self.unwrapped(call, receiver, (good, payload), FaultKind::UnwrapErr)
            }
            ("unwrap_err", 0) | ("expect_err", 1) if is_result => {
                self.unwrapped(call, receiver, (variant(1), error), FaultKind::UnwrapOk)
            }
            ("as_ref", 0) if is_option || is_result => self.payload_references(receiver, nominal, false),
            ("as_mut", 0) if is_option || is_result => self.payload_references(receiver, nominal, true),
            ("__payload_mut", 0) if is_option => {
                let span = receiver.span;
                let place =
                    Expr { kind: ExprKind::Payload(Box::new(receiver), good), ty: payload.clone(), span };
                let ty = Ty::Reference { to: Rc::new(payload), mutable: true };
                (ExprKind::Reference(Box::new(place)), ty)
            }
            _ => {
                self.arguments_of_unknown(&call.args);
                let ty = Ty::Nominal(Rc::new(nominal.clone()));
                match is_option || is_result || nominal.id == ORDERING {
                    true => self.absent_member(&call.method, &ty, &name, absent::of_option(&name)),
                    false => self.unknown_member(&call.method, &ty, &name),
                }
            }
        }
    }

    /// The payload of a variant, with a fault if the value is another one, which says what `expect` is given.
    fn unwrapped(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        (variant, payload): (VariantTest, Ty),
        fault: FaultKind,
    ) -> (ExprKind, Ty) {
        let (fault_of_call, message) = match call.args.first() {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => {
                (FaultKind::Panic, text.value())
            }
            Some(other) => {
                let help = "write the message as a literal, `.expect(\"text\")`";
                self.error(Code::UnsupportedMacro, other, "this message is not literal text", help);
                (FaultKind::Panic, String::new())
            }
            None => (fault, String::new()),
        };
        let shown = match fault {
            FaultKind::UnwrapErr | FaultKind::UnwrapOk => Some(other_variant(variant)),
            _ => None,
        };
        let value = Box::new(receiver);
        (ExprKind::Unwrap { value, variant, shown, fault: fault_of_call, message }, payload)
    }

    /// The same variant with references to what its payload holds.
    fn payload_references(&mut self, receiver: Expr, nominal: &Nominal, mutable: bool) -> (ExprKind, Ty) {
        let arguments =
            nominal.arguments.iter().map(|ty| Ty::Reference { to: Rc::new(ty.clone()), mutable }).collect();
        let ty = Ty::Nominal(Rc::new(Nominal { arguments, ..nominal.clone() }));
        (ExprKind::PayloadReferences(Box::new(receiver)), ty)
    }
}

fn other_variant(VariantTest { discriminant, .. }: VariantTest) -> VariantTest {
    variant(1 - discriminant)
}

/// A variant of `Option` or `Result`.
fn variant(position: i64) -> VariantTest {
    VariantTest { position: usize::from(position != 0), discriminant: position }
}
