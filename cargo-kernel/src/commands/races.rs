//! `cargo kernel races`.

use super::{about, at, header};
use crate::arguments::{Build, Names, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::listing::{Kernel, Place, items, texts};
use crate::style::{ASIDE, GOOD, WARNING};
use crate::{print, print_json};
use serde_json::Value;

/// Says of kernels whether work-items can race in them.
pub(crate) fn races(names: &Names, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let chosen = kernels.named(&names.names)?;
    if output.json {
        let document = |kernel: &&Kernel| {
            let members = ["races", "vouched_races", "assumes_distinct", "presumptions"]
                .map(|member| (member, kernel.document[member].clone()));
            let mut document = about(kernel, &members);
            document["verdict"] = verdict(kernel).into();
            document
        };
        return print_json(&chosen.iter().map(document).collect());
    }
    print(&chosen.into_iter().map(listing).collect::<String>())
}

/// What is known of a kernel, in a word.
fn verdict(kernel: &Kernel) -> &'static str {
    match (kernel.list("races"), kernel.list("assumes_distinct"), kernel.list("presumptions")) {
        ([], [], []) => "proved",
        ([], [], _) => "proved, with conditions of the launch",
        _ => "vouched for",
    }
}

fn listing(kernel: &Kernel) -> String {
    let verdict = verdict(kernel);
    let style = if verdict.starts_with("proved") { GOOD } else { WARNING };
    let mut text = header(kernel, &format!("{style}{verdict}{style:#}  "));
    for presumption in kernel.list("presumptions") {
        let said = |member: &str| presumption[member].as_str().unwrap_or_default();
        let place = at(presumption);
        text += &format!(
            "  {ASIDE}{place}{ASIDE:#}  a launch sees to it: `{}` {}\n",
            said("text"),
            said("presumed")
        );
    }
    kernel.list("races").iter().for_each(|finding| text += &self::finding(finding));
    for place in kernel.list("assumes_distinct") {
        let place = Place::of(place);
        text += &format!(
            "  {ASIDE}{place}{ASIDE:#}  its author vouches that no two work-items have one number: `assume_distinct`\n"
        );
    }
    let names: Vec<&str> = texts(&kernel.document["vouched_races"]).collect();
    if !names.is_empty() {
        text += &format!("  its author vouches for {}\n", names.join(", "));
    }
    if verdict == "vouched for" {
        text += "  `cargo kernel run` looks whether there are races while it runs\n";
    }
    text
}

fn finding(finding: &Value) -> String {
    let said = |member: &str| finding[member].as_str().unwrap_or_default();
    let place = items(&finding["at"]).first().map(Place::of);
    let place = place.map(|place| place.to_string()).unwrap_or_default();
    let mut text = format!("  {ASIDE}{place}{ASIDE:#}  {}: {}\n", said("class"), said("message"));
    texts(&finding["notes"]).for_each(|note| text += &format!("    {note}\n"));
    text
}
