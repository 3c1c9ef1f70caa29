//! Timelines in the JSON form of Chrome's trace events.

use crate::trace::{Kind, Span, Track};
use std::collections::HashSet;
use std::fmt::Write;

/// All of a timeline.
pub(super) fn document(spans: &[Span]) -> String {
    let mut named = HashSet::new();
    let events = spans.iter().map(|span| events(span, &mut named)).collect::<Vec<_>>();
    format!("[\n{}\n]\n", events.join(",\n"))
}

/// The events of a span, and before them the name of its row if that has none yet.
pub(super) fn events(span: &Span, named: &mut HashSet<u64>) -> String {
    let (row, name) = match span.track {
        Track::Queue(number) => (number, format!("queue {number}")),
        Track::Host(number) => (number, format!("host thread {number}")),
    };
    let mut text = String::new();
    if named.insert(row) {
        let _ = writeln!(
            text,
            r#"{{"name": "thread_name", "ph": "M", "pid": 1, "tid": {row}, "args": {{"name": "{name}"}}}},"#
        );
    }
    let category = match span.label.kind {
        Kind::Kernel => "kernel",
        Kind::Copy => "copy",
        Kind::Wait => "wait",
    };
    let (start, time) = (span.start.as_secs_f64() * 1e6, span.time.as_secs_f64() * 1e6);
    let _ = write!(
        text,
        r#"{{"name": {}, "cat": "{category}", "ph": "X", "pid": 1, "tid": {row}, "ts": {start:.3}, "dur": {time:.3}, "args": {{"bytes": {}}}}}"#,
        quoted(span.label.name),
        span.label.bytes
    );
    text
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Label;
    use std::time::Duration;

    #[test]
    fn a_row_is_named_once() {
        let span = |track| Span {
            label: Label::copy("up\"load\n", 8),
            track,
            start: Duration::from_nanos(1500),
            time: Duration::from_micros(2),
        };
        let spans = [Track::Queue(3), Track::Queue(3), Track::Host(4)].map(span);
        let text = document(&spans);
        assert_eq!(text.matches("thread_name").count(), 2);
        let expected = r#"{"name": "up\"load\u000a", "cat": "copy", "ph": "X", "pid": 1, "tid": 3, "ts": 1.500, "dur": 2.000, "args": {"bytes": 8}}"#;
        assert_eq!(text.matches(expected).count(), 2, "{text}");
        assert!(text.contains(r#""tid": 4, "args": {"name": "host thread 4"}}"#), "{text}");
        assert_eq!(document(&[]), "[\n\n]\n");
    }
}
