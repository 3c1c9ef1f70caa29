//! What the arguments of rustc say of how a crate is built. A procedural macro runs in the process of rustc, which has them; it hands them over.
//!
//! Of options that are given several times the last counts. `-O` is `-C opt-level=3`; debug assertions follow the optimisation, and checks of overflow the debug assertions, if
//! nothing else is said of them.

use crate::Asked;
use crate::listing::Listing;

/// How a crate is built, as far as the arguments of the compiler say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    overflow_checks: Option<bool>,
    debug_assertions: Option<bool>,
    optimised: Option<bool>,
    /// Whether descriptors have the text of the intermediate representation.
    shows_ir: bool,
    /// Whether modules have the lines that instructions come from.
    has_lines: bool,
    /// Who gets what tools show of each kernel.
    listed_to: Option<fn(&Listing)>,
    /// Whether these are the arguments of rustc at all: a crate in which there are kernels refers to others.
    compiles: bool,
}

/// The options of one letter that are followed by a value.
const WITH_VALUE: &str = "LloAWDFCZ";

impl Options {
    /// Reads the arguments of a process, the first of which is its name. `read` gives the text of a file of further arguments, one in each line.
    pub fn from_arguments(
        arguments: impl IntoIterator<Item = String>,
        read: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let arguments = arguments.into_iter().skip(1).flat_map(|argument| match argument.strip_prefix('@') {
            Some(file) => read(file).unwrap_or_default().lines().map(str::to_owned).collect(),
            None => vec![argument],
        });
        let mut options = Self::default();
        let mut arguments = arguments.fuse();
        while let Some(argument) = arguments.next() {
            if let Some(name) = argument.strip_prefix("--") {
                match name.split_once('=').unwrap_or((name, "")) {
                    ("", _) => break,
                    ("codegen", _) if name == "codegen" => {
                        options.codegen(&arguments.next().unwrap_or_default());
                    }
                    ("codegen", option) => options.codegen(option),
                    ("extern" | "crate-name", _) => options.compiles = true,
                    ("cfg", _) if name == "cfg" => options.cfg(&arguments.next().unwrap_or_default()),
                    ("cfg", option) => options.cfg(option),
                    _ => {}
                }
            } else if let Some(letters) = argument.strip_prefix('-') {
                options.letters(letters, &mut arguments);
            }
        }
        options
    }

    /// Options of one letter in one argument, of which the last may have a value.
    fn letters(&mut self, letters: &str, arguments: &mut impl Iterator<Item = String>) {
        for (position, letter) in letters.char_indices() {
            if letter == 'O' {
                self.optimised = Some(true);
            }
            if WITH_VALUE.contains(letter) {
                let value = match &letters[position + letter.len_utf8()..] {
                    "" => arguments.next().unwrap_or_default(),
                    value => value.to_owned(),
                };
                if letter == 'C' {
                    self.codegen(&value);
                }
                return;
            }
        }
    }

    /// What follows `-C`.
    fn codegen(&mut self, option: &str) {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        match name.replace('_', "-").as_str() {
            "overflow-checks" => self.overflow_checks = switch(value).or(self.overflow_checks),
            "debug-assertions" => self.debug_assertions = switch(value).or(self.debug_assertions),
            "opt-level" => self.optimised = value.map(|level| level != "0"),
            _ => {}
        }
    }

    /// What follows `--cfg`. A crate of tools sets it for itself in its build script.
    fn cfg(&mut self, option: &str) {
        self.shows_ir |= option == "kernel_ir";
    }

    /// The same, with lines in modules or without.
    #[must_use]
    pub fn with_lines(self, has_lines: bool) -> Self {
        Self { has_lines, ..self }
    }

    /// The same, where what tools show of each kernel is handed over when it has been compiled. What is handed over last of a place is what counts.
    #[must_use]
    pub fn listed_to(self, take: fn(&Listing)) -> Self {
        Self { listed_to: Some(take), ..self }
    }

    /// What is asked for besides a kernel that can be launched.
    pub(super) fn requests(self) -> Asked {
        Asked { ir: self.shows_ir, lines: self.has_lines, shown: self.listed_to.is_some() }
    }

    /// Hands a kernel over to who asks for it.
    pub(super) fn list(self, listing: impl FnOnce() -> Listing) {
        if let Some(take) = self.listed_to {
            take(&listing());
        }
    }

    /// Returns whether overflow is checked, if an argument says so.
    pub(super) fn stated(self) -> Option<bool> {
        self.overflow_checks
    }

    /// Returns whether overflow is checked, if nothing is known but the arguments; none if these are not those of rustc.
    pub(super) fn deduced(self) -> Option<bool> {
        let follows = self.debug_assertions.unwrap_or(!self.optimised.unwrap_or(false));
        self.compiles.then_some(self.overflow_checks.unwrap_or(follows))
    }
}

