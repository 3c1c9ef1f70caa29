//! What tools show of a kernel that has been compiled: a document in JSON.
//!
//! `cargo kernel` has the macros write one for each kernel of a crate, by the variable `KERNEL_LISTING` of the environment. Its members are those of
//! `kernel_core::KernelDescriptor`, with the module as it is embedded, once more with lines, and with all that debuggers need, in hexadecimal digits, the intermediate
//! representation as text, and what the analysis of races has found. [`FORMAT`] changes when the meaning of a member does.

mod json;
mod types;

use crate::analysis::Finding;
use crate::compiled::{Compiled, Hoisted, Presumption, Shown, Site};
use crate::emit::{self, Requirements, SourcePlace};
use json::Json;
use kernel_core::Presumed;
use std::fmt::Write;

/// The number of the form of these documents.
pub const FORMAT: u32 = 1;

/// A kernel, or an instance of a generic one, for tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The name of its entry point.
    pub name: String,
    /// Where the name of its function is written.
    pub place: SourcePlace,
    /// All of it, as JSON.
    pub document: String,
}

impl Listing {
    /// That of an instance of a function, whose generic arguments are these.
    pub(crate) fn of(
        compiled: &Compiled,
        function: &str,
        arguments: Vec<String>,
        place: SourcePlace,
    ) -> Self {
        let mut members = vec![
            ("format", FORMAT.into()),
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("name", compiled.name.as_str().into()),
            ("function", function.into()),
            ("generics", Json::list(arguments)),
            ("at", at(&place)),
        ];
        members.extend(interface(compiled));
        members.extend(checks(compiled));
        members.push(("spirv", digits(&compiled.words).into()));
        members.extend(compiled.shown.iter().flat_map(shown));
        Self { name: compiled.name.clone(), place, document: Json::Object(members).to_string() }
    }
}

/// What a launch has to know.
fn interface(compiled: &Compiled) -> [(&'static str, Json); 12] {
    let arguments = compiled.arguments.iter().map(|argument| {
        let ty = types::Shown(&argument.kind).to_string();
        Json::Object(vec![("name", argument.name.as_str().into()), ("type", ty.into())])
    });
    let specializations = compiled.specializations.iter().map(|(name, ty)| {
        Json::Object(vec![("name", name.as_str().into()), ("type", ty.to_string().into())])
    });
    let imports = compiled.imports.iter().map(|(name, _)| name.as_str());
    [
        ("arguments", Json::list(arguments)),
        ("specializations", Json::list(specializations)),
        ("imports", Json::list(imports)),
        ("rank", u32::from(compiled.rank).into()),
        ("group_size", compiled.group_size.map(Json::list).into()),
        ("subgroup_size", compiled.subgroup_size.into()),
        ("local_memory", compiled.local_memory.into()),
        ("correctly_rounded", compiled.correctly_rounded.into()),
        ("indirect", compiled.indirect.into()),
        ("prints", (!compiled.prints.is_empty()).into()),
        ("requirements", requirements(&compiled.requirements)),
        ("conditions", Json::list(compiled.conditions.iter().map(|(text, place)| text_at(text, place)))),
    ]
}

/// What is checked, and by whom.
fn checks(compiled: &Compiled) -> [(&'static str, Json); 6] {
    let sites = compiled.sites.iter().enumerate();
    let sites = sites.map(|(position, one)| site(one, position, compiled.hoisted.as_ref()));
    let hoisted = compiled.hoisted.as_ref().map(|hoisted| hoisted.entry_point.as_str());
    [
        ("unchecked", compiled.unchecked.into()),
        ("sites", Json::list(sites)),
        ("hoisted", hoisted.into()),
        ("vouched_races", Json::list(compiled.races.iter().map(String::as_str))),
        ("assumes_distinct", Json::list(compiled.assumes_distinct.iter().map(at))),
        ("presumptions", Json::list(compiled.presumptions.iter().map(presumption))),
    ]
}

fn shown(shown: &Shown) -> [(&'static str, Json); 5] {
    [
        ("races", Json::list(shown.races.findings.iter().map(finding))),
        ("lowered", shown.lowered.as_str().into()),
        ("ir", shown.ir.as_str().into()),
        ("spirv_with_lines", digits(&shown.with_lines).into()),
        ("spirv_with_debug_info", digits(&emit::with_debug_info(&shown.with_lines)).into()),
    ]
}

fn requirements(requirements: &Requirements) -> Json {
    let (major, minor) = requirements.spirv_version;
    let features =
        requirements.features.iter().map(|(feature, place)| text_at(&format!("{feature:?}"), place));
    Json::Object(vec![
        ("spirv", format!("{major}.{minor}").into()),
        ("capabilities", Json::list(requirements.capabilities.iter().map(String::as_str))),
        ("extensions", Json::list(requirements.extensions.iter().map(String::as_str))),
        ("fp64", requirements.fp64.into()),
        ("fp16", requirements.fp16.into()),
        ("int64_atomics", requirements.int64_atomics.into()),
        ("features", Json::list(features)),
    ])
}

fn site(site: &Site, position: usize, hoisted: Option<&Hoisted>) -> Json {
    let place = SourcePlace { file: site.file.clone(), line: site.line, column: site.column };
    Json::Object(vec![
        ("kind", format!("{:?}", site.kind).into()),
        ("at", at(&place)),
        ("message", site.message.as_str().into()),
        ("reason", site.reason.as_str().into()),
        ("hoisted_where", hoisted.and_then(|hoisted| conditions(hoisted, position)).into()),
    ])
}

/// The conditions under which a launch needs no check of a site, if the host can find that out.
fn conditions(hoisted: &Hoisted, site: usize) -> Option<Json> {
    let (_, positions) = hoisted.sites.iter().find(|(known, _)| *known == site)?;
    let conditions = positions.iter().filter_map(|position| hoisted.conditions.get(*position));
    Some(Json::list(conditions.map(|(text, _)| text.as_str())))
}

fn presumption(presumption: &Presumption) -> Json {
    let Presumption { text, at: place, presumed, .. } = presumption;
    let presumed = match presumed {
        Presumed::Fits => "does not wrap around",
        Presumed::PowerOfTwo => "is a power of two",
        Presumed::One => "is one",
        Presumed::Positive => "is not zero",
        Presumed::Apart => "are apart",
    };
    Json::Object(vec![("text", text.as_str().into()), ("presumed", presumed.into()), ("at", at(place))])
}

fn finding(finding: &Finding) -> Json {
    let places = finding.places.map(|span| at(&SourcePlace::of(span)));
    Json::Object(vec![
        ("object", finding.object.as_str().into()),
        ("class", finding.class.to_string().into()),
        ("message", finding.message().into()),
        ("notes", Json::list(finding.notes())),
        ("help", finding.help().into()),
        ("at", Json::List(places.into())),
    ])
}

/// Something in words, and where it is said.
fn text_at(text: &str, place: &SourcePlace) -> Json {
    Json::Object(vec![("text", text.into()), ("at", at(place))])
}

fn at(SourcePlace { file, line, column }: &SourcePlace) -> Json {
    Json::Object(vec![("file", file.as_str().into()), ("line", (*line).into()), ("column", (*column).into())])
}

/// The bytes of a module in hexadecimal digits.
fn digits(words: &[u32]) -> String {
    let mut digits = String::with_capacity(words.len() * 8);
    for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
