//! Operators that traits give to types of the user's own.

use super::candidates::Callees;
use super::member::{Wanted, trait_of_operator};
use super::{Infer, Program, Role};
use crate::chain::Links;
use crate::diagnostics::Code;
use crate::typed::{Callee, Expr, ExprKind, Ty, VariableKind};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use quote::ToTokens;
use std::rc::Rc;
use syn::{BinOp, ExprBinary, ExprUnary};

impl Infer<'_> {
    /// A binary operator, if one of its operands is a struct or an enum.
    pub(super) fn user_operator(
        &mut self,
        binary: &ExprBinary,
        left: &Expr,
        right: &Expr,
    ) -> Option<(ExprKind, Ty)> {
        if !self.is_nominal(&left.ty) && !self.is_nominal(&right.ty) {
            return None;
        }
        let (name, assigns) = method(&binary.op)?;
        if [left, right].iter().any(|side| self.table.shallow(&side.ty) == Ty::Error) {
            return Some((ExprKind::Error, Ty::Error));
        }
        if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            return Some(self.user_equality(binary, left, right));
        }
        let arguments = vec![left.clone(), right.clone()];
        if let Some((kind, ty)) = self.operator_method(binary, name, arguments) {
            return Some((kind, if assigns { Ty::Unit } else { ty }));
        }
        if let Some(op) = order(&binary.op) {
            return Some(self.user_order(binary, op, left, right));
        }
        if matches!(self.table.shallow(&left.ty), Ty::Variable(_, VariableKind::Any))
            && !assigns
            && let Some(of) = trait_of_operator(name)
        {
            // Whose operator it is follows from what is done with the result.
            let wanted = Wanted::Trait(of.to_owned());
            let of = Callees::OfTrait { own: left.ty.clone(), name: name.to_owned(), wanted };
            let result = self.table.fresh(VariableKind::Any);
            return Some(self.call_of_any(binary, of, vec![left.clone(), right.clone()], result));
        }
        // `a + b` of types without the operator are rustc's to report.
        let ty = if self.is_nominal(&left.ty) { &left.ty } else { &right.ty };
        Some(self.unknown_member(&binary.op, &ty.clone(), name))
    }

    /// `<` and its kin: by the user's `partial_cmp`, or field by field where that is derived.
    fn user_order(&mut self, binary: &ExprBinary, op: BinaryOp, left: &Expr, right: &Expr) -> (ExprKind, Ty) {
        let sides = [left, right].map(|side| self.followed_references(side.clone()));
        let [left, right] = sides;
        let span = left.span;
        if let Some((kind, ty)) =
            self.operator_method(binary, "partial_cmp", vec![left.clone(), right.clone()])
        {
            return (self.order_says(op, Expr { kind, ty, span }), Ty::BOOL);
        }
        self.ordered(binary, op, left, right)
    }

    /// `==` and `!=`: by an `impl` of the user's, or field by field where that is derived.
    fn user_equality(&mut self, binary: &ExprBinary, left: &Expr, right: &Expr) -> (ExprKind, Ty) {
        let negated = matches!(binary.op, BinOp::Ne(_));
        let (left, right) = (left.clone(), right.clone());
        if let Some((kind, ty)) = self.operator_method(binary, "eq", vec![left.clone(), right.clone()]) {
            let span = left.span;
            let equal = Expr { kind, ty: ty.clone(), span };
            let kind = if negated { ExprKind::Unary(UnaryOp::Not, Box::new(equal)) } else { equal.kind };
            return (kind, ty);
        }
        self.equality_by_parts(binary, left, right, negated)
    }

    /// `==` or `!=` of values that consist of others, which are compared one by one.
    pub(super) fn equality_by_parts(
        &mut self,
        binary: &ExprBinary,
        left: Expr,
        right: Expr,
        negated: bool,
    ) -> (ExprKind, Ty) {
        if !self.try_coerce(&binary.right, &right.ty, &left.ty) {
            return (ExprKind::Error, Ty::BOOL);
        }
        if !self.is_comparable(binary, &left.ty) {
            return (ExprKind::Error, Ty::BOOL);
        }
        (ExprKind::Equal { left: Box::new(left), right: Box::new(right), negated }, Ty::BOOL)
    }

    /// `==` or `!=` of which one side at least is a slice: by length and by elements.
    pub(super) fn equality_of_slices(
        &mut self,
        binary: &ExprBinary,
        left: Expr,
        right: Expr,
        negated: bool,
    ) -> (ExprKind, Ty) {
        let (left, right) = (self.followed_references(left), self.followed_references(right));
        let elements = [&left, &right].map(|side| self.table.shallow(&side.ty).element().cloned());
        let [Some(one), Some(other)] = elements else {
            self.leave_to_rustc(binary, "these cannot be compared");
            return (ExprKind::Error, Ty::BOOL);
        };
        self.coerce(&binary.right, &other, &one);
        if self.is_comparable(binary, &one) {
            (ExprKind::Equal { left: Box::new(left), right: Box::new(right), negated }, Ty::BOOL)
        } else {
            (ExprKind::Error, Ty::BOOL)
        }
    }

    /// Returns whether values of a type can be compared part by part; if not, that is reported.
    pub(super) fn is_comparable(&mut self, tokens: &dyn ToTokens, ty: &Ty) -> bool {
        let is_comparable = self.is_compared_by_parts(ty);
        if !is_comparable {
            let message = "device code does not know how these are compared";
            let help = "write `#[derive(PartialEq)]` below `#[device]` for all that they consist of";
            self.error(Code::UnsupportedExpression, tokens, message, help);
        }
        is_comparable
    }

    /// Returns whether values are equal if all that they consist of is, down to what an `impl PartialEq` of the user's compares.
    fn is_compared_by_parts(&self, ty: &Ty) -> bool {
        match self.table.partial(ty) {
            ref whole @ Ty::Nominal(ref nominal) => {
                let Some(definition) = self.program.definition(&nominal.id) else { return true };
                if !definition.derives.iter().any(|name| name == "PartialEq") {
                    return own_comparison(self.program, whole, "PartialEq", "eq").is_some();
                }
                let mut fields = definition.variants.iter().flat_map(|variant| &variant.fields);
                fields.all(|field| self.is_compared_by_parts(&field.ty.substitute(&nominal.arguments)))
            }
            other => other.parts().all(|part| self.is_compared_by_parts(part)),
        }
    }

    /// `-` or `!` of a struct or an enum.
    pub(super) fn user_unary(
        &mut self,
        unary: &ExprUnary,
        op: UnaryOp,
        operand: &Expr,
    ) -> Option<(ExprKind, Ty)> {
        if !self.is_nominal(&operand.ty) {
            return None;
        }
        let name = match op {
            UnaryOp::Neg => "neg",
            UnaryOp::Not => "not",
        };
        let found = self.operator_method(unary, name, vec![operand.clone()]);
        Some(found.unwrap_or_else(|| self.unknown_member(&unary.op, &operand.ty.clone(), name)))
    }

    /// `base[index]` of a struct: what `Index` refers to.
    pub(super) fn user_index(&mut self, index: &syn::ExprIndex, base: &Expr) -> Option<(ExprKind, Ty)> {
        if !matches!(self.table.shallow(&base.ty), Ty::Nominal(_)) {
            return None;
        }
        let position = self.expr(&index.index);
        let span = base.span;
        let arguments = vec![base.clone(), position];
        let is_changed = self.changed_places.remove(&std::ptr::from_ref(index));
        let found = match is_changed && self.has_standard_impl(&base.ty, "IndexMut") {
            true => self.operator_method(index, "index_mut", arguments),
            false => self.operator_method(index, "index", arguments),
        };
        let (kind, ty) = found.unwrap_or_else(|| self.unknown_member(index, &base.ty.clone(), "index"));
        let Ty::Reference { to, .. } = self.table.shallow(&ty) else {
            return Some((ExprKind::Error, Ty::Error));
        };
        let reference = Expr { kind, ty, span };
        Some((ExprKind::Dereference(Box::new(reference)), Rc::unwrap_or_clone(to)))
    }

    /// Notes the elements on the way to a place that is changed, which those of the user's types give by `IndexMut`.
    pub(super) fn note_changed(&mut self, place: &syn::Expr) {
        match place {
            syn::Expr::Index(index) => {
                self.changed_places.insert(std::ptr::from_ref(index));
                self.note_changed(&index.expr);
            }
            syn::Expr::Field(field) => self.note_changed(&field.base),
            syn::Expr::Paren(inner) => self.note_changed(&inner.expr),
            _ => {}
        }
    }

    /// Returns whether a type is a struct or an enum, or a reference to one.
    fn is_nominal(&self, ty: &Ty) -> bool {
        match self.table.shallow(ty) {
            Ty::Nominal(_) => true,
            Ty::Reference { to, .. } => self.is_nominal(&to),
            _ => false,
        }
    }
}

