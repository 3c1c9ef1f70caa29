//! Which devices and parts of devices a program sees, of those that there are, and as what: the affinity mask and the device hierarchy of the specification (Programming Guide,
//! Affinity Mask, Device Hierarchy).
//!
//! The mask is a list of devices, and of parts of them, by their numbers, as in `0, 1.2`. A device that is named has all of its parts, and one of which parts are named has these alone. What is seen is
//! numbered anew, in the order in which it was; of a device of which one part is seen that part is the device. Where parts are shown as devices, the numbers in the mask are theirs.

/// The environment variable with the mask.
pub(super) const VARIABLE: &str = "ZE_AFFINITY_MASK";

/// The environment variable that says as what parts are seen.
pub(super) const HIERARCHY: &str = "ZE_FLAT_DEVICE_HIERARCHY";

/// As what parts of devices are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hierarchy {
    /// As parts, by asking the device for them.
    Composite,
    /// As devices, and those that they are parts of not at all.
    Flat,
    /// As devices, which can be asked for those that they are parts of.
    Combined,
}

impl Hierarchy {
    /// Reads the variable; without it devices have parts.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "" | "COMPOSITE" => Ok(Self::Composite),
            "FLAT" => Ok(Self::Flat),
            "COMBINED" => Ok(Self::Combined),
            _ => Err(format!("{HIERARCHY} is `{text}`, and may be COMPOSITE, FLAT or COMBINED")),
        }
    }
}

/// Which device or part of a device something is, of all that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) root: u32,
    pub(super) part: Option<u32>,
}

/// A device that is seen, with its parts that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) device: Identity,
    pub(super) parts: Vec<Identity>,
}

/// What is seen of so many devices, each of which has so many parts; or what is wrong with the mask.
pub(super) fn seen(roots: u32, parts: u32, hierarchy: Hierarchy, mask: &str) -> Result<Vec<Seen>, String> {
    let mut named = if mask.trim().is_empty() { None } else { Some(parse(mask)?) };
    let is_composite = hierarchy == Hierarchy::Composite || parts == 0;
    if !is_composite {
        named = named.map(|names| names.into_iter().filter_map(|name| name.of_part(parts)).collect());
    }
    let is_named = |root: u32, part: Option<u32>| match &named {
        None => true,
        Some(named) => named.iter().any(|name| name.covers(root, part)),
    };
    let mut seen: Vec<Seen> = (0..roots).filter_map(|root| of_device(root, parts, &is_named)).collect();
    if hierarchy == Hierarchy::Flat {
        seen = seen.into_iter().flat_map(Seen::flattened).collect();
    }
    match seen.is_empty() {
        false => Ok(seen),
        true => {
            let there = match parts {
                0 => format!("{roots}"),
                _ if is_composite => format!("{roots} with {parts} parts each"),
                _ => format!("{} parts of {roots}", roots * parts),
            };
            Err(format!("{VARIABLE} is `{mask}`, which names none of the devices that there are ({there})"))
        }
    }
}

impl Seen {
    /// Its parts as devices, or the device if it has none.
    fn flattened(self) -> Vec<Self> {
        let devices = if self.parts.is_empty() { vec![self.device] } else { self.parts };
        devices.into_iter().map(|device| Self { device, parts: Vec::new() }).collect()
    }
}

/// What is seen of a device.
fn of_device(root: u32, parts: u32, is_named: &impl Fn(u32, Option<u32>) -> bool) -> Option<Seen> {
    let whole = Identity { root, part: None };
    let identity = |part| Identity { root, part: Some(part) };
    let named: Vec<Identity> = (0..parts).filter(|&part| is_named(root, Some(part))).map(identity).collect();
    match *named {
        [] => is_named(root, None).then(|| Seen { device: whole, parts: Vec::new() }),
        [only] => Some(Seen { device: only, parts: Vec::new() }),
        _ => Some(Seen { device: whole, parts: named }),
    }
}

/// A device or a part of one, as a mask names it.
struct Name {
    root: u32,
    part: Option<u32>,
}

impl Name {
    /// The part that is named where parts are counted through all devices; none if a part of one is.
    fn of_part(self, parts: u32) -> Option<Self> {
        self.part.is_none().then(|| Self { root: self.root / parts, part: Some(self.root % parts) })
    }

    /// Whether a device, or a part of one, is named.
    fn covers(&self, root: u32, part: Option<u32>) -> bool {
        self.root == root && (self.part.is_none() || self.part == part)
    }
}

