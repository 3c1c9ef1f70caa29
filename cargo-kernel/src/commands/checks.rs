//! `cargo kernel checks`.

use super::{about, at, counted, header};
use crate::arguments::{Build, Names, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::listing::{Kernel, Place, texts};
use crate::style::{ASIDE, GOOD, WARNING};
use crate::{print, print_json};
use serde_json::Value;
use std::collections::BTreeMap;

/// Lists the checks that are left in kernels.
pub(crate) fn checks(names: &Names, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let chosen = kernels.named(&names.names)?;
    if output.json {
        let members = ["unchecked", "sites", "hoisted", "presumptions", "conditions"];
        let document = |kernel: &&Kernel| {
            about(kernel, &members.map(|member| (member, kernel.document[member].clone())))
        };
        return print_json(&chosen.iter().map(document).collect());
    }
    print(&chosen.into_iter().map(listing).collect::<String>())
}

/// A kernel and its checks, each with its place and its reason; what is inlined several times says how often.
fn listing(kernel: &Kernel) -> String {
    let sites = kernel.list("sites");
    let hoisted = sites.iter().filter(|site| !site["hoisted_where"].is_null()).count();
    let count = match (sites.len(), hoisted) {
        (0, _) => format!("{GOOD}no checks{GOOD:#}"),
        (all, hoisted) if all == hoisted => format!("{GOOD}{}, hoisted{GOOD:#}", counted(all, "check")),
        (all, 0) => format!("{WARNING}{}{WARNING:#}", counted(all, "check")),
        (all, hoisted) => format!("{WARNING}{}, {hoisted} of them hoisted{WARNING:#}", counted(all, "check")),
    };
    let vouched = if kernel.is("unchecked") { ", unsafe(unchecked)" } else { "" };
    let mut text = header(kernel, &format!("{count}{vouched}  "));
    for condition in kernel.list("conditions") {
        text += &line(
            &at(condition),
            &format!("at each launch: `{}`, as the kernel requires", said(condition, "text")),
        );
    }
    for presumption in kernel.list("presumptions") {
        let presumed =
            format!("at each launch: `{}` {}", said(presumption, "text"), said(presumption, "presumed"));
        text += &line(&at(presumption), &presumed);
    }
    let mut lines: BTreeMap<(Place, String), usize> = BTreeMap::new();
    for site in sites {
        *lines.entry((at(site), reason(site))).or_default() += 1;
    }
    for ((place, reason), count) in lines {
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        text += &line(&place, &format!("{reason}{times}"));
    }
    text
}

fn line(place: &Place, said: &str) -> String {
    format!("  {ASIDE}{place}{ASIDE:#}  {said}\n")
}

fn said<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or_default()
}

/// What is checked, and why the kernel does it or where the launch does.
fn reason(site: &Value) -> String {
    let kind = words(said(site, "kind"));
    match &site["hoisted_where"] {
        Value::Null => format!("{kind}: {}", said(site, "reason")),
        conditions => {
            let conditions: Vec<String> = texts(conditions).map(|text| format!("`{text}`")).collect();
            format!("{kind}: hoisted where {}", conditions.join(" and "))
        }
    }
}

/// The name of a kind in words, without the values of a fault.
fn words(kind: &str) -> String {
    let mut words = String::new();
    for letter in kind.chars().take_while(|letter| letter.is_alphanumeric()) {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_words() {
        assert_eq!(words("IndexOutOfBounds"), "index out of bounds");
        assert_eq!(words("Overflow(Add)"), "overflow");
    }
}
