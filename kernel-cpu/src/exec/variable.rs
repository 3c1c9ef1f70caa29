//! The settings of the driver, which are variables of the environment.

/// The text of a variable, if it is set.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|text| text.to_string_lossy().into_owned())
}
