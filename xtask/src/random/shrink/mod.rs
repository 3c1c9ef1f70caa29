//! Makes a program that shows a difference smaller while it still shows it.
//!
//! In each round all [reductions](reduce) of the program are tried at once, then several of those that keep the difference together. What is
//! no Rust any more, because a variable has lost its declaration, say, is told by rustc.

mod reduce;

use super::consumer::Consumer;
use super::tree::{Program, Style};
use super::workshop::Workshop;
use super::{Difference, Source};
use reduce::Reduction;
use std::error::Error;

/// How many programs are tried at once.
const AT_ONCE: usize = 120;

/// How often the program is made smaller at most.
const MAX_ROUNDS: usize = 60;

/// The smallest program found that shows a difference of the same kind, with that difference.
pub(super) fn shrink(
    program: &Program,
    difference: &Difference,
    workshop: &Workshop,
) -> Result<(Program, Difference), Box<dyn Error>> {
    let mut best = (program.clone(), difference.clone());
    for _ in 0..MAX_ROUNDS {
        let trier = Trier { wanted: &best.1, workshop };
        let Some(smaller) = round(&best.0, &trier)? else { break };
        println!("{} characters", length(&smaller.0));
        best = smaller;
    }
    Ok(best)
}

/// A program that is smaller, if there is one.
fn round(program: &Program, trier: &Trier<'_>) -> Result<Option<(Program, Difference)>, Box<dyn Error>> {
    let all = reduce::reductions(program);
    let mut smaller: Vec<(Reduction, Program)> = all
        .into_iter()
        .filter_map(|reduction| Some((reduction, reduction.apply(program)?)))
        .filter(|(_, reduced)| length(reduced) < length(program))
        .collect();
    // What takes most away comes first.
    smaller.sort_by_cached_key(|(_, reduced)| length(reduced));
    for some in smaller.chunks(AT_ONCE) {
        let candidates = some.iter().map(|(_, reduced)| reduced.clone()).collect();
        let kept = trier.kept(candidates)?;
        let mut singles: Vec<Reduction> = kept.iter().map(|&(index, _)| some[index].0).collect();
        singles.sort_by_key(Reduction::site);
        let best = kept.into_iter().map(|(index, found)| (some[index].1.clone(), found));
        let Some(best) = best.min_by_key(|(reduced, _)| length(reduced)) else { continue };
        let together = combinations(program, &singles);
        let combined = trier.kept(together.clone())?;
        let combined = combined.into_iter().map(|(index, found)| (together[index].clone(), found));
        return Ok(combined.chain([best]).min_by_key(|(reduced, _)| length(reduced)));
    }
    Ok(None)
}

/// The program with several reductions at once: all, each half, each quarter and so on.
fn combinations(program: &Program, reductions: &[Reduction]) -> Vec<Program> {
    let mut combined = Vec::new();
    let mut size = reductions.len();
    while size > 1 {
        for some in reductions.chunks(size) {
            // From the end, since a reduction leaves the places before it as they were.
            let apply =
                |reduced: Program, reduction: &Reduction| reduction.apply(&reduced).unwrap_or(reduced);
            combined.push(some.iter().rev().fold(program.clone(), apply));
        }
        size = size.div_ceil(2);
        if combined.len() > AT_ONCE {
            break;
        }
    }
    combined
}

fn length(program: &Program) -> usize {
    program.print(Style::Host).split_whitespace().map(str::len).sum()
}

/// Finds the candidates that keep a difference.
struct Trier<'a> {
    wanted: &'a Difference,
    workshop: &'a Workshop,
}

impl Trier<'_> {
    /// The positions of the candidates that show a difference of the wanted kind.
    fn kept(&self, candidates: Vec<Program>) -> Result<Vec<(usize, Difference)>, Box<dyn Error>> {
        // The seed decides the inputs, so it stays, and cannot tell candidates apart.
        let batch = self.workshop.compile(candidates, "shrink")?;
        let consumers: &[Consumer] = match &self.wanted.source {
            Source::Compiler => &[],
            Source::Consumer(consumer) => std::slice::from_ref(consumer),
        };
        let found = self.workshop.differences(&batch, consumers)?;
        Ok(found.into_iter().filter(|(_, found)| found.is_like(self.wanted)).collect())
    }
}

impl Difference {
    /// Returns whether this is likely to have the same cause as another.
    fn is_like(&self, other: &Self) -> bool {
        self.source == other.source && kind(&self.message) == kind(&other.message)
    }
}

/// What a message is about, without names, numbers and places.
fn kind(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    if line.contains("work-item") {
        return "fault".to_owned();
    }
    if line.contains("]: expected ") {
        return "value".to_owned();
    }
    line.chars().filter(|character| !character.is_ascii_digit()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn differences_are_known_by_what_they_are_about() {
        assert_eq!(kind("`y1`[3]: expected 7 (0x07), got 8 (0x08)"), kind("`y2`[0]: expected 1, got 2"));
        assert_eq!(kind("0 work-items panic, but 1 fault"), kind("work-item 3: `no` at a:1:1, but `yes`"));
        assert_ne!(kind("the process died (signal: 11)"), kind("`y2`[0]: expected 1, got 2"));
    }
}
