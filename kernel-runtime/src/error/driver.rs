//! Errors of the driver: a function of Level Zero that did not succeed.

use core::fmt;
use level_zero_sys::ze_result_t;

/// A function of the Level Zero driver failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverError {
    function: &'static str,
    result: ze_result_t,
    said: Option<Box<Said>>,
}

/// What the driver says of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    description: Box<str>,
    #[cfg(feature = "cpu")]
    race: Option<kernel_cpu::DataRace>,
}

impl DriverError {
    /// The name of the function, such as `zeMemAllocDevice`.
    #[must_use]
    pub fn function(&self) -> &'static str {
        self.function
    }

    /// The value of `ze_result_t` that it returned.
    #[must_use]
    pub fn code(&self) -> u32 {
        self.result.0
    }

    /// The name of that value, if the specification has one for it.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.result.name()
    }

    /// What the value means, as a clause for a message.
    #[must_use]
    pub fn explanation(&self) -> &'static str {
        self.result.explanation()
    }

    /// What the driver itself says of it, if it does (`zeDriverGetLastErrorDescription`). The CPU driver names the kernel that was stopped, and what
    /// it did.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.said.as_ref().map(|said| &*said.description)
    }

    /// The two accesses that race, if that is why the CPU device has stopped a launch (`KERNEL_CHECK=races`).
    #[cfg(feature = "cpu")]
    #[must_use]
    pub fn race(&self) -> Option<&kernel_cpu::DataRace> {
        self.said.as_ref()?.race.as_ref()
    }
}

/// With what the driver says of it, or else what the code means in general: the same code has several reasons, of which the driver knows which one it was.
impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(description) = self.description() else {
            return write!(f, "{} failed with {}", self.function, self.result);
        };
        let (function, name, code) = (self.function, self.name().unwrap_or("ze_result_t"), self.code());
        write!(f, "{function} failed with {name} ({code:#x}); the driver says: {description}")
    }
}

impl core::error::Error for DriverError {}

/// Turns the result of a function into a [`Result`].
///
/// `ZE_RESULT_NOT_READY` is an error here: no function is called in a way in which it would be an answer.
pub(crate) fn check(function: &'static str, result: ze_result_t) -> Result<(), DriverError> {
    match result {
        ze_result_t::ZE_RESULT_SUCCESS => Ok(()),
        result => Err(DriverError::new(function, result)),
    }
}

/// Calls a function of the table and checks its result; stands in an `unsafe` block, as the call itself would.
macro_rules! call {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {
        $crate::error::driver::check(stringify!($function), $api.$function($($argument),*))
    };
}
pub(crate) use call;

impl DriverError {
    pub(crate) fn new(function: &'static str, result: ze_result_t) -> Self {
        Self { function, result, said: None }
    }

    /// The same with what the driver says.
    pub(crate) fn described(self, description: Option<Box<str>>) -> Self {
        let said = description.map(|description| {
            Box::new(Said {
                #[cfg(feature = "cpu")]
                race: kernel_cpu::race_of(&description),
                description,
            })
        });
        Self { said, ..self }
    }

    pub(crate) fn result(&self) -> ze_result_t {
        self.result
    }

    /// Whether this is the given result.
    pub(crate) fn is(&self, result: ze_result_t) -> bool {
        self.result == result
    }

    /// Whether memory ran out, of the device or of the host.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        self.is(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
            || self.is(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn success_is_ok() {
        assert_eq!(check("zeInit", ze_result_t::ZE_RESULT_SUCCESS), Ok(()));
    }

    #[test]
    fn an_error_keeps_function_code_and_name() {
        let error = check("zeInit", ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED).unwrap_err();
        assert_eq!((error.function(), error.code()), ("zeInit", 0x7800_0001));
        let text = error.to_string();
        assert!(
            text.starts_with("zeInit failed with ZE_RESULT_ERROR_UNINITIALIZED (0x78000001): "),
            "{text}"
        );
        assert!(text.ends_with(error.explanation()), "{text}");
    }

    #[test]
    fn what_the_driver_says_stands_for_what_the_code_means() {
        let error = DriverError::new("zeInit", ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
        let described = error.described(Some("kernel `spin` was stopped".into()));
        assert_eq!(described.description(), Some("kernel `spin` was stopped"));
        assert_eq!(
            described.to_string(),
            "zeInit failed with ZE_RESULT_ERROR_DEVICE_LOST (0x70000001); the driver says: kernel `spin` was stopped"
        );
    }

    #[test]
    fn a_result_without_a_name_still_shows_its_code() {
        let error = check("zeMemFree", ze_result_t(0x1234)).unwrap_err();
        assert_eq!(error.name(), None);
        assert!(error.to_string().contains("(0x1234)"), "{error}");
    }
}
