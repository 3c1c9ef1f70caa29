//! Raw pointers that types hold, in their fields and elements.
//!
//! A kernel that is given such a type is `unsafe`, as one that is given a raw pointer is. What the pointers lead to is looked at here too: a
//! type is not known as a whole where a pointer to it is written in one of its own fields.

use super::Infer;
use super::shared::Obstacle;
use crate::diagnostics::Code;
use crate::hash::HashSet;
use crate::typed::{Nominal, Ty};
use syn::Type;

/// The most types that pointers may lead to from a parameter: more come of types that are different each time.
const MAX_TYPES: usize = 256;

impl Infer<'_> {
    /// Reports a parameter that holds raw pointers in a kernel that is safe to launch.
    pub(super) fn pointers_in_parameter(&mut self, written: &Type, ty: &Ty) {
        if self.is_vouched {
            return;
        }
        let Some(place) = self.pointer_in(ty) else { return };
        let message = format!(
            "a kernel that takes raw pointers is `unsafe`, and {place} is one: who launches it vouches for the address"
        );
        self.error(
            Code::Signature,
            written,
            message,
            "write `unsafe fn`, or an index into a slice for the pointer",
        );
    }

    /// Where there is a raw pointer in a type, if there is.
    fn pointer_in(&self, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Pointer { .. } => Some(format!("`{ty}`")),
            Ty::Array(element, _) => self.pointer_in(element),
            Ty::Nominal(nominal) => self.fields(nominal).into_iter().find_map(|(name, ty)| {
                let inner = self.pointer_in(&ty)?;
                let is_here = matches!(ty, Ty::Pointer { .. });
                Some(if is_here { format!("the field `{name}` of `{}`", nominal.name) } else { inner })
            }),
            _ => None,
        }
    }

    /// The fields of a struct.
    fn fields(&self, nominal: &Nominal) -> Vec<(String, Ty)> {
        let definition = self.program.definition(&nominal.id);
        let variants = definition.iter().flat_map(|definition| &definition.variants);
        let fields = variants.flat_map(|variant| &variant.fields);
        fields.map(|field| (field.name.clone(), field.ty.substitute(&nominal.arguments))).collect()
    }

    /// Why what the pointers in a type lead to cannot be in memory that host and device share.
    pub(super) fn obstacle_behind(&self, ty: &Ty) -> Option<Obstacle> {
        let (mut seen, mut open) = (HashSet::default(), vec![ty.clone()]);
        while let Some(ty) = open.pop() {
            if !seen.insert(ty.clone()) {
                continue;
            }
            if seen.len() > MAX_TYPES {
                let message = "its pointers lead to ever more types";
                return Some(Obstacle::new(
                    message,
                    "write the type that a pointer leads to without other arguments",
                ));
            }
            match &ty {
                Ty::Array(element, _) => open.push((**element).clone()),
                Ty::Nominal(nominal) => open.extend(self.fields(nominal).into_iter().map(|(_, ty)| ty)),
                Ty::Pointer { to, .. } => {
                    if let Some(obstacle) = self.obstacle(to) {
                        let message = format!("behind `{ty}`, {}", obstacle.message);
                        return Some(Obstacle { message, ..obstacle });
                    }
                    open.push((**to).clone());
                }
                _ => {}
            }
        }
        None
    }
}
