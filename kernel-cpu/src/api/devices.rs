//! Which devices there are: the processor as one, or as several that share its threads and its memory.
//!
//! Several are for programs that use several, on a machine that has no such GPUs. The variable says how many, and how many parts each of them has: `2`, or `2x4`. Which of them a program sees, and as what, is for the variables of Level
//! Zero to say.

use super::affinity::{self, Hierarchy, Seen};
use super::device::{Device, device_type};
use super::registry::insert;
use super::{Answer, describe};
use level_zero_sys::{ze_device_handle_t, ze_result_t};
use std::sync::{Arc, OnceLock};

/// The environment variable that says as how many devices the processor presents itself.
const VARIABLE: &str = "KERNEL_CPU_DEVICES";

/// How many devices and parts of devices there may be together.
const MOST: u32 = 64;

/// The handles of the devices.
pub(super) struct Devices {
    pub(super) roots: Vec<ze_device_handle_t>,
    /// The sub-devices of each.
    parts: Vec<Vec<ze_device_handle_t>>,
    /// All devices, and then the parts of each.
    all: Vec<Device>,
    /// Those that a program is told of: all, or those that have no parts.
    listed: Vec<Device>,
}

impl Devices {
    /// The handles of the devices that a program is told of.
    pub(super) fn listed(&self) -> Vec<ze_device_handle_t> {
        self.listed.iter().map(|device| self.handle(*device)).collect()
    }

    /// The sub-devices of a device; a sub-device has none.
    pub(super) fn parts_of(&self, device: Device) -> &[ze_device_handle_t] {
        if device.part.is_some() { &[] } else { &self.parts[device.root as usize] }
    }

    /// The place of a device among all, by which memory knows it.
    pub(super) fn number(&self, device: Device) -> u32 {
        self.all.iter().position(|other| *other == device).map_or(0, |place| place as u32)
    }

    /// The device with such a number.
    pub(super) fn at(&self, number: u32) -> Option<Device> {
        self.all.get(number as usize).copied()
    }

    /// The first device, which is the one that is meant where none is named.
    pub(super) fn first(&self) -> Device {
        self.listed[0]
    }

    /// The handle of a device.
    pub(super) fn handle(&self, Device { root, part, .. }: Device) -> ze_device_handle_t {
        self.handle_at(root, part)
    }

    /// The handle of a device, by its number and that of its part.
    pub(super) fn handle_at(&self, root: u32, part: Option<u32>) -> ze_device_handle_t {
        match part {
            None => self.roots[root as usize],
            Some(part) => self.parts[root as usize][part as usize],
        }
    }
}

/// What is wrong with a variable of the environment that says which devices there are.
pub(crate) fn problem() -> Option<&'static str> {
    device_type().err().or_else(|| known().err())
}

/// The devices, once `zeInit` has been called.
pub(super) fn devices() -> Answer<&'static Devices> {
    known().map_err(|what| {
        describe(what);
        ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED
    })
}

/// The devices, or why there are none.
fn known() -> Result<&'static Devices, &'static str> {
    static DEVICES: OnceLock<Result<Devices, String>> = OnceLock::new();
    let devices = DEVICES.get_or_init(|| {
        let text = std::env::var_os(VARIABLE).unwrap_or_default();
        let (roots, parts) = parse(&text.to_string_lossy())?;
        let [mask, hierarchy] = [affinity::VARIABLE, affinity::HIERARCHY]
            .map(|name| std::env::var_os(name).unwrap_or_default().to_string_lossy().into_owned());
        let hierarchy = Hierarchy::parse(&hierarchy)?;
        let seen = affinity::seen(roots, parts, hierarchy, &mask)?;
        make(&seen, hierarchy).map_err(|code| format!("the devices have no handles: {code}"))
    });
    devices.as_ref().map_err(String::as_str)
}

/// The devices that are seen, of which there is one at least.
fn make(seen: &[Seen], hierarchy: Hierarchy) -> Answer<Devices> {
    let (mut roots, mut parts, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut all, mut all_parts) = (Vec::new(), Vec::new());
    for (root, seen) in (0..).zip(seen) {
        let device = Device { root, part: None, identity: seen.device };
        all.push(device);
        roots.push(insert(Arc::new(device))?);
        let of_device = (0..).zip(&seen.parts);
        let of_device = of_device.map(|(part, &identity)| Device { root, part: Some(part), identity });
        parts.push(of_device.clone().map(|part| insert(Arc::new(part))).collect::<Answer<_>>()?);
        match hierarchy == Hierarchy::Combined && !seen.parts.is_empty() {
            true => listed.extend(of_device.clone()),
            false => listed.push(device),
        }
        all_parts.extend(of_device);
    }
    all.extend(all_parts);
    Ok(Devices { roots, listed, parts, all })
}

/// How many devices there are, and how many sub-devices each of them has.
fn parse(text: &str) -> Result<(u32, u32), String> {
    let (roots, parts) = match text {
        "" => (Some(1), Some(0)),
        _ => match text.split_once('x') {
            None => (text.parse().ok(), Some(0)),
            // One part would be the whole.
            Some((roots, parts)) => (roots.parse().ok(), parts.parse().ok().filter(|&parts| parts > 1)),
        },
    };
    let fits = |(roots, parts): &(u32, u32)| {
        let all = u64::from(*roots) * (1 + u64::from(*parts));
        (1..=u64::from(MOST)).contains(&all)
    };
    roots.zip(parts).filter(fits).ok_or_else(|| {
        format!(
            "{VARIABLE} is `{text}`, and may be a number of devices, or that and how many parts each has, as in `2x4`; {MOST} together at most"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_listed_in_the_place_of_their_device_where_both_are_seen() {
        let seen = affinity::seen(2, 2, Hierarchy::Combined, "0,1,3").unwrap();
        let devices = make(&seen, Hierarchy::Combined).unwrap();
        let whole = devices.handle_at(0, None);
        let parts = [0, 1].map(|part| devices.handle_at(0, Some(part)));
        assert_eq!(devices.listed(), [parts[0], parts[1], devices.handle_at(1, None)]);
        assert_eq!(devices.first().part, Some(0));
        assert_eq!((devices.number(devices.first()), devices.handle(devices.all[0])), (2, whole));
    }

    #[test]
    fn there_are_as_many_as_the_variable_says() {
        assert_eq!(parse(""), Ok((1, 0)));
        assert_eq!(parse("3"), Ok((3, 0)));
        assert_eq!(parse("2x4"), Ok((2, 4)));
        assert_eq!(parse("1x63"), Ok((1, 63)));
        for wrong in
            ["0", "65", "2x", "x2", "2x1", "2x0", "2x32", "1x64", "-1", "two", "1x2x3", "4294967295x2"]
        {
            assert!(parse(wrong).unwrap_err().contains(&format!("`{wrong}`")), "{wrong}");
        }
    }
}
