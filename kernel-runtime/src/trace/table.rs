//! How long kernels took.

use crate::trace::{Kind, Span};
use core::fmt;
use core::time::Duration;
use std::collections::HashMap;

/// The launches of a kernel in a [`Timeline`](crate::Timeline), by the device's clock.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KernelTimes {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// How many launches there were.
    pub count: usize,
    /// The time of all of them.
    pub total: Duration,
    /// The shortest.
    pub min: Duration,
    /// The one in the middle; of an even number the longer of the two.
    pub median: Duration,
    /// The longest.
    pub max: Duration,
    /// The bytes of the buffers that the kernel was given in all launches, each counted once for each launch. It need not have used all of them, and it may
    /// have used some several times.
    pub bytes: u64,
}

impl KernelTimes {
    /// The [bytes](Self::bytes) of the buffers for each second of the total time; `None` if that is zero.
    #[must_use]
    pub fn bandwidth(&self) -> Option<f64> {
        let seconds = self.total.as_secs_f64();
        (seconds > 0.0).then(|| self.bytes as f64 / seconds)
    }
}

/// The kernels of a timeline, the one that took most time in all first.
pub(super) fn kernels(spans: &[Span]) -> Vec<KernelTimes> {
    let mut launches: HashMap<&'static str, (Vec<Duration>, u64)> = HashMap::new();
    for span in spans.iter().filter(|span| span.label.kind == Kind::Kernel) {
        let (times, bytes) = launches.entry(span.label.name).or_default();
        times.push(span.time);
        *bytes += span.label.bytes;
    }
    let mut kernels: Vec<_> =
        launches.into_iter().map(|(kernel, (times, bytes))| of_launches(kernel, times, bytes)).collect();
    kernels.sort_by(|a, b| b.total.cmp(&a.total).then(a.kernel.cmp(b.kernel)));
    kernels
}

/// What the times of at least one launch come to.
fn of_launches(kernel: &'static str, mut times: Vec<Duration>, bytes: u64) -> KernelTimes {
    times.sort_unstable();
    KernelTimes {
        kernel,
        count: times.len(),
        total: times.iter().sum(),
        min: times[0],
        median: times[times.len() / 2],
        max: times[times.len() - 1],
        bytes,
    }
}

/// Writes a table with a line for each kernel.
pub(super) fn write(kernels: &[KernelTimes], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let width = kernels.iter().map(|kernel| kernel.kernel.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        f,
        "{:width$} {:>8} {:>12} {:>12} {:>12} {:>12} {:>10}",
        "kernel", "count", "total", "min", "median", "max", "GB/s"
    )?;
    for kernel in kernels {
        let [total, min, median, max] =
            [kernel.total, kernel.min, kernel.median, kernel.max].map(|time| format!("{time:.2?}"));
        let bandwidth =
            kernel.bandwidth().map_or("-".to_owned(), |bandwidth| format!("{:.2}", bandwidth / 1e9));
        writeln!(
            f,
            "{:width$} {:>8} {total:>12} {min:>12} {median:>12} {max:>12} {bandwidth:>10}",
            kernel.kernel, kernel.count
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Label, Timeline, Track};

    fn launch(kernel: &'static str, microseconds: u64) -> Span {
        let (start, time) = (Duration::ZERO, Duration::from_micros(microseconds));
        Span { label: Label::kernel(kernel, 4000), track: Track::Queue(1), start, time }
    }

    #[test]
    fn launches_of_a_kernel_are_one_line() {
        let copy = Span { label: Label::copy("copy", 1), ..launch("", 1000) };
        let spans =
            vec![launch("short", 1), launch("long", 30), launch("long", 10), copy, launch("long", 20)];
        let timeline = Timeline { spans };
        let [long, short] = &timeline.kernels()[..] else { panic!("there are two kernels") };
        assert_eq!((long.kernel, long.count, long.bytes), ("long", 3, 12_000));
        let times = [long.total, long.min, long.median, long.max].map(|time| time.as_micros());
        assert_eq!(times, [60, 10, 20, 30]);
        assert!((long.bandwidth().unwrap() - 2e8).abs() < 1.0);
        assert_eq!((short.kernel, short.count, short.median), ("short", 1, Duration::from_micros(1)));
        let text = timeline.to_string();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["long", "3", "60.00µs", "10.00µs", "20.00µs", "30.00µs", "0.20"]);
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_launch_may_take_no_time() {
        let timeline = Timeline { spans: vec![launch("none", 0)] };
        assert_eq!(timeline.kernels()[0].bandwidth(), None);
        assert!(timeline.to_string().trim_end().ends_with('-'));
    }
}