fn parse(mask: &str) -> Result<Vec<Name>, String> {
    let name = |text: &str| {
        let mut numbers = text.trim().split('.').map(number);
        let (root, part) = (numbers.next()??, numbers.next());
        // Parts of parts may be named too, and there are none here: what is named then is not there.
        let deeper = numbers.next();
        let name = Name { root, part: part.map_or(Some(None), |part| part.map(Some))? };
        match deeper {
            None => Some(Some(name)),
            Some(number) => number.map(|_| None),
        }
    };
    let names = mask.split(',').map(name).collect::<Option<Vec<_>>>();
    names.map(|names| names.into_iter().flatten().collect()).ok_or_else(|| {
        format!("{VARIABLE} is `{mask}`, and may be numbers of devices and of parts of them, as in `0, 1.2`")
    })
}

/// A number, without a sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen, a word for each device: `1` for one as a whole, `1.2` for a part as a device, `1(0 3)` for a device with parts.
    fn show(seen: &[Seen]) -> String {
        let device = |seen: &Seen| {
            let Identity { root, part } = seen.device;
            let parts: Vec<String> =
                seen.parts.iter().filter_map(|part| part.part).map(|part| part.to_string()).collect();
            match part {
                Some(part) => format!("{root}.{part}"),
                None if parts.is_empty() => format!("{root}"),
                None => format!("{root}({})", parts.join(" ")),
            }
        };
        seen.iter().map(device).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_examples_of_the_specification_mean_what_it_says() {
        let all = "0(0 1 2 3) 1(0 1 2 3)";
        for (mask, expected) in [
            ("", all),
            ("0, 1", all),
            ("0", "0(0 1 2 3)"),
            ("1", "1(0 1 2 3)"),
            ("0.0", "0.0"),
            ("1.1, 1.2", "1(1 2)"),
            ("0.2, 1.3, 1.0, 0.3", "0(2 3) 1(0 3)"),
        ] {
            assert_eq!(show(&seen(2, 4, Hierarchy::Composite, mask).unwrap()), expected, "{mask}");
        }
    }

    #[test]
    fn what_is_named_more_than_once_or_not_there_changes_nothing() {
        for (mask, expected) in [
            ("0,0.1", "0(0 1)"),
            ("1,0.0", "0.0 1(0 1)"),
            ("1.0,1.0,7,0.9,0.0.1", "1.0"),
            (" 1 ", "1(0 1)"),
            ("1.0,1.1", "1(0 1)"),
        ] {
            assert_eq!(show(&seen(2, 2, Hierarchy::Composite, mask).unwrap()), expected, "{mask}");
        }
        assert_eq!(show(&seen(3, 0, Hierarchy::Composite, "2,0").unwrap()), "0 2");
    }

    #[test]
    fn parts_are_devices_with_numbers_of_their_own_where_they_are_shown_so() {
        for (mask, flat, combined) in [
            ("", "0.0 0.1 1.0 1.1", "0(0 1) 1(0 1)"),
            ("1,2,3", "0.1 1.0 1.1", "0.1 1(0 1)"),
            ("3", "1.1", "1.1"),
            ("1", "0.1", "0.1"),
            ("0.1,2,4", "1.0", "1.0"),
        ] {
            assert_eq!(show(&seen(2, 2, Hierarchy::Flat, mask).unwrap()), flat, "{mask}");
            assert_eq!(show(&seen(2, 2, Hierarchy::Combined, mask).unwrap()), combined, "{mask}");
        }
        assert_eq!(show(&seen(2, 0, Hierarchy::Flat, "1").unwrap()), "1");
        let problem = seen(2, 2, Hierarchy::Flat, "4").unwrap_err();
        assert!(problem.contains("none of the devices that there are (4 parts of 2)"), "{problem}");
    }

    #[test]
    fn a_hierarchy_is_one_of_three() {
        assert_eq!(Hierarchy::parse(""), Ok(Hierarchy::Composite));
        assert_eq!(Hierarchy::parse("FLAT"), Ok(Hierarchy::Flat));
        assert!(Hierarchy::parse("flat").unwrap_err().contains("may be COMPOSITE, FLAT or COMBINED"));
    }

    #[test]
    fn a_mask_that_leaves_nothing_or_is_none_is_an_error() {
        for mask in ["1", "0.0", "7", "0.0.0"] {
            assert!(
                seen(1, 0, Hierarchy::Composite, mask)
                    .unwrap_err()
                    .contains(&format!("`{mask}`, which names none")),
                "{mask}"
            );
        }
        for mask in ["x", "-1", "+1", "0.", ".0", "0,", ",", "0;1", "0.x", "0.0.x", "4294967296", "0 1"] {
            let problem = seen(2, 2, Hierarchy::Composite, mask).unwrap_err();
            assert!(problem.contains(&format!("`{mask}`, and may be numbers")), "{mask}: {problem}");
        }
    }
}
