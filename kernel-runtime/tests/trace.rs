//! Timelines of what queues do.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{TRACE_VARIABLE, Trace};
use kernels::{saxpy, scatter};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_TRACE";

/// A trace sees all queues of the process, so that only one test at a time may use some.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// Checks that all of a text is one value of JSON, and counts its objects.
fn objects(json: &str) -> usize {
    let (rest, objects) = value(json.trim());
    assert!(rest.trim().is_empty(), "there is more than one value: {rest}");
    objects
}

/// Reads a value; returns what follows, and the number of objects in it.
fn value(text: &str) -> (&str, usize) {
    let text = text.trim_start();
    match text.chars().next().expect("a value") {
        '[' => members(&text[1..], ']', value),
        '{' => {
            let (rest, inner) = members(&text[1..], '}', |text| {
                let rest = string(text).trim_start().strip_prefix(':').expect("a colon after the name");
                value(rest)
            });
            (rest, inner + 1)
        }
        '"' => (string(text), 0),
        _ => {
            let end = text.find([',', ']', '}', '\n']).unwrap_or(text.len());
            let _: f64 = text[..end].parse().unwrap_or_else(|_| panic!("no number: {}", &text[..end]));
            (&text[end..], 0)
        }
    }
}

fn members(text: &str, end: char, member: impl Fn(&str) -> (&str, usize)) -> (&str, usize) {
    let mut rest = text.trim_start();
    if let Some(rest) = rest.strip_prefix(end) {
        return (rest, 0);
    }
    let mut objects = 0;
    loop {
        let (after, inner) = member(rest);
        objects += inner;
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return (rest.strip_prefix(end).unwrap_or_else(|| panic!("no {end}: {rest}")), objects),
        }
    }
}

fn string(text: &str) -> &str {
    let text = text.trim_start().strip_prefix('"').unwrap_or_else(|| panic!("no string: {text}"));
    let mut is_escaped = false;
    for (index, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return &text[index + 1..],
            _ => {}
        }
    }
    panic!("a string without an end: {text}")
}

const LEN: usize = 1 << 16;

/// Does some of everything: three launches of a kernel, two of another, copies and a fill.
fn work() {
    let queue = queue();
    let x = queue.upload(&vec![1.0_f32; LEN]).unwrap();
    let mut y = queue.filled(LEN, 2.0_f32).unwrap();
    for _ in 0..3 {
        saxpy(1.0, &x, &mut y).launch(&queue, LEN).unwrap();
    }
    let index = queue.upload(&[0_u64; 64]).unwrap();
    let mut scattered = queue.zeros::<u32>(64).unwrap();
    scatter(&index, &mut scattered).launch(&queue, 1).unwrap();
    let event = scatter(&index, &mut scattered).submit(&queue, 1).unwrap();
    event.wait().unwrap();
    assert_eq!(queue.download(&y).unwrap(), vec![5.0; LEN]);
}

