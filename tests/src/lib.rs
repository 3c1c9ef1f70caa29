//! Holds the tests that are common to the kernel crates; it has no code of its own.

/// The programs of the language reference, which are compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/language.md")]
pub struct Language;

/// The kernels of the chapter on races, which are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../docs/races.md")]
pub struct RacesChapter;
