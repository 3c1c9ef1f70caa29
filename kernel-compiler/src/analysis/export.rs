//! What a function for other modules cannot do, since it knows nothing of who calls it:
//!
//! - Wait for other work-items, or do something together with them: not all of a group need call it.
//! - Fail: a kernel has a record for its faults, and the function knows of none. A check that stays could only be left out in silence.

use super::Analysis;
use super::uniformity::ConvergentKind;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::ir::{Module, Site};
use kernel_core::FaultKind;
use proc_macro2::Span;

/// Reports these, once the checks that cannot fail have been removed.
#[must_use]
pub fn export_errors(module: &Module, analysis: &Analysis) -> Diagnostics {
    let mut found = Found::default();
    for convergent in &analysis.uniformities.convergents {
        let what = match convergent.kind {
            ConvergentKind::Barrier => "waits for no others",
            ConvergentKind::Collective(_) | ConvergentKind::BlockAccess | ConvergentKind::Copy => {
                "does nothing together with others"
            }
            ConvergentKind::Vote => continue,
        };
        let message =
            format!("a function for other modules {what}: not all work-items of a group need call it");
        let help = "do this in the kernel, and pass what it comes to";
        found.push(
            convergent.span,
            Diagnostic::new(Code::Linkage, &marker(convergent.span), message).help(help),
        );
    }
    for (_, site) in module.sites.iter() {
        found.push(site.span, failing(site));
    }
    found.diagnostics
}

/// Errors at different places.
#[derive(Default)]
struct Found {
    places: Vec<Span>,
    diagnostics: Diagnostics,
}

impl Found {
    fn push(&mut self, span: Span, diagnostic: Diagnostic) {
        let place = |span: Span| (span.file(), span.start(), span.end());
        if !self.places.iter().any(|known| place(*known) == place(span)) {
            self.places.push(span);
            self.diagnostics.push(diagnostic);
        }
    }
}

/// A check that stays.
fn failing(site: &Site) -> Diagnostic {
    let (what, help) = describe(site.kind);
    let message = format!("{what}, and a function for other modules has nobody to report that to");
    let diagnostic = Diagnostic::new(Code::Linkage, &marker(site.span), message).help(help);
    if site.reason.is_empty() { diagnostic } else { diagnostic.note(site.reason.clone()) }
}

/// What may fail, and what to write instead.
fn describe(kind: FaultKind) -> (&'static str, &'static str) {
    const VOUCH: &str =
        "make sure of it by a condition, or vouch for it: `#[device(export = \"name\", unsafe(unchecked))]`";
    const WRAP: &str = "say what is meant, as by `wrapping_add`, or for the whole function by `#[device(export = \"name\", overflow = \"wrap\")]`";
    match kind {
        FaultKind::DivisionByZero | FaultKind::RemainderByZero => ("the divisor may be zero", VOUCH),
        FaultKind::DivisionOverflow | FaultKind::RemainderOverflow => ("the quotient may not fit", VOUCH),
        FaultKind::AdditionOverflow
        | FaultKind::SubtractionOverflow
        | FaultKind::MultiplicationOverflow
        | FaultKind::NegationOverflow => ("the result may not fit", WRAP),
        FaultKind::LeftShiftOverflow | FaultKind::RightShiftOverflow => ("the shift may be too far", WRAP),
        kind if kind.is_guard() => ("this may be out of bounds", VOUCH),
        _ => ("this may panic", "return what says that it failed, such as a number that stands for it"),
    }
}
