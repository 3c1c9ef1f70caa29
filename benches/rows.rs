//! What the benchmarks measure, for programs: with `KERNEL_BENCH_ROWS` in the environment, each figure is a line at the end of that file.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};

/// Notes a figure: which measurement it belongs to, its row, its column, and the value.
///
/// # Errors
///
/// That the file cannot be written.
pub fn record(measurement: &str, row: &str, column: &str, value: f64) -> io::Result<()> {
    let Some(path) = env::var_os("KERNEL_BENCH_ROWS") else { return Ok(()) };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{measurement}\t{row}\t{column}\t{value:.4}")
}