/// The method of a trait by which values of a type are compared with each other, if there is an `impl` of that trait for it.
pub fn own_comparison(program: &Program<'_>, ty: &Ty, of: &str, method: &str) -> Option<Callee> {
    let links = Links::default();
    let mut there = Infer::new(program, &links, Role::Device, Ty::Unit);
    let other = Ty::Reference { to: Rc::new(ty.clone()), mutable: false };
    let member = there.looking_for(Wanted::Trait(of.to_owned()), |this| {
        this.member_taking(ty, method, std::slice::from_ref(&other))
    })?;
    let arguments = member.outer.iter().map(|ty| there.table.resolve(ty)).collect();
    Some(Callee { id: member.id, arguments })
}

/// The method of a trait that is an operator, of a type, with a right side of another.
pub fn operator_method(
    program: &Program<'_>,
    (ty, other): (&Ty, &Ty),
    of: &str,
    method: &str,
) -> Option<Callee> {
    let links = Links::default();
    let mut there = Infer::new(program, &links, Role::Device, Ty::Unit);
    let member = there.looking_for(Wanted::Trait(of.to_owned()), |this| {
        this.member_taking(ty, method, std::slice::from_ref(other))
    })?;
    // What is still open is the type of the right side.
    let argument = |ty: &Ty| match there.table.resolve(ty) {
        Ty::Variable(..) => other.clone(),
        known => known,
    };
    let arguments = member.outer.iter().map(argument).collect();
    Some(Callee { id: member.id, arguments })
}

