//! Races in a kernel: which its author vouches for, and what is said of the others.

use crate::analysis::{self, Finding};
use crate::compiled::Presumption;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::infer::Racing;
use crate::ir::{Aliasing, Module, Parameter, Space, Type};
use syn::Ident;
use syn::ext::IdentExt;

/// The arguments and local variables for whose races the author vouches, and what a launch has to see to so that there are none in others.
///
/// # Errors
///
/// The accesses that may race.
pub(crate) fn check(
    module: &Module,
    racing: &Racing,
) -> Result<(Vec<String>, Vec<Presumption>), Diagnostics> {
    let exempt = exempt(module, racing)?;
    if racing.everything {
        return Ok((exempt, Vec::new()));
    }
    let races = analysis::races_but_for(module, |name| exempt.iter().any(|known| known == name));
    let mut errors = Diagnostics::default();
    races.findings.iter().for_each(|finding| errors.push(diagnostic(finding)));
    errors.finish((exempt, races.presumed))
}

fn diagnostic(finding: &Finding) -> Diagnostic {
    let object = if finding.object.is_empty() { String::new() } else { format!("({})", finding.object) };
    let help = format!(
        "{}; if you know that no two work-items do, or that it does no harm, vouch for it: `#[kernel(unsafe(races{object}))]`",
        finding.help(),
    );
    let mut diagnostic =
        Diagnostic::new(Code::Race, &marker(finding.places[0]), finding.message()).help(help);
    diagnostic.notes = finding.notes();
    diagnostic
}

/// The arguments and local variables in which races do no harm, as the author vouches.
///
/// # Errors
///
/// The names of what no two work-items can race for.
fn exempt(module: &Module, racing: &Racing) -> Result<Vec<String>, Diagnostics> {
    let parameters = module.parameters.iter().filter(|parameter| is_written(module, parameter));
    let parameters = parameters.map(|parameter| &parameter.name);
    let locals = module.locals.iter().map(|(_, local)| &local.name);
    let all: Vec<&String> = parameters.chain(locals).collect();
    let mut errors = Diagnostics::default();
    for name in &racing.names {
        if !all.contains(&&name.unraw().to_string()) {
            errors.push(unknown(module, name));
        }
    }
    let is_exempt =
        |known: &&String| racing.everything || racing.names.iter().any(|name| name.unraw() == known.as_str());
    errors.finish(all.into_iter().filter(is_exempt).cloned().collect())
}

/// Returns whether work-items may write to what a parameter leads to.
fn is_written(module: &Module, parameter: &Parameter) -> bool {
    match module.types[parameter.ty] {
        Type::Slice { space: Space::Local, .. } => true,
        Type::Slice { space: Space::Global, .. } | Type::Pointer { raw: false, .. } => {
            parameter.aliasing != Aliasing::ReadOnly
        }
        Type::Image(image) => image.access.writes(),
        _ => false,
    }
}

fn unknown(module: &Module, name: &Ident) -> Diagnostic {
    let text = name.unraw().to_string();
    let message = match module.parameters.iter().any(|parameter| parameter.name == text) {
        true => format!("work-items cannot race for `{text}`, since none of them writes there"),
        false => format!("the kernel has no argument and no local memory `{text}`"),
    };
    Diagnostic::new(Code::Attribute, name, message)
        .help("name what the kernel writes to: `&mut` arguments, and variables of type `Local`")
}
