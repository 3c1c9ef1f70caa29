//! The flags of a build (`pBuildFlags` of `ze_module_desc_t`).
//!
//! All that the specification has is about speed, about memory beyond 4 GiB, or about rounding that is as precise as it can be: none of it changes
//! what this driver does. What is no such flag is ignored, as Intel's driver does it, but the build log says so.

use std::fmt::Write;

/// The flags of the specification that stand by themselves, and those that Intel's driver takes from OpenCL.
const KNOWN: [&str; 16] = [
    "-g",
    "-ze-opt-disable",
    "-ze-opt-greater-than-4GB-buffer-required",
    "-ze-opt-large-register-file",
    "-ze-opt-has-buffer-offset-arg",
    "-ze-fp32-correctly-rounded-divide-sqrt",
    "-ze-take-global-address",
    "-cl-opt-disable",
    "-cl-denorms-are-zero",
    "-cl-fast-relaxed-math",
    "-cl-finite-math-only",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-intel-greater-than-4GB-buffer-required",
];

/// The level of optimisation, which comes with a number: `-ze-opt-level=2`, or `-ze-opt-level 2`.
const LEVEL: &str = "-ze-opt-level";

/// What the build log says about flags, a line for each that is not known.
pub(super) fn warnings(flags: &str) -> String {
    let (mut warnings, mut rest) = (String::new(), flags.split_ascii_whitespace().peekable());
    while let Some(flag) = rest.next() {
        let level = match flag.strip_prefix(LEVEL) {
            Some("") => rest.next_if(|next| is_level(next)).is_some(),
            Some(with) => with.strip_prefix('=').is_some_and(is_level),
            None => false,
        };
        if !level && !KNOWN.contains(&flag) {
            // Writing to a string does not fail.
            let _ = writeln!(warnings, "warning: `{flag}` is no build flag, and is ignored");
        }
    }
    warnings
}

fn is_level(text: &str) -> bool {
    text.parse::<u8>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_specification_are_taken() {
        assert_eq!(warnings(""), "");
        assert_eq!(warnings(" -ze-opt-disable  -g "), "");
        assert_eq!(warnings("-ze-opt-level=2 -ze-opt-level 0 -ze-opt-large-register-file"), "");
        assert_eq!(warnings(&KNOWN.join(" ")), "");
    }

    #[test]
    fn others_are_named() {
        let expected = "warning: `-ze-opt-disabled` is no build flag, and is ignored\n";
        assert_eq!(warnings("-g -ze-opt-disabled"), expected);
        assert_eq!(warnings("-ze-opt-level").lines().count(), 1);
        assert_eq!(warnings("-ze-opt-level=fast -ze-opt-level x").lines().count(), 3);
    }
}
