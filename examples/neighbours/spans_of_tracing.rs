//! Spans and events of `tracing`, by the feature `tracing` of the runtime: what the host does stands among the program's own spans, and what the device has
//! done comes as events, with the time that it took.

use kernel_runtime::prelude::*;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing::{Level, info_span};
use tracing_subscriber::fmt::format::FmtSpan;

#[kernel]
fn relax(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() && i < y.len() {
        y[i] = 0.5 * (x[i - 1] + x[i + 1]);
    }
}

fn simulate() -> Result<Vec<f32>> {
    let queue = Device::best()?.queue()?;
    let (mut now, mut next) = (queue.filled(1000, 1.0_f32)?, queue.filled(1000, 1.0_f32)?);
    for step in 0..3 {
        let _span = info_span!("step", step).entered();
        relax(&now, &mut next).launch(&queue, now.len())?;
        std::mem::swap(&mut now, &mut next);
    }
    queue.download(&now)
}

/// Where the lines go: to the terminal, and to a string to look at.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        print!("{}", String::from_utf8_lossy(bytes));
        self.0.lock().expect("nobody panics with it").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) fn main() -> Result<()> {
    let lines = Lines::default();
    let writer = lines.clone();
    tracing_subscriber::fmt()
        .with_max_level(Level::TRACE)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    assert_eq!(simulate()?, [1.0; 1000]);
    let lines = String::from_utf8(lines.0.lock().expect("nobody panics with it").clone()).expect("text");
    assert_eq!(lines.matches("completed kind=\"kernel\" name=\"relax\"").count(), 3);
    assert!(lines.contains("step{step=2}:enqueue{kind=\"kernel\" name=\"relax\""));
    Ok(())
}
