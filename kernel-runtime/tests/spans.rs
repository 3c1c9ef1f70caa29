//! What subscribers of `tracing` get to see.
#![cfg(all(feature = "cpu", feature = "tracing"))]

use kernel_runtime::prelude::*;
use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{self, Interest};
use tracing::{Event, Level, Metadata, Subscriber};

#[kernel]
fn double(x: &mut [f32]) {
    if let Some(x) = x.get_mut(global_id(0)) {
        *x *= 2.0;
    }
}

/// What a thread wants to be told, and what it was told so far, a line each.
struct Told {
    level: Level,
    lines: Vec<String>,
}

thread_local! {
    static TOLD: RefCell<Option<Told>> = const { RefCell::new(None) };
}

/// Tells each thread what it has done itself. There is one for the process: of subscribers that belong to a thread, as `with_default` makes them, `tracing` asks only that of
/// the thread that comes first to a place in the code, and keeps the answer for the others if there is no more than one.
struct Threads {
    ids: AtomicU64,
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

fn tell(line: String) {
    TOLD.with_borrow_mut(|told| told.as_mut().expect("only enabled places come here").lines.push(line));
}

impl Subscriber for Threads {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // Threads differ.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("kernel_runtime")
            && TOLD.with_borrow(|told| told.as_ref().is_some_and(|told| *metadata.level() <= told.level))
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = Text(span.metadata().name().into());
        span.record(&mut text);
        tell(text.0);
        Id::from_u64(self.ids.fetch_add(1, Ordering::Relaxed))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text("event".into());
        event.record(&mut text);
        tell(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The lines of what the function does on this thread, of this level at most.
fn lines<R>(level: Level, run: impl FnOnce() -> Result<R>) -> Result<Vec<String>> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        subscriber::set_global_default(Threads { ids: AtomicU64::new(1) }).expect("no other is set");
    });
    TOLD.set(Some(Told { level, lines: Vec::new() }));
    let result = run();
    let told = TOLD.take().expect("set above");
    result.map(|_| told.lines)
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
    assert_eq!(program()?, [2.0; 100]);
    let lines = lines(Level::DEBUG, program)?;
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
    assert_eq!(lines, expected);
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

    let lines = lines(Level::INFO, || {
        let queue = Device::best()?.queue()?;
        let mut x = queue.zeros(10)?;
        halve(&mut x).launch(&queue, 10)?;
        halve(&mut x).launch(&queue, 10)
    })?;
    assert_eq!(lines, ["build kernel=\"halve\""]);
    Ok(())
}

#[test]
fn what_the_device_has_done_is_events() -> Result<()> {
    assert_eq!(program()?, [2.0; 100]);
    let lines = lines(Level::TRACE, program)?;
    let events: Vec<String> = lines.into_iter().filter(|line| line.starts_with("event")).collect();
    let expected = [
        "event message=completed kind=\"copy\" name=\"upload\" bytes=400 in some time",
        "event message=completed kind=\"kernel\" name=\"double\" bytes=400 in some time",
        "event message=completed kind=\"copy\" name=\"download\" bytes=400 in some time",
    ];
    assert_eq!(events, expected);
    Ok(())
}