/// The sign of the operator that a method of a trait is.
pub(super) fn operator(of: &str, method: &str) -> Option<&'static str> {
    Some(match (of, method) {
        ("Add", "add") => "+",
        ("Sub", "sub") => "-",
        ("Mul", "mul") => "*",
        ("Div", "div") => "/",
        ("Rem", "rem") => "%",
        ("BitAnd", "bitand") => "&",
        ("BitOr", "bitor") => "|",
        ("BitXor", "bitxor") => "^",
        ("Shl", "shl") => "<<",
        ("Shr", "shr") => ">>",
        _ => return None,
    })
}

/// The operators that are about order.
fn order(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        _ => return None,
    })
}

/// The method of an operator, and whether it assigns.
fn method(op: &BinOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("add", false),
        BinOp::Sub(_) => ("sub", false),
        BinOp::Mul(_) => ("mul", false),
        BinOp::Div(_) => ("div", false),
        BinOp::Rem(_) => ("rem", false),
        BinOp::BitAnd(_) => ("bitand", false),
        BinOp::BitOr(_) => ("bitor", false),
        BinOp::BitXor(_) => ("bitxor", false),
        BinOp::Shl(_) => ("shl", false),
        BinOp::Shr(_) => ("shr", false),
        BinOp::Eq(_) => ("eq", false),
        BinOp::Ne(_) => ("ne", false),
        BinOp::Lt(_) => ("lt", false),
        BinOp::Le(_) => ("le", false),
        BinOp::Gt(_) => ("gt", false),
        BinOp::Ge(_) => ("ge", false),
        BinOp::AddAssign(_) => ("add_assign", true),
        BinOp::SubAssign(_) => ("sub_assign", true),
        BinOp::MulAssign(_) => ("mul_assign", true),
        BinOp::DivAssign(_) => ("div_assign", true),
        BinOp::RemAssign(_) => ("rem_assign", true),
        BinOp::BitAndAssign(_) => ("bitand_assign", true),
        BinOp::BitOrAssign(_) => ("bitor_assign", true),
        BinOp::BitXorAssign(_) => ("bitxor_assign", true),
        BinOp::ShlAssign(_) => ("shl_assign", true),
        BinOp::ShrAssign(_) => ("shr_assign", true),
        _ => return None,
    })
}
