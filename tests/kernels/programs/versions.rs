//! Versions and what they require, parsed by `FromStr` and ordered.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Ordering;
    use core::fmt;
    use core::num::ParseIntError;
    use core::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Version<'a> {
        pub major: u64,
        pub minor: u64,
        pub patch: u64,
        pub pre: &'a str,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Error {
        Missing(Part),
        Number(Part, ParseIntError),
        LeadingZero(Part),
        Trailing,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Part {
        Major,
        Minor,
        Patch,
        Pre,
    }

    fn number(text: Option<&str>, part: Part) -> Result<u64, Error> {
        let text = text.filter(|t| !t.is_empty()).ok_or(Error::Missing(part))?;
        if text.len() > 1 && text.starts_with('0') {
            return Err(Error::LeadingZero(part));
        }
        text.parse().map_err(|e| Error::Number(part, e))
    }

    impl<'a> Version<'a> {
        pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
            Version { major, minor, patch, pre: "" }
        }

        pub fn parse(text: &'a str) -> Result<Self, Error> {
            let text = text.trim();
            let (core, pre) = match text.split_once('-') {
                Some((_, "")) => return Err(Error::Missing(Part::Pre)),
                Some((core, pre)) => (core, pre),
                None => (text, ""),
            };
            let mut parts = core.split('.');
            let major = number(parts.next(), Part::Major)?;
            let minor = number(parts.next(), Part::Minor)?;
            let patch = number(parts.next(), Part::Patch)?;
            if parts.next().is_some() {
                return Err(Error::Trailing);
            }
            Ok(Version { major, minor, patch, pre })
        }

        pub fn is_prerelease(&self) -> bool {
            !self.pre.is_empty()
        }
    }

    fn compare_identifiers(a: &str, b: &str) -> Ordering {
        match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        }
    }

    impl Ord for Version<'_> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.major
                .cmp(&other.major)
                .then(self.minor.cmp(&other.minor))
                .then(self.patch.cmp(&other.patch))
                .then_with(|| match (self.pre, other.pre) {
                    ("", "") => Ordering::Equal,
                    ("", _) => Ordering::Greater,
                    (_, "") => Ordering::Less,
                    (a, b) => {
                        let mut theirs = b.split('.');
                        for mine in a.split('.') {
                            let Some(their) = theirs.next() else { return Ordering::Greater };
                            let order = compare_identifiers(mine, their);
                            if order.is_ne() {
                                return order;
                            }
                        }
                        theirs.next().map_or(Ordering::Equal, |_| Ordering::Less)
                    }
                })
        }
    }

    impl PartialOrd for Version<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Comparator {
        Exact,
        Greater,
        AtLeast,
        Caret,
        Tilde,
    }

    impl FromStr for Comparator {
        type Err = Error;
        fn from_str(s: &str) -> Result<Self, Self::Err> {
            Ok(match s {
                "=" => Self::Exact,
                ">" => Self::Greater,
                ">=" => Self::AtLeast,
                "" | "^" => Self::Caret,
                "~" => Self::Tilde,
                _ => return Err(Error::Trailing),
            })
        }
    }

    pub struct Requirement<'a> {
        comparator: Comparator,
        version: Version<'a>,
    }

    impl<'a> TryFrom<&'a str> for Requirement<'a> {
        type Error = Error;
        fn try_from(text: &'a str) -> Result<Self, Error> {
            let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(Error::Missing(Part::Major))?;
            let (operator, version) = text.split_at(digits);
            Ok(Self { comparator: operator.trim_end().parse()?, version: Version::parse(version)? })
        }
    }

    impl Requirement<'_> {
        pub fn matches(&self, v: &Version<'_>) -> bool {
            let r = &self.version;
            if v.is_prerelease() && !r.is_prerelease() {
                return false;
            }
            let order = v.cmp(r);
            match self.comparator {
                Comparator::Exact => order.is_eq(),
                Comparator::Greater => order.is_gt(),
                Comparator::AtLeast => order.is_ge(),
                Comparator::Tilde => order.is_ge() && (v.major, v.minor) == (r.major, r.minor),
                Comparator::Caret => {
                    order.is_ge()
                        && v.major == r.major
                        && match r {
                            Version { major: 0, minor: 0, patch, .. } => v.minor == 0 && v.patch == *patch,
                            Version { major: 0, minor, .. } => v.minor == *minor,
                            _ => true,
                        }
                }
            }
        }
    }

    impl fmt::Display for Version<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Version { major, minor, patch, pre } = self;
            write!(f, "{major}.{minor}.{patch}")?;
            if self.is_prerelease() {
                f.write_str("-")?;
                f.write_str(pre)?;
            }
            Ok(())
        }
    }

    #[derive(Default)]
    struct Fnv(u32, usize);

    impl fmt::Write for Fnv {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            for b in s.as_bytes() {
                self.0 = (self.0 ^ u32::from(*b)).wrapping_mul(0x0100_0193);
            }
            self.1 += s.len();
            Ok(())
        }
    }

    const VERSIONS: [&str; 8] =
        ["1.2.3", "0.3.7", " 1.10.0-alpha.2 ", "1.10.0-alpha.10", "0.0.4", "2.0.0-rc", "1.10.0", "1.2.30"];
    const REQUIREMENTS: [&str; 6] = ["^1.2.3", "~1.2.0", "=0.3.7", ">= 1.10.0-alpha.3", "0.0.4", ">0.3.0"];
    const BAD: [&str; 6] = ["1.2", "1.02.3", "a.1.2", "1.2.3.4", "1.2.3-", "99999999999999999999.0.0"];

    pub fn run(seed: u32) -> [u32; 8] {
        use fmt::Write as _;
        let at = |n: u32| Version::parse(VERSIONS[((seed >> n) % 8) as usize]).unwrap();
        let (a, b, c) = (at(0), at(3), at(6));
        let mut sorted = [a, b, c];
        sorted.sort();
        let mut hash = Fnv(0x811c_9dc5, 0);
        for v in &sorted {
            let _ = write!(hash, "{v};");
        }
        let mut mask = 0;
        for (i, text) in REQUIREMENTS.iter().enumerate() {
            let requirement = Requirement::try_from(*text).unwrap();
            for (j, v) in sorted.iter().enumerate() {
                mask |= u32::from(requirement.matches(v)) << (i * 3 + j);
            }
        }
        let bad = match Version::parse(BAD[(seed % 6) as usize]) {
            Ok(_) => 0,
            Err(Error::Missing(part)) => 10 + part as u32,
            Err(Error::Number(part, _)) => 20 + part as u32,
            Err(Error::LeadingZero(part)) => 30 + part as u32,
            Err(Error::Trailing) => 40,
        };
        let greatest = sorted.iter().max().copied().unwrap_or(Version::new(9, 9, 9));
        [
            hash.0,
            hash.1 as u32,
            mask,
            bad,
            a.cmp(&b) as i8 as u32,
            (b.max(c) == c) as u32,
            (greatest.major * 10000 + greatest.minor * 100 + greatest.patch) as u32,
            "~*".parse::<Comparator>().is_err() as u32,
        ]
    }
}

#[kernel]
pub fn versions_ordered(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&VERSIONS_ORDERED, program::run)
}
