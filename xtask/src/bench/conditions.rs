//! Under what figures were measured.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// How long others are watched.
const WATCHED: Duration = Duration::from_secs(3);

/// How many processors others may keep busy while times are measured.
const TOLERABLE: f64 = 0.1;

/// The machine, and how busy others keep it while nothing is measured yet: times depend on both.
pub(super) fn machine() -> String {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = value(&information, "model name").unwrap_or("unknown");
    let busy = match busy_processors() {
        Some(busy) => {
            if busy > TOLERABLE {
                eprintln!("xtask: others keep {busy:.1} processors busy, so these times say little");
            }
            format!("of which others kept {busy:.1} busy")
        }
        None => "nobody knows how busy".to_owned(),
    };
    format!("Measured on {processors} processors ({name}), {busy}.")
}

/// Intel's compiler, which the code depends on; how busy the machine is makes no difference to it.
pub(super) fn compiler() -> String {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat=${Version}", "intel-opencl-icd"]);
    let version = query.output().ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let version = version.as_deref().unwrap_or("unknown");
    format!("Compiled by `ocloc` of Debian's package `intel-opencl-icd`, version {version}.")
}

/// How many processors are busy while this process waits; nothing where the kernel does not say so.
fn busy_processors() -> Option<f64> {
    let read = || Ticks::parse(&fs::read_to_string("/proc/stat").ok()?);
    let before = read()?;
    thread::sleep(WATCHED);
    let after = read()?;
    let all = (after.all - before.all).max(1) as f64;
    let busy = (after.busy - before.busy) as f64;
    Some(busy / all * thread::available_parallelism().map_or(1, usize::from) as f64)
}

/// What all processors together have done since the machine was started, in ticks of the kernel's clock.
#[derive(Debug, PartialEq)]
struct Ticks {
    busy: u64,
    all: u64,
}

impl Ticks {
    /// Reads `/proc/stat`, proc(5).
    fn parse(text: &str) -> Option<Self> {
        let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<u64> = line.split_whitespace().map_while(|ticks| ticks.parse().ok()).collect();
        // What guests take is part of the first two.
        let [user, nice, system, idle, waiting, interrupts, soft, stolen] = *ticks.first_chunk()?;
        let busy = user + nice + system + interrupts + soft + stolen;
        Some(Self { busy, all: busy + idle + waiting })
    }
}

/// What a line of the kernel's description of processors says of a property.
fn value<'a>(information: &'a str, property: &str) -> Option<&'a str> {
    let line = information.lines().find(|line| line.starts_with(property))?;
    line.split_once(':').map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_processor_is_read() {
        let information = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nflags\t\t: avx2\n";
        assert_eq!(value(information, "model name"), Some("Some CPU @ 2 GHz"));
        assert_eq!(value("processor\t: 0\n", "model name"), None);
    }

    #[test]
    fn ticks_are_read() {
        let text = "cpu  10 1 2 80 7 1 1 5 9 9\ncpu0 5 1 1 40 3 0 0 2 4 4\n";
        assert_eq!(Ticks::parse(text), Some(Ticks { busy: 20, all: 107 }));
        assert_eq!(Ticks::parse("cpu  10 1 2\n"), None);
        assert_eq!(Ticks::parse("intr 1\n"), None);
    }
}
