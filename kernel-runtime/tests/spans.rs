//! What subscribers of `tracing` get to see.
#![cfg(all(feature = "cpu", feature = "tracing"))]

use kernel_runtime::prelude::*;
use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, subscriber};

#[kernel]
fn double(x: &mut [f32]) {
    if let Some(x) = x.get_mut(global_id(0)) {
        *x *= 2.0;
    }
}

/// Keeps what it is told, a line each, of this level at most.
#[derive(Clone)]
struct Lines {
    lines: Arc<Mutex<Vec<String>>>,
    level: Level,
    ids: Arc<AtomicU64>,
}

impl Lines {
    fn new(level: Level) -> Self {
        Self { lines: Arc::default(), level, ids: Arc::new(AtomicU64::new(1)) }
    }

    fn add(&self, line: String) {
        self.lines.lock().expect("no test panics here").push(line);
    }

    /// The lines, without what differs from run to run.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().expect("no test panics here"))
    }
}

/// Fields as text, without numbers of queues, names of devices and times.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "queue" | "device" => {}
            "nanoseconds" => self.0.push_str(" in some time"),
            name => write!(self.0, " {name}={value:?}").expect("a string takes all"),
        }
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("kernel_runtime") && *metadata.level() <= self.level
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = Text(span.metadata().name().into());
        span.record(&mut text);
        self.add(text.0);
        Id::from_u64(self.ids.fetch_add(1, Ordering::Relaxed))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text("event".into());
        event.record(&mut text);
        self.add(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn program() -> Result<Vec<f32>> {
    let queue = Device::best()?.queue()?;
    let mut x = queue.upload(&[1.0_f32; 100])?;
    double(&mut x).launch(&queue, 100)?;
    queue.synchronize()?;
    queue.download(&x)
}

#[test]
fn the_host_s_work_is_spans() -> Result<()> {
    // The kernel is built before, whichever test comes first.
    program()?;
    let lines = Lines::new(Level::DEBUG);
    assert_eq!(subscriber::with_default(lines.clone(), program)?, [2.0; 100]);
    let expected = [
        "run kind=\"copy\" name=\"upload\"",
        "wait what=\"wait for a queue\"",
        "enqueue kind=\"kernel\" name=\"double\"",
        "wait what=\"wait for a queue\"",
        "run kind=\"copy\" name=\"download\"",
        "wait what=\"wait for a queue\"",
        // The queue is dropped.
        "wait what=\"wait for a queue\"",
        "wait what=\"wait for a queue\"",
    ];
    assert_eq!(lines.take(), expected);
    Ok(())
}

#[test]
fn building_is_a_span_that_comes_once() -> Result<()> {
    #[kernel]
    fn halve(x: &mut [f32]) {
        if let Some(x) = x.get_mut(global_id(0)) {
            *x *= 0.5;
        }
    }

    let lines = Lines::new(Level::INFO);
    subscriber::with_default(lines.clone(), || -> Result<()> {
        let queue = Device::best()?.queue()?;
        let mut x = queue.zeros(10)?;
        halve(&mut x).launch(&queue, 10)?;
        halve(&mut x).launch(&queue, 10)
    })?;
    assert_eq!(lines.take(), ["build kernel=\"halve\""]);
    Ok(())
}

#[test]
fn what_the_device_has_done_is_events() -> Result<()> {
    program()?;
    let lines = Lines::new(Level::TRACE);
    assert_eq!(subscriber::with_default(lines.clone(), program)?, [2.0; 100]);
    let events: Vec<String> = lines.take().into_iter().filter(|line| line.starts_with("event")).collect();
    let expected = [
        "event message=completed kind=\"copy\" name=\"upload\" bytes=400 in some time",
        "event message=completed kind=\"kernel\" name=\"double\" bytes=400 in some time",
        "event message=completed kind=\"copy\" name=\"download\" bytes=400 in some time",
    ];
    assert_eq!(events, expected);
    Ok(())
}