/// What a switch is set to, if it is one that rustc takes.
fn switch(value: Option<&str>) -> Option<bool> {
    match value {
        None | Some("y" | "yes" | "on" | "true") => Some(true),
        Some("n" | "no" | "off" | "false") => Some(false),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the arguments state and what follows from them, separated by blanks.
    fn of(arguments: &str) -> (Option<bool>, Option<bool>) {
        let arguments = arguments.split_whitespace().map(str::to_owned);
        let options = Options::from_arguments(arguments, |file| match file {
            "args" => Some("--crate-name\nk\n-C\noverflow-checks=off\n".to_owned()),
            _ => None,
        });
        (options.stated(), options.deduced())
    }

    const ON: (Option<bool>, Option<bool>) = (Some(true), Some(true));
    const OFF: (Option<bool>, Option<bool>) = (Some(false), Some(false));

    #[test]
    fn a_switch_is_stated_in_every_form() {
        for name in [
            "-C overflow-checks",
            "-Coverflow-checks",
            "--codegen overflow-checks",
            "--codegen=overflow-checks",
        ] {
            assert_eq!(of(&format!("rustc --crate-name k {name}")), ON, "{name}");
            for value in ["y", "yes", "on", "true"] {
                assert_eq!(of(&format!("rustc --crate-name k {name}={value} -C opt-level=3")), ON);
            }
            for value in ["n", "no", "off", "false"] {
                assert_eq!(of(&format!("rustc --crate-name k {name}={value}")), OFF);
            }
        }
        assert_eq!(of("rustc --crate-name k -C overflow_checks=n"), OFF);
        assert_eq!(of("rustc --crate-name k -gCoverflow-checks=n"), OFF);
    }

    #[test]
    fn the_last_of_several_counts() {
        assert_eq!(of("rustc --crate-name k -C overflow-checks=on -C overflow-checks=off"), OFF);
        assert_eq!(of("rustc --crate-name k -C overflow-checks=off -Coverflow-checks -C opt-level=3"), ON);
        assert_eq!(of("rustc --crate-name k -O -C opt-level=0").1, Some(true));
        assert_eq!(of("rustc --crate-name k -C opt-level=0 -gO").1, Some(false));
    }

    #[test]
    fn what_is_not_stated_follows() {
        let deduced = |arguments: &str| {
            let (stated, deduced) = of(&format!("rustc --crate-name k {arguments}"));
            assert_eq!(stated, None);
            deduced
        };
        assert_eq!(deduced(""), Some(true));
        assert_eq!(deduced("-C opt-level=0"), Some(true));
        for level in ["1", "2", "3", "s", "z"] {
            assert_eq!(deduced(&format!("-C opt-level={level}")), Some(false));
        }
        assert_eq!(deduced("-O"), Some(false));
        assert_eq!(deduced("-O -C debug-assertions"), Some(true));
        assert_eq!(deduced("-C debug-assertions=off"), Some(false));
    }

    #[test]
    fn what_follows_another_option_is_its_value() {
        assert_eq!(of("rustc --crate-name k -o -Coverflow-checks=off -A -O"), (None, Some(true)));
        assert_eq!(of("rustc --crate-name k -LC overflow-checks=off"), (None, Some(true)));
        assert_eq!(of("rustc --crate-name k -- -C overflow-checks=off"), (None, Some(true)));
        assert_eq!(of("rustc --crate-name k -C"), (None, Some(true)));
    }

    #[test]
    fn arguments_may_be_in_a_file() {
        assert_eq!(of("rustc @args"), OFF);
        assert_eq!(of("rustc @args -C overflow-checks"), ON);
        assert_eq!(of("rustc --crate-name k @missing"), (None, Some(true)));
    }

    #[test]
    fn nothing_follows_from_the_arguments_of_others() {
        assert_eq!(of("rust-analyzer-proc-macro-srv"), (None, None));
        assert_eq!(of("rust-analyzer proc-macro -C overflow_check"), (None, None));
        assert_eq!(of(""), (None, None));
        assert_eq!(of("rustdoc --extern=kernel_runtime=x src/lib.rs").1, Some(true));
    }

    #[test]
    fn a_crate_may_ask_for_the_intermediate_representation() {
        let shows = |arguments: &str| {
            let arguments = arguments.split_whitespace().map(str::to_owned);
            Options::from_arguments(arguments, |_| None).requests().ir
        };
        assert!(shows("rustc --crate-name k --cfg kernel_ir -C opt-level=3"));
        assert!(shows("rustc --cfg=kernel_ir"));
        assert!(!shows("rustc --cfg other --check-cfg kernel_ir --cfg feature=\"kernel_ir\""));
    }
}
