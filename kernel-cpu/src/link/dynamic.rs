//! Which modules one needs of those that are linked with it (Level Zero specification, "zeModuleDynamicLink").
//!
//! Each module that imports something gets a program of its own: itself, what it imports from, what that imports from, and so on. A module is linked
//! once, so that what it imports from stays the same in all of these programs. Names that are exported twice do no harm where nobody imports them.

use super::symbols::Linkage;
use super::{Input, Providers, Purpose, Unit, link};
use crate::load::{LoadError, Problem};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a module has been linked with.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Itself first.
    units: Vec<Arc<Unit>>,
    providers: Providers,
}

impl Links {
    /// The module with what it imports from the others.
    pub(crate) fn linked(&self) -> Result<Input, LoadError> {
        link(self.units.iter().map(|unit| &*unit.input), Purpose::First(&self.providers))
    }
}

/// Modules that are linked together.
pub(crate) struct Candidates<'u> {
    exports: HashMap<&'u str, Vec<(&'u Arc<Unit>, Linkage)>>,
    /// What modules that have been linked before import from.
    settled: HashMap<(*const Unit, &'u str), &'u Arc<Unit>>,
}

impl<'u> Candidates<'u> {
    /// Of these modules, of which some may be the same; of those that have been linked, with what.
    pub(crate) fn of(listed: impl IntoIterator<Item = (&'u Arc<Unit>, Option<&'u Links>)>) -> Self {
        let mut candidates = Self { exports: HashMap::new(), settled: HashMap::new() };
        let mut known = HashSet::new();
        for (unit, links) in listed {
            if known.insert(Arc::as_ptr(unit)) {
                for (name, linkage) in &unit.exports {
                    candidates.exports.entry(name).or_default().push((unit, *linkage));
                }
            }
            let Some(links) = links else { continue };
            for ((importer, name), provider) in &links.providers {
                let importer = Arc::as_ptr(&links.units[*importer]);
                candidates.settled.entry((importer, name)).or_insert(&links.units[*provider]);
            }
        }
        candidates
    }

    /// Whether anybody exports a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.exports.contains_key(name)
    }

    /// The only one that exports a name, or one of many that are the same.
    fn exporter(&self, name: &str) -> Result<&'u Arc<Unit>, Problem> {
        let exports = self.exports.get(name).map_or(&[][..], Vec::as_slice);
        let mut only = exports.iter().filter(|(_, linkage)| *linkage == Linkage::Export);
        match (only.next(), only.next(), exports.first()) {
            (Some((unit, _)), None, _) | (None, None, Some((unit, _))) => Ok(unit),
            (Some(_), Some(_), _) => Err(Problem::DuplicateExport(name.to_owned())),
            (None, ..) => Err(Problem::Unresolved(name.to_owned())),
        }
    }

    /// What a module is to be linked with.
    ///
    /// # Errors
    ///
    /// All that is wrong with what it and those that it needs import.
    pub(crate) fn links_of(&self, unit: &'u Arc<Unit>) -> Result<Links, Vec<Problem>> {
        let (mut units, mut providers, mut problems) = (vec![unit], Providers::new(), Vec::new());
        let mut named = HashSet::new();
        let mut importer = 0;
        while let Some(unit) = units.get(importer).copied() {
            for name in unit.imports() {
                let settled = self.settled.get(&(Arc::as_ptr(unit), name)).copied();
                match settled.map_or_else(|| self.exporter(name), Ok) {
                    Ok(other) => {
                        let known = units.iter().position(|known| Arc::ptr_eq(known, other));
                        let provider = known.unwrap_or(units.len());
                        if known.is_none() {
                            units.push(other);
                        }
                        providers.insert((importer, name.to_owned()), provider);
                    }
                    Err(problem) => {
                        if named.insert(name) {
                            problems.push(problem);
                        }
                    }
                }
            }
            importer += 1;
        }
        let is_shared = units.len() > 1 && units.iter().any(|unit| unit.has_variables);
        if is_shared && problems.is_empty() {
            problems.push(Problem::Unsupported(
                "variables in global memory in modules that are linked one by one: make them one program",
            ));
        }
        if problems.is_empty() {
            Ok(Links { units: units.into_iter().cloned().collect(), providers })
        } else {
            Err(problems)
        }
    }
}
