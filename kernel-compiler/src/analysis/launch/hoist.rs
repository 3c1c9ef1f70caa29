//! The kernel without the checks that the host makes.

use super::Kept;
use crate::analysis::discharge::{drop_idle, each_check};
use crate::analysis::escape::drop_needless;
use crate::hash::HashSet;
use crate::ir::{Check, Module};

/// Takes the checks out that the host makes at the launch, from a kernel without checks that are proved. The sites keep their numbers, so that
/// other faults are reported as without this.
pub fn hoist(module: &mut Module, kept: &Kept) {
    let sites: HashSet<_> = kept.sites.iter().map(|(site, _)| *site).collect();
    each_check(module, &mut |check| {
        if let Check::At(site) = check
            && sites.contains(site)
        {
            *check = Check::Proved;
        }
    });
    drop_idle(module);
    drop_needless(module);
}
