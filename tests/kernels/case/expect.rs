//! What a case expects of the fault record.

use kernel_core::{FaultKind, FaultSite, KernelDescriptor, RecordedFault};
use std::fs;
use std::path::Path;

/// The fault that a launch must report.
///
/// Where several work-items fault, any of them may be the first: then only the kind, the number and the place are certain.
#[derive(Clone, Debug)]
pub struct ExpectedFault {
    kind: FaultKind,
    count: u32,
    values: Option<[u64; 2]>,
    global_id: Option<[u64; 3]>,
    source: Option<&'static str>,
    message: Option<String>,
}

impl ExpectedFault {
    /// A fault of this kind in a single work-item.
    pub fn new(kind: FaultKind) -> Self {
        Self { kind, count: 1, values: None, global_id: None, source: None, message: None }
    }

    /// This many checks fail in the whole launch.
    pub fn count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// The record has these values, whose meaning is that of the kind.
    pub fn values(mut self, values: [u64; 2]) -> Self {
        self.values = Some(values);
        self
    }

    /// The work-item with this global id faults.
    pub fn global_id(mut self, global_id: [u64; 3]) -> Self {
        self.global_id = Some(global_id);
        self
    }

    /// The site points to a place in the kernel's source file where this text stands.
    pub fn at(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }

    /// This is said about the fault, besides what its kind says.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Compares what the device recorded with this.
    pub(super) fn judge(
        &self,
        kernel: &KernelDescriptor,
        record: &RecordedFault,
        said: &str,
    ) -> Result<(), String> {
        let Some(site) = kernel.fault_sites.get(record.site) else {
            return Err(format!("the record names site {}, which the kernel does not have", record.site));
        };
        equal("count", &self.count, &record.count)?;
        equal("kind", &self.kind, &site.kind)?;
        if let Some(values) = &self.values {
            equal("values", values, &record.values)?;
        }
        if let Some(global_id) = &self.global_id {
            equal("global id", global_id, &record.global_id.map(u64::from))?;
        }
        if let Some(message) = &self.message {
            equal("message", &message.as_str(), &said)?;
        }
        self.source.map_or(Ok(()), |expected| judge_source(expected, &site))
    }
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, actual: &T) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    Err(format!("the {what} of the fault: expected {expected:?}, got {actual:?}"))
}

/// Looks up the site in the source; paths of sites are relative to the root of the workspace, which is where the lock file is.
fn judge_source(expected: &str, site: &FaultSite<'_>) -> Result<(), String> {
    let FaultSite { file, line, column, .. } = *site;
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("Cargo.lock").exists()).ok_or("there is no workspace")?;
    let text =
        fs::read_to_string(root.join(file)).map_err(|error| format!("the site is in {file}: {error}"))?;
    let found = text.lines().nth(line as usize - 1).and_then(|line| line.get(column as usize - 1..));
    match found {
        Some(found) if found.starts_with(expected) => Ok(()),
        found => Err(format!("{file}:{line}:{column} has {found:?}, not {expected:?}")),
    }
}
