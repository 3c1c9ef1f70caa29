//! What is checked: the choice of the process.

use std::fmt;
use std::sync::OnceLock;

/// The environment variable that chooses.
pub(crate) const CHECK_VARIABLE: &str = "KERNEL_CHECK";

/// What is checked while kernels run. Kernels are interpreted then, since native code cannot be watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// That no two work-items race: a launch in which some do ends with a fault that names both accesses.
    pub races: bool,
    /// That kernels read no memory that nobody has written, and that nothing is left behind.
    pub memory: bool,
}

/// A name that is none of `races` and `memory`, or a choice that comes too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError(String);

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckError {}

impl Checks {
    /// Nothing is checked.
    pub const NONE: Self = Self { races: false, memory: false };

    /// Whether anything is.
    #[must_use]
    pub const fn any(self) -> bool {
        self.races || self.memory
    }

    /// Reads names with commas between them, as `KERNEL_CHECK` has them: `races`, `memory`.
    ///
    /// # Errors
    ///
    /// A name is another one.
    pub fn parse(text: &str) -> Result<Self, CheckError> {
        let mut checks = Self::NONE;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "races" => checks.races = true,
                "memory" => checks.memory = true,
                _ => {
                    return Err(CheckError(format!(
                        "{CHECK_VARIABLE} is `{text}`, and `{name}` is no check; there are `races` and `memory`, with a comma between them"
                    )));
                }
            }
        }
        Ok(checks)
    }
}

static CHOICE: OnceLock<Result<Checks, CheckError>> = OnceLock::new();

/// Chooses what is checked in this process, in the place of the environment.
///
/// # Errors
///
/// A module has been built already, and the choice was another one.
pub fn set_checks(checks: Checks) -> Result<(), CheckError> {
    match CHOICE.get_or_init(|| Ok(checks)) {
        Ok(chosen) if *chosen == checks => Ok(()),
        _ => Err(CheckError(
            "what is checked has to be chosen before the first module is built, and once only".into(),
        )),
    }
}

/// What is checked, or what is wrong with the choice.
pub(crate) fn choice() -> &'static Result<Checks, CheckError> {
    CHOICE.get_or_init(|| {
        let text = std::env::var_os(CHECK_VARIABLE).unwrap_or_default();
        Checks::parse(&text.to_string_lossy())
    })
}

/// What is checked in this process.
#[must_use]
pub fn checks() -> Checks {
    *choice().as_ref().unwrap_or(&Checks::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_separated_by_commas() {
        let parsed = |text| Checks::parse(text).map(|Checks { races, memory }| (races, memory));
        assert_eq!(parsed(""), Ok((false, false)));
        assert_eq!(parsed("races"), Ok((true, false)));
        assert_eq!(parsed("memory"), Ok((false, true)));
        assert_eq!(parsed("races,memory"), Ok((true, true)));
        assert_eq!(parsed(" memory , races,"), Ok((true, true)));
    }

    #[test]
    fn another_name_is_explained() {
        let error = Checks::parse("races,leaks").unwrap_err();
        assert_eq!(
            error.to_string(),
            "KERNEL_CHECK is `races,leaks`, and `leaks` is no check; there are `races` and `memory`, with a comma between them"
        );
        assert!(Checks::parse("all").is_err() && Checks::parse("Races").is_err());
    }
}