#[test]
fn a_timeline_has_what_was_done() {
    let _alone = alone();
    work();
    let trace = Trace::start();
    work();
    let timeline = trace.finish();
    work();
    let kernels = timeline.kernels();
    let of = |name| kernels.iter().find(|kernel| kernel.kernel == name).expect("it was launched");
    let saxpy = of("saxpy");
    assert_eq!((kernels.len(), saxpy.count, of("scatter").count), (2, 3, 2));
    assert_eq!(saxpy.bytes, 3 * 2 * 4 * LEN as u64);
    assert!(saxpy.min <= saxpy.median && saxpy.median <= saxpy.max && saxpy.max <= saxpy.total);
    assert!(Duration::ZERO < saxpy.total && saxpy.total < Duration::from_secs(60), "{saxpy:?}");
    assert!(saxpy.bandwidth().expect("it took time") > 0.0);
    let text = timeline.to_string();
    assert!(text.contains("saxpy ") && text.contains("scatter ") && text.lines().count() == 3, "{text}");
    let json = timeline.to_json();
    // The host waits in each copy of what it lends.
    for (name, count) in [
        ("saxpy", 3),
        ("scatter", 2),
        ("upload", 2),
        ("download", 1),
        ("wait for a copy", 3),
        ("wait for an event", 1),
    ] {
        assert_eq!(json.matches(&format!(r#"{{"name": "{name}""#)).count(), count, "{name}: {json}");
    }
    assert!(json.matches(r#"{"name": "fill""#).count() >= 1, "{json}");
    assert!(json.matches(r#"{"name": "wait for a queue""#).count() >= 2, "{json}");
    assert!(objects(&json) >= 2 * 12, "each span has its arguments");
}

#[test]
fn a_launch_in_two_parts_is_one_command() {
    const PRIME: usize = 10_007;
    let _alone = alone();
    let queue = queue();
    let (x, mut y) = (queue.filled(PRIME, 1.0_f32).unwrap(), queue.filled(PRIME, 2.0_f32).unwrap());
    let trace = Trace::start();
    saxpy(1.0, &x, &mut y).launch(&queue, PRIME).unwrap();
    queue.synchronize().unwrap();
    let kernels = trace.finish().kernels();
    assert_eq!(
        kernels.iter().map(|kernel| (kernel.kernel, kernel.count)).collect::<Vec<_>>(),
        [("saxpy", 1)]
    );
    assert_eq!(queue.download(&y).unwrap(), vec![3.0; PRIME]);
}

#[test]
fn traces_may_overlap_and_be_dropped() {
    let _alone = alone();
    let outer = Trace::start();
    work();
    let inner = Trace::start();
    work();
    drop(Trace::start());
    let inner = inner.finish();
    let queue = queue();
    let x = queue.upload(&vec![1.0_f32; LEN]).unwrap();
    let mut y = queue.zeros::<f32>(LEN).unwrap();
    saxpy(1.0, &x, &mut y).launch(&queue, LEN).unwrap();
    queue.synchronize().unwrap();
    let outer = outer.finish();
    let count = |timeline: &kernel_runtime::Timeline| {
        timeline.kernels().iter().map(|kernel| kernel.count).sum::<usize>()
    };
    assert_eq!((count(&inner), count(&outer)), (5, 11));
    assert_eq!(count(&Trace::start().finish()), 0);
    assert_eq!(objects(&Trace::start().finish().to_json()), 0);
}

#[test]
fn commands_are_in_order_on_the_clock_of_the_host() {
    let _alone = alone();
    let trace = Trace::start();
    work();
    let json = trace.finish().to_json();
    let field = |line: &str, name: &str| -> f64 {
        let (_, after) = line.split_once(&format!(r#""{name}": "#)).expect("the field is there");
        after.split([',', '}']).next().expect("a number").parse().expect("a number")
    };
    let kernels: Vec<(f64, f64)> = json
        .lines()
        .filter(|line| line.contains(r#""cat": "kernel""#))
        .map(|line| (field(line, "ts"), field(line, "dur")))
        .collect();
    assert_eq!(kernels.len(), 5);
    for pair in kernels.windows(2) {
        // Spans that were read at different times are placed with what the two clocks differ by, some microseconds.
        assert!(pair[0].0 + pair[0].1 <= pair[1].0 + 1000.0, "a queue runs one after the other: {kernels:?}");
    }
}

/// What runs in the child process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        work();
    }
}

fn run_child(path: &std::path::Path) -> String {
    let output = Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .env(TRACE_VARIABLE, path)
        .output()
        .expect("this test starts itself");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn the_environment_asks_for_a_file() {
    let path = std::env::temp_dir().join(format!("kernel-trace-{}.json", std::process::id()));
    run_child(&path);
    let json = std::fs::read_to_string(&path).expect("the file was written");
    std::fs::remove_file(&path).expect("the file is ours");
    for (name, count) in [("saxpy", 3), ("scatter", 2), ("download", 1)] {
        assert_eq!(json.matches(&format!(r#"{{"name": "{name}""#)).count(), count, "{name}: {json}");
    }
    assert!(objects(&json) > 20);
    let said = run_child(std::path::Path::new("/nonexistent/trace.json"));
    assert!(
        said.contains("nothing is traced, since KERNEL_TRACE=/nonexistent/trace.json cannot be written: "),
        "{said}"
    );
}
