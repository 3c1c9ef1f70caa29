//! Which kernels are shown to the consumers that take long: all that are asked for by name, and a part if none is, since a few large ones would take hours.

use catalogue::Kernel;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Shows every kernel to every consumer.
const ALL: &str = "--all";

/// For each so many words of its module a kernel is shown half as often, a third as often, and so on: compilers take more than twice as long for twice as many words.
const WORDS: usize = 4096;

/// Why a consumer is not shown a kernel.
pub(super) const NOT_DRAWN: &str = "were not drawn, as all are with `--all`";

/// The kernels that are asked for.
pub(super) struct Sample {
    names: Vec<String>,
    is_whole: bool,
}

impl Sample {
    /// Reads the arguments of the task: parts of names, or none for all, and [`ALL`].
    pub(super) fn parse(arguments: &[String]) -> Result<Self, Box<dyn Error>> {
        let (options, names): (Vec<_>, Vec<_>) =
            arguments.iter().cloned().partition(|one| one.starts_with('-'));
        if let Some(unknown) = options.iter().find(|option| *option != ALL) {
            return Err(format!("`conformance` has no option `{unknown}`, but `{ALL}`").into());
        }
        Ok(Self { is_whole: !options.is_empty() || !names.is_empty(), names })
    }

    /// The arguments that ask for these.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str).chain(self.is_whole.then_some(ALL))
    }

    /// Returns whether the task is for a kernel.
    pub(super) fn contains(&self, kernel: &Kernel) -> bool {
        kernel.is_named(&self.names)
    }

    /// Returns whether a consumer is shown a kernel, if it is shown one of so many small ones. What draws is the module: the same one is always drawn or never, and
    /// a change that makes other modules has other kernels drawn.
    pub(super) fn draws(&self, consumer: &str, one_of: u64, kernel: &Kernel) -> bool {
        if self.is_whole {
            return true;
        }
        let words = kernel.descriptor.spirv.words();
        let mut hasher = DefaultHasher::new();
        (consumer, words).hash(&mut hasher);
        hasher.finish().is_multiple_of(one_of * (1 + words.len() / WORDS) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;
    use catalogue::KERNELS;

    fn sample(arguments: &[&str]) -> Sample {
        let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        Sample::parse(&arguments).expect("the options are known")
    }

    #[test]
    fn what_is_named_is_drawn_and_of_the_others_a_part() {
        let drawn = |sample: &Sample| KERNELS.iter().filter(|kernel| sample.draws("one", 4, kernel)).count();
        assert_eq!(drawn(&sample(&["--all"])), KERNELS.len());
        assert_eq!(drawn(&sample(&["saxpy"])), KERNELS.len());
        let part = drawn(&sample(&[]));
        assert!((KERNELS.len() / 8..KERNELS.len() / 3).contains(&part), "{part} of {}", KERNELS.len());
    }

    #[test]
    fn the_arguments_ask_for_the_same_again() {
        assert_eq!(sample(&["saxpy"]).arguments().collect::<Vec<_>>(), ["saxpy", "--all"]);
        assert_eq!(sample(&[]).arguments().count(), 0);
    }

    #[test]
    fn unknown_options_are_refused() {
        assert!(Sample::parse(&["--every".to_owned()]).is_err());
    }
}
