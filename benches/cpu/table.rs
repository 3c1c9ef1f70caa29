//! What is printed.

use crate::Row;
use crate::consumer::Consumer;
use crate::contests::EMPTY;
use crate::options::Options;
use crate::worker::Answer;
use std::io;
use std::time::{Duration, Instant};

/// Prints the times of the first consumer, and as ratios to those of the others.
pub(super) fn print(options: &Options, threads: usize, rows: &[Row]) {
    let consumers = &options.consumers;
    println!(
        "\n{threads} thread{}{}; time, and as a ratio to the time of",
        if threads == 1 { "" } else { "s" },
        if options.avx2 { ", AVX2" } else { "" }
    );
    print!("{:14}{:>11}", "", consumers[0].name());
    consumers[1..].iter().for_each(|consumer| print!("{:>13}", consumer.name()));
    println!("{:>12}{:>12}", "first", "GB/s");
    for row in rows {
        print!("{:14}{:>11}", row.name, row.answers[0].best().map_or_else(|| "-".to_owned(), in_words));
        for position in 1..consumers.len() {
            print!("{:>13}", in_digits(row.ratio(position)));
        }
        let rate = row
            .traffic
            .zip(row.answers[0].best())
            .map(|(bytes, time)| bytes as f64 / time.as_secs_f64() / 1e9);
        println!("{:>12}{:>12}", row.answers[0].first().map_or_else(String::new, in_words), in_digits(rate));
    }
    print!("{:25}", "geometric mean");
    for position in 1..consumers.len() {
        print!("{:>13}", in_digits(mean(rows, |row| row.ratio(position))));
    }
    println!();
    if let Some(source) = consumers.iter().position(|consumer| *consumer == Consumer::IntelSource) {
        let first = |row: &Row| {
            Some(row.answers[0].first()?.as_secs_f64() / row.answers[source].first()?.as_secs_f64())
        };
        println!("first launch, what it builds included, to intel-c: {}", in_digits(mean(rows, first)));
        let best = |row: &Row, is_peer: &dyn Fn(Consumer) -> bool| {
            let peers = consumers.iter().enumerate().filter(|(_, consumer)| is_peer(**consumer));
            peers.filter_map(|(position, _)| row.ratio(position)).max_by(f64::total_cmp)
        };
        let spirv =
            |row: &Row| best(row, &|peer| matches!(peer, Consumer::IntelClang | Consumer::IntelSpirv));
        println!("to the better of Intel's with SPIR-V, ours or clang's: {}", in_digits(mean(rows, spirv)));
        println!(
            "to the best of Intel's: {}",
            in_digits(mean(rows, |row| best(row, &|peer| peer.is_intel())))
        );
    }
    let copy = copy_rate();
    println!("a copy: {} GB/s", in_digits(Some(copy)));
    if threads == 1 {
        for row in rows {
            if let (Some(bytes), Some(time)) = (row.traffic, row.answers[0].best()) {
                let share = bytes as f64 / time.as_secs_f64() / 1e9 / copy;
                println!("{}: {:.0} % of that", row.name, 100.0 * share);
            }
        }
    }
    for row in rows {
        for (consumer, answer) in consumers.iter().zip(&row.answers) {
            if let Answer::Failed(error) = answer {
                println!("{} on {}: {}", row.name, consumer.name(), error.lines().next().unwrap_or_default());
            }
        }
    }
}

/// Notes the times in microseconds, for programs.
pub(super) fn record(options: &Options, threads: usize, rows: &[Row]) -> io::Result<()> {
    let measurement = format!("cpu, {threads} thread{}", if threads == 1 { "" } else { "s" });
    for row in rows {
        for (consumer, answer) in options.consumers.iter().zip(&row.answers) {
            if let Some(best) = answer.best() {
                kernel_benches::record(&measurement, row.name, consumer.name(), best.as_secs_f64() * 1e6)?;
            }
        }
    }
    Ok(())
}

/// The geometric mean of what rows have, but for the one without work.
fn mean(rows: &[Row], of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let logarithms: Vec<f64> =
        rows.iter().filter(|row| row.name != EMPTY).filter_map(|row| Some(of(row)?.ln())).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// How many bytes a thread of the host reads and writes in a nanosecond.
fn copy_rate() -> f64 {
    const BYTES: usize = 16 << 20;
    let (from, mut to) = (vec![1_u8; BYTES], vec![0_u8; BYTES]);
    let times = (0..20).map(|_| {
        let start = Instant::now();
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&to);
        start.elapsed()
    });
    2.0 * BYTES as f64 / times.min().unwrap_or(Duration::MAX).as_secs_f64() / 1e9
}

impl Row {
    /// The time of the first consumer to that of another.
    fn ratio(&self, position: usize) -> Option<f64> {
        Some(self.answers[0].best()?.as_secs_f64() / self.answers[position].best()?.as_secs_f64())
    }
}

impl Answer {
    fn best(&self) -> Option<Duration> {
        match self {
            Self::Times { best, .. } => Some(*best),
            Self::Failed(_) => None,
        }
    }

    fn first(&self) -> Option<Duration> {
        match self {
            Self::Times { first, .. } => Some(*first),
            Self::Failed(_) => None,
        }
    }
}

fn in_words(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1000.0 { format!("{micros:.2} µs") } else { format!("{:.3} ms", micros / 1e3) }
}

fn in_digits(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
}
