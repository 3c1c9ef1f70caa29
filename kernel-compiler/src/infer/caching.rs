//! What `#[kernel(…)]` says of caches: for which parameters can it be said?

use super::{Infer, Signature};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::{Caching, LoadControl, Space, StoreControl};
use crate::typed::Ty;
use syn::Ident;
use syn::ext::IdentExt;

/// What is said of caches, as it is written.
#[derive(Debug, Default)]
pub struct CacheHints {
    /// The parameters that `nontemporal(…)` names.
    pub nontemporal: Vec<Ident>,
    /// The parameters that `load_cache(…)` names, each with the controls of the levels of cache.
    pub loads: Vec<(Ident, Vec<LoadControl>)>,
    /// The same of `store_cache(…)`.
    pub stores: Vec<(Ident, Vec<StoreControl>)>,
}

/// What can be said of a parameter.
struct Facts {
    /// Whether it leads to memory that caches are for.
    is_cached: bool,
    is_atomic: bool,
    /// Whether it can be stored to.
    is_written: bool,
}

impl CacheHints {
    /// The parameters that are named, each time.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        let loads = self.loads.iter().map(|(name, _)| name);
        let stores = self.stores.iter().map(|(name, _)| name);
        self.nontemporal.iter().chain(loads).chain(stores)
    }
}

impl Infer<'_> {
    /// What is said of each parameter.
    pub(super) fn caching(
        &mut self,
        hints: &CacheHints,
        signature: &Signature,
        types: &[Ty],
    ) -> Vec<Caching> {
        let mut found = vec![Caching::default(); types.len()];
        for name in &hints.nontemporal {
            let Some((position, facts)) = self.hinted(name, signature, types) else { continue };
            if facts.is_atomic || signature.parameters[position].space != Space::Global {
                let help =
                    "slices and references in global memory can be `nontemporal`, but for atomics and images";
                self.refuse_hint(name, not_cached(name, &types[position]), help);
            } else if found[position].nontemporal {
                self.refuse_hint(name, format!("`{name}` is given twice"), "remove one of the two");
            }
            found[position].nontemporal = true;
        }
        for (name, controls) in &hints.loads {
            let Some((position, facts)) = self.hinted(name, signature, types) else { continue };
            let Caching { nontemporal, loads, .. } = &mut found[position];
            self.tell(name, controls, loads, *nontemporal);
            if facts.is_written && controls.contains(&LoadControl::ConstCached) {
                let message = format!("`{name}` can be stored to, so that it is not `const_cached`");
                self.refuse_hint(name, message, "take `&` instead of `&mut`, or write another control");
            }
        }
        for (name, controls) in &hints.stores {
            let Some((position, facts)) = self.hinted(name, signature, types) else { continue };
            let Caching { nontemporal, stores, .. } = &mut found[position];
            self.tell(name, controls, stores, *nontemporal);
            if !facts.is_written {
                let message = format!("`{name}` is not stored to: it is `{}`", types[position]);
                self.refuse_hint(name, message, "`load_cache` is for what is only loaded");
            }
        }
        found
    }

    /// The parameter of a name, if something can be said of its memory.
    fn hinted(&mut self, name: &Ident, signature: &Signature, types: &[Ty]) -> Option<(usize, Facts)> {
        let own = |parameter: &super::signature::Parameter| parameter.name.unraw() == name.unraw();
        let Some(position) = signature.parameters.iter().position(own) else {
            let message = format!("the kernel has no parameter `{name}`");
            self.refuse_hint(name, message, "write the names of parameters");
            return None;
        };
        let (ty, space) = (&types[position], signature.parameters[position].space);
        if ty.has_error() {
            return None;
        }
        let facts = facts(ty);
        if !facts.is_cached || !matches!(space, Space::Global | Space::Constant) {
            let help = "hints for caches are of slices and references in global and in constant memory (SPV_INTEL_cache_controls, \"Validation Rules\")";
            self.refuse_hint(name, not_cached(name, ty), help);
            return None;
        }
        Some((position, facts))
    }

    /// Keeps the controls of a parameter, which are given once, and not beside the other hint, which is about all levels.
    fn tell<T: Clone>(&mut self, name: &Ident, controls: &[T], kept: &mut Vec<T>, is_nontemporal: bool) {
        if !kept.is_empty() {
            self.refuse_hint(name, format!("`{name}` is given twice"), "remove one of the two");
        } else if is_nontemporal {
            let message = format!("`{name}` is `nontemporal`, which is about all levels of cache");
            self.refuse_hint(name, message, "remove one of the two");
        }
        *kept = controls.to_vec();
    }

    fn refuse_hint(&mut self, name: &Ident, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Attribute, name, message).help(help));
    }
}

fn not_cached(name: &Ident, ty: &Ty) -> String {
    format!("`{name}` does not lead to memory that caches are for: it is `{ty}`")
}

fn facts(ty: &Ty) -> Facts {
    match ty {
        Ty::Slice { element: to, mutable, .. } | Ty::Reference { to, mutable, .. } => Facts {
            is_cached: !matches!(**to, Ty::Image { .. }),
            is_atomic: to.is_atomic(),
            is_written: *mutable || to.is_atomic(),
        },
        _ => Facts { is_cached: false, is_atomic: false, is_written: false },
    }
}
