//! What the machine has, as far as the system tells it.

use std::fs::read_to_string;
use std::path::Path;

/// The memory that the process may use, in bytes: that of the machine, or as much of it as its control group is allowed.
pub(crate) fn memory() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| memory_of_machine(&text));
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().flat_map(|line| limits_of_group(line, Path::new("/sys/fs/cgroup")));
    limits.chain(machine).min()
}

/// The memory of the machine that nobody uses, or that can be had at once, in bytes.
pub(crate) fn free_memory() -> Option<u64> {
    read_to_string("/proc/meminfo").ok().and_then(|text| of_meminfo(&text, "MemAvailable:"))
}

/// How many bytes a register for vectors has.
pub(crate) fn vector_bytes() -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") {
            return 64;
        }
        if has!("avx2") {
            return 32;
        }
    }
    16
}

/// The memory of the machine, of `/proc/meminfo`.
fn memory_of_machine(text: &str) -> Option<u64> {
    of_meminfo(text, "MemTotal:")
}

/// What a line of `/proc/meminfo` says, in bytes.
fn of_meminfo(text: &str, what: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(what))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// The limits of a control group and of those around it, given its line in `/proc/self/cgroup`.
fn limits_of_group(line: &str, root: &Path) -> Vec<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    // Version 2 has one hierarchy for all controllers, version 1 one for each.
    let (root, file) = match controllers {
        "" => (root.to_owned(), "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            (root.join("memory"), "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let group = root.join(path.trim_start_matches('/'));
    // The path is that outside of a container, inside of which the own group is the root.
    let around = group.ancestors().take_while(|group| group.starts_with(&root));
    around.filter_map(|group| read_to_string(group.join(file)).ok()?.trim().parse().ok()).collect()
}

/// The caches of a core that hold data, in bytes, from the fastest on.
pub(crate) fn caches() -> Vec<usize> {
    let cache = |index: usize| {
        let file =
            |name| read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}")).ok();
        Some((file("type")?, file("size")?))
    };
    let all = (0..).map_while(cache).filter(|(kind, _)| kind.trim() != "Instruction");
    all.filter_map(|(_, size)| bytes(size.trim())).collect()
}

/// How many bytes come into a cache at once.
pub(crate) fn cache_line() -> usize {
    /// That of all processors that the driver makes code for.
    const USUAL: usize = 64;
    let file = "/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size";
    read_to_string(file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL)
}

/// A number of bytes such as `1024K`.
fn bytes(text: &str) -> Option<usize> {
    let (number, factor) = match text.split_at_checked(text.len().checked_sub(1)?)? {
        (number, "K") => (number, 1 << 10),
        (number, "M") => (number, 1 << 20),
        _ => (text, 1),
    };
    number.parse::<usize>().ok()?.checked_mul(factor)
}

/// The name of the processor.
pub(crate) fn processor() -> Option<String> {
    of_processor("model name")
}

/// The name of who has made the processor.
pub(crate) fn vendor() -> Option<String> {
    of_processor("vendor_id")
}

/// The clock rate of the processor in MHz, as it is now.
pub(crate) fn clock_rate() -> Option<u32> {
    let rate: f64 = of_processor("cpu MHz")?.parse().ok()?;
    Some(rate as u32)
}

/// What `/proc/cpuinfo` says of the first core.
fn of_processor(what: &str) -> Option<String> {
    let text = read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(what))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn memory_is_that_of_the_line() {
        let text = "MemTotal:       24684092 kB\nMemFree:        20509424 kB\n";
        assert_eq!(memory_of_machine(text), Some(24_684_092 << 10));
        assert_eq!(memory_of_machine("MemFree: 1 kB"), None);
        assert_eq!(of_meminfo(text, "MemFree:"), Some(20_509_424 << 10));
    }

    #[test]
    fn a_group_has_the_limits_of_those_around_it() {
        let root = std::env::temp_dir().join(format!("kernel-cpu-machine-{}", std::process::id()));
        let group = |path: &str| root.join(path);
        fs::create_dir_all(group("a/b")).unwrap();
        fs::create_dir_all(group("memory/c")).unwrap();
        fs::write(group("a/memory.max"), "4096\n").unwrap();
        fs::write(group("a/b/memory.max"), "max\n").unwrap();
        fs::write(group("memory/c/memory.limit_in_bytes"), "100\n").unwrap();
        fs::write(group("memory/memory.limit_in_bytes"), "9223372036854771712\n").unwrap();
        assert_eq!(limits_of_group("0::/a/b", &root), [4096]);
        assert_eq!(limits_of_group("4:memory:/c", &root), [100, 9_223_372_036_854_771_712]);
        assert_eq!(limits_of_group("4:memory:/elsewhere", &root), [9_223_372_036_854_771_712]);
        assert_eq!(limits_of_group("1:cpu:/c", &root), [] as [u64; 0]);
        assert_eq!(limits_of_group("", &root), [] as [u64; 0]);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            ["48K", "2M", "512", "", "K"].map(bytes),
            [Some(49152), Some(2 << 20), Some(512), None, None]
        );
    }
}
