//! How many threads execute kernels, `KERNEL_CPU_THREADS`.

use super::variable::variable;
use std::num::NonZero;
use std::thread::available_parallelism;

/// The environment variable with the number of threads; nothing is as many as the process may use at a time, by its affinity and its control group.
const THREADS_VARIABLE: &str = "KERNEL_CPU_THREADS";

/// The most threads that there can be.
const MAX_THREADS: usize = 1024;

/// The number that the environment asks for, or else that of the processors that the process may use.
pub(super) fn wanted() -> usize {
    let usual = available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let Some(given) = variable(THREADS_VARIABLE) else { return usual };
    parse(&given).unwrap_or_else(|| {
        // There is no call of the host whose error this could be.
        eprintln!("{THREADS_VARIABLE}={given:?} is no number from 1 to {MAX_THREADS}, so that there are {usual} threads");
        None
    })
    .unwrap_or(usual)
}

/// The number that a value of the variable asks for, if it does; none if it is no possible number.
fn parse(text: &str) -> Option<Option<usize>> {
    match text.trim() {
        "" => Some(None),
        number => number.parse().ok().filter(|number| (1..=MAX_THREADS).contains(number)).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_at_least_one() {
        assert_eq!(parse("4"), Some(Some(4)));
        assert_eq!(parse(" 1024 "), Some(Some(1024)));
        assert_eq!(parse(""), Some(None));
        for wrong in ["0", "-1", "1025", "two", "1.5"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
