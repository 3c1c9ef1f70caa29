//! Versions of the API.

use std::fmt;

use crate::ze_api_version_t;

impl ze_api_version_t {
    /// The version `major.minor`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self((major as u32) << 16 | minor as u32)
    }

    /// The number that changes when programs have to be changed.
    pub const fn major(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// The number that changes when something is added.
    pub const fn minor(self) -> u16 {
        (self.0 & 0xffff) as u16
    }
}

impl fmt::Display for ze_api_version_t {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

#[cfg(test)]
mod tests {
    use crate::ze_api_version_t;

    #[test]
    fn versions_are_put_together_and_taken_apart() {
        let version = ze_api_version_t::new(1, 4);
        assert_eq!(version, ze_api_version_t::ZE_API_VERSION_1_4);
        assert_eq!((version.major(), version.minor()), (1, 4));
        assert_eq!(ze_api_version_t::new(u16::MAX, u16::MAX).to_string(), "65535.65535");
    }

    #[test]
    fn versions_are_ordered_by_major_first() {
        assert!(ze_api_version_t::new(1, 9) < ze_api_version_t::new(1, 10));
        assert!(ze_api_version_t::new(1, 99) < ze_api_version_t::new(2, 0));
    }
}
