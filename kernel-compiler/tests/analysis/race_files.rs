//! The kernels in `races/`: whether each is refused, and as what.
//!
//! The first word of a kernel's documentation says what is expected: the class of the race, as `cargo xtask races` writes it, `free`, or `condition` where a launch has to see to something. What is written
//! in backquotes behind the class of a race has to be in what is said of it; behind `condition`, it is what something is presumed of.

use crate::source::lowered_item;
use kernel_compiler::Presumption;
use kernel_compiler::analysis::{Analysis, Finding, Races, divergence, keep_fault_exits, races};
use kernel_compiler::ir::Attributes;
use kernel_core::Part;
use std::fs;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Item, ItemFn, Lit, Meta, MetaNameValue, Token};

/// A kernel with what is expected of it.
struct Expected {
    name: String,
    kernel: ItemFn,
    attributes: Attributes,
    /// The documentation.
    text: String,
}

/// The text of a documentation line.
fn documentation(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(MetaNameValue {
            path,
            value: Expr::Lit(ExprLit { lit: Lit::Str(text), .. }),
            ..
        }) if path.is_ident("doc") => Some(text.value()),
        _ => None,
    }
}

fn number(expression: &Expr) -> u32 {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().expect("it is a size"),
        _ => panic!("a size is a number"),
    }
}

/// What `#[kernel(…)]` requires.
fn required(attribute: &Attribute) -> Attributes {
    let mut found = Attributes::default();
    let Meta::List(list) = &attribute.meta else { return found };
    let entries = list
        .parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated)
        .expect("these are names with values");
    for MetaNameValue { path, value, .. } in entries {
        match value {
            Expr::Tuple(sizes) => {
                let mut sizes: Vec<u32> = sizes.elems.iter().map(number).collect();
                sizes.resize(3, 1);
                found.group_size = Some([sizes[0], sizes[1], sizes[2]]);
            }
            size if path.is_ident("subgroup_size") => found.subgroup_size = Some(number(&size)),
            size => found.group_size = Some([number(&size), 1, 1]),
        }
    }
    found
}

fn expected(file: &str, mut kernel: ItemFn) -> Expected {
    let text = kernel.attrs.iter().filter_map(documentation).collect::<Vec<_>>().join(" ").trim().to_owned();
    let attribute = kernel.attrs.iter().find(|attribute| attribute.path().is_ident("kernel"));
    let attributes = attribute.map(required).unwrap_or_default();
    kernel.attrs.clear();
    Expected { name: format!("{file}: {}", kernel.sig.ident), kernel, attributes, text }
}

/// The kernels of a folder.
fn kernels(folder: &str) -> Vec<Expected> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis/races").join(folder);
    let mut files: Vec<_> = fs::read_dir(path)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("the file can be read");
        let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}")).items;
        found.extend(items.into_iter().filter_map(|item| match item {
            Item::Fn(kernel) => Some(expected(&name, kernel)),
            _ => None,
        }));
    }
    found
}

/// What the analysis finds, or why it is not asked.
fn checked(expected: &Expected) -> Result<Races, String> {
    let lowered = lowered_item(expected.kernel.clone(), expected.attributes);
    let mut module = lowered.map_err(|errors| format!("not accepted: {errors:?}"))?;
    keep_fault_exits(&mut module);
    let analysis = Analysis::of(&module);
    divergence(&module, &analysis).finish(()).map_err(|errors| format!("divergent: {errors:?}"))?;
    Ok(races(&module))
}

fn shown(finding: &Finding) -> String {
    let Finding { elements: [one, other], deeds: [first, second], class, pair, .. } = finding;
    format!("{class}: `{one}` is {first}, `{other}` is {second}; {pair}")
}

/// Returns whether some small launch meets what is presumed of it.
fn can_be_met(presumed: &[Presumption], attributes: Attributes) -> bool {
    let group = attributes.group_size.unwrap_or([8; 3]).map(i128::from);
    let meets = |scalar: i128, groups: i128| {
        presumed.iter().all(|one| {
            one.presumed.holds(&one.parts, |part| {
                Some(match part {
                    Part::Value { .. } => (scalar, scalar),
                    Part::Length(_) => (1 << 12, 1 << 12),
                    Part::Memory(position) => {
                        (i128::from(position) << 12, (i128::from(position) << 12) + 0xfff)
                    }
                    Part::LocalSize(dimension) => {
                        (group[usize::from(dimension)], group[usize::from(dimension)])
                    }
                    Part::NumGroups(_) => (groups, groups),
                    Part::GroupId(_) => (0, groups - 1),
                    Part::GlobalSize(dimension) => {
                        let size = group[usize::from(dimension)] * groups;
                        (size, size)
                    }
                    Part::GlobalId(dimension) => (0, group[usize::from(dimension)] * groups - 1),
                    _ => return None,
                })
            })
        })
    };
    [1, 2, 3, 8, 16, 30].into_iter().any(|scalar| meets(scalar, 4) || meets(scalar, 1))
}

/// What is wrong with what is found of a kernel, if anything is.
fn objection(expected: &Expected) -> Option<String> {
    let Races { findings, presumed } = match checked(expected) {
        Ok(races) => races,
        Err(error) => return Some(format!("{}: {error}", expected.name)),
    };
    let all: Vec<String> = findings.iter().map(shown).collect();
    if !can_be_met(&presumed, expected.attributes) {
        return Some(format!("{}: no launch meets {presumed:?}", expected.name));
    }
    let verdict = match &findings[..] {
        [] if presumed.is_empty() => "free".to_owned(),
        [] => {
            format!("condition{}", presumed.iter().map(|one| format!(" `{}`", one.text)).collect::<String>())
        }
        _ => all.join("\n    "),
    };
    let (wanted, needles) = expected.text.split_once(':').unwrap_or((&expected.text, ""));
    let is_class = findings.iter().any(|finding| finding.class.to_string() == wanted);
    let is_said = |needle: &str| {
        findings.iter().any(|finding| {
            shown(finding).contains(needle)
                || finding.notes().iter().any(|note| note.contains(needle))
                || finding.help().contains(needle)
        })
    };
    let has_all = needles.split('`').skip(1).step_by(2).all(is_said);
    let is_met = if findings.is_empty() {
        let is_presumed = |needle| presumed.iter().any(|one| one.text == needle);
        let mut needles = needles.split('`').skip(1).step_by(2);
        verdict.split(' ').next() == Some(wanted) && needles.all(is_presumed)
    } else {
        is_class && has_all
    };
    (!is_met).then(|| format!("{} ({}) is {verdict}", expected.name, expected.text))
}

#[track_caller]
fn check(folder: &str, least: usize) {
    let kernels = kernels(folder);
    assert!(kernels.len() >= least, "there are {} kernels", kernels.len());
    let objections: Vec<String> = kernels.iter().filter_map(objection).collect();
    assert!(objections.is_empty(), "\n{}", objections.join("\n"));
}

#[test]
fn racy_kernels() {
    check("racy", 399);
}

#[test]
fn race_free_kernels() {
    check("free", 355);
}
