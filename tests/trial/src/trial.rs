//! What one launch of a kernel must leave behind, and whether it does.

use crate::host::Panic;
use crate::kernels::case::{Case, Outcome};
use crate::launch::Launch;
use kernel_core::{Element, FaultSite, KernelDescriptor, RecordedFault};
use std::fmt;

/// What one launch of a kernel must leave behind.
#[derive(Debug)]
pub struct Trial {
    case: Case,
    kernel: &'static KernelDescriptor,
    /// For each slice whether work-items write to it, each to as many elements of its own.
    written: Vec<bool>,
}

impl Trial {
    /// The launch of a kernel, to be completed with its arguments by the methods below.
    #[must_use]
    pub fn of(kernel: &'static KernelDescriptor, launch: &Launch) -> Self {
        let [groups, group_size] = launch.grid();
        let case = Case::of(kernel).groups([groups], [group_size]);
        Self { case, kernel, written: Vec::new() }
    }

    /// Passes a value.
    #[must_use]
    pub fn value<T: Element>(mut self, value: T) -> Self {
        self.case = self.case.value(value);
        self
    }

    /// Passes a slice that is only read.
    #[must_use]
    pub fn input<T: Element>(mut self, elements: &[T]) -> Self {
        self.case = self.case.input(elements);
        self.written.push(false);
        self
    }

    /// Passes a slice of which each work-item writes only its own elements.
    #[must_use]
    pub fn update<T: Element>(mut self, before: &[T], after: &[T]) -> Self {
        self.case = self.case.update(before, after);
        self.written.push(true);
        self
    }

    /// The launch as devices take it.
    pub(crate) fn case(&self) -> &Case {
        &self.case
    }

    /// Compares what the device did with what the host did.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub(crate) fn judge(&self, launch: &Launch, mut outcome: Outcome) -> Result<(), String> {
        judge_fault(self.kernel, launch, outcome.fault.take().as_ref(), &outcome.message)?;
        let slices = self.written.iter().zip(self.case.expected()).zip(&mut outcome.slices);
        for ((_, expected), actual) in slices.filter(|((written, _), _)| **written) {
            let per_item = expected.len() / launch.items();
            let panicked = launch.panics().iter().map(|(item, _)| item);
            for item in panicked.chain(launch.broken()) {
                let own = item * per_item..(item + 1) * per_item;
                actual[own.clone()].copy_from_slice(&expected[own]);
            }
        }
        self.case.judge(&outcome)
    }
}

/// As many work-items must have faulted as panicked, and the one in the record must be one of them, at its place. Where others waited
/// for one that panicked, they may have faulted too.
fn judge_fault(
    kernel: &KernelDescriptor,
    launch: &Launch,
    record: Option<&RecordedFault>,
    message: &str,
) -> Result<(), String> {
    let record = record.copied().unwrap_or_default();
    let expected = launch.panics().len();
    let most = if launch.broken().is_empty() { expected } else { launch.broken().len() };
    if !(expected..=most).contains(&(record.count as usize)) {
        let first = launch.panics().first();
        let first = first.map(|(item, panic)| format!("; the first is {item}: {panic}")).unwrap_or_default();
        let recorded = recorded(kernel, &record, message).map(|fault| format!("; recorded is {fault}"));
        let (count, recorded) = (record.count, recorded.unwrap_or_default());
        return Err(format!("{expected} work-items panic, but {count} fault{first}{recorded}"));
    }
    if expected == 0 {
        return Ok(());
    }
    let recorded =
        recorded(kernel, &record, message).ok_or("the record names a place that does not exist")?;
    let item = record.global_id[0] as usize;
    let Some((_, panic)) = launch.panics().iter().find(|(panicked, _)| *panicked == item) else {
        if launch.broken().contains(&item) {
            return Ok(());
        }
        return Err(format!("work-item {item} does not panic, but {recorded}"));
    };
    if recorded.is(panic) { Ok(()) } else { Err(format!("work-item {item}: {panic}, but {recorded}")) }
}

/// A fault of a kernel in words.
struct Recorded<'a> {
    site: FaultSite<'a>,
    message: String,
}

fn recorded<'a>(kernel: &'a KernelDescriptor, record: &RecordedFault, message: &str) -> Option<Recorded<'a>> {
    let site = kernel.fault_sites.get(record.site)?;
    Some(Recorded { site, message: Message(site, record.values, message).to_string() })
}

impl Recorded<'_> {
    /// Whether this is the panic of the copy. A panic inside of the standard library has no place in the copy.
    fn is(&self, panic: &Panic) -> bool {
        let in_copy = is_copy_of(&panic.file, self.site.file);
        let same_place = (panic.line, panic.column) == (self.site.line, self.site.column);
        says(&panic.message, &self.message) && (same_place || !in_copy)
    }
}

/// Whether Rust's message is that of a fault, which may lack values at the end: `min > max. min = 1, max = 0`.
fn says(panic: &str, fault: &str) -> bool {
    let rest = panic.strip_prefix(fault);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(". ") || rest.starts_with(": "))
}

/// Whether a file is the host's copy of a device's: `h7.rs` of `d7.rs`, in the same folder.
fn is_copy_of(copy: &str, file: &str) -> bool {
    match (copy.rsplit_once('h'), file.rsplit_once('d')) {
        (Some((folder, name)), Some((own_folder, own_name))) => (folder, name) == (own_folder, own_name),
        _ => false,
    }
}

impl fmt::Display for Recorded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FaultSite { file, line, column, .. } = self.site;
        write!(f, "`{}` at {file}:{line}:{column}", self.message)
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message } = self;
        write!(f, "`{message}` at {file}:{line}:{column}")
    }
}

/// The message of a fault.
struct Message<'a>(FaultSite<'a>, [u64; 2], &'a str);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.describe(self.2, self.1, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_copy_of, says};

    #[test]
    fn messages_may_end_in_values() {
        assert!(says("mid > len", "mid > len"));
        assert!(says("min > max. min = 1, max = 0", "min > max"));
        assert!(says(
            "called `Result::unwrap()` on an `Err` value: 3",
            "called `Result::unwrap()` on an `Err` value"
        ));
        assert!(!says("min > max, or either was NaN. min = 1.0, max = 0.0", "min > max"));
    }

    #[test]
    fn copies_are_known_by_their_names() {
        assert!(is_copy_of("src/h12.rs", "src/d12.rs"));
        assert!(!is_copy_of("src/h1.rs", "src/d12.rs"));
        assert!(!is_copy_of("/rustc/library/core/src/num/mod.rs", "src/d12.rs"));
    }
}
