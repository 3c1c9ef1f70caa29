//! Faults: what a kernel reports instead of touching memory that is not its own.

pub(crate) mod records;

use core::fmt;
use kernel_core::{FaultKind, FaultRecord, KernelDescriptor};

/// A work-item of a kernel did what would have been a panic on the host.
///
/// The access in question was skipped and the launch ran to its end; what it wrote besides is in the buffers. The
/// queue can be used on.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{FaultKind, prelude::*};
///
/// #[kernel]
/// fn invert(x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] = 1000 / x[i];
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.upload(&[1_u32, 10, 0, 100])?;
/// invert(&mut x).launch(&queue, 4)?;
/// let Err(Error::Fault(fault)) = queue.synchronize() else { panic!("there is a zero") };
/// assert_eq!((fault.kernel, fault.kind), ("invert", FaultKind::DivisionByZero));
/// assert_eq!((fault.global_id[0], fault.count), (2, 1));
/// assert_eq!(queue.download(&x)?, [1000, 100, 0, 10]); // The others have done their work.
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelFault {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// What went wrong.
    pub kind: FaultKind,
    /// The source file.
    pub file: &'static str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// The message of a panic that the kernel's author wrote, with the values that it formats, or what has been unwrapped; else empty.
    pub message: String,
    /// The values that go with the kind, such as index and length.
    pub values: [u64; 2],
    /// The global id of the work-item that faulted first.
    pub global_id: [u64; 3],
    /// The work-group of that work-item, by its id among the work-groups of the launch.
    pub work_group: [u64; 3],
    /// How many work-items of this kernel faulted since the last synchronisation, each once per launch; modulo 2³².
    pub count: u32,
    /// The faults of other kernels that were found at the same synchronisation, in the order of their first launch.
    pub others: Vec<KernelFault>,
}

/// Worded like the message of a panic, with the place first.
impl fmt::Display for KernelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, file, line, column, .. } = self;
        let ([x, y, z], [group_x, group_y, group_z]) = (self.global_id, self.work_group);
        writeln!(f, "kernel '{kernel}' faulted at {file}:{line}:{column}:")?;
        self.kind.describe(&self.message, self.values, f)?;
        write!(f, "\nfirst in the work-item with global id ({x}, {y}, {z})")?;
        write!(f, " in work-group ({group_x}, {group_y}, {group_z})")?;
        match self.count {
            1 => Ok(()),
            count => write!(f, ", of {count} that faulted"),
        }?;
        self.others.iter().try_for_each(|other| write!(f, "\n\n{other}"))
    }
}

impl core::error::Error for KernelFault {}

/// Reads the record that a kernel left, and the words that follow it, if it left one. All of its launches had groups of this size, and
/// ids that count from zero.
///
/// A site that the descriptor does not have can only come from memory that something else overwrote.
pub(crate) fn decode(
    descriptor: &KernelDescriptor,
    record: &FaultRecord,
    words: &[u32],
    group_size: [u32; 3],
) -> Option<Result<KernelFault, String>> {
    if *record == FaultRecord::default() {
        return None;
    }
    let record = record.fault(descriptor.fault_sites.len());
    let Some(site) = descriptor.fault_sites.get(record.site) else {
        return Some(Err(format!(
            "the kernel `{}` recorded a fault at site {} of {}",
            descriptor.name,
            record.site,
            descriptor.fault_sites.len()
        )));
    };
    Some(Ok(KernelFault {
        kernel: descriptor.name,
        kind: site.kind,
        file: site.file,
        line: site.line,
        column: site.column,
        message: site.message(words).to_string(),
        values: record.values,
        global_id: record.global_id.map(u64::from),
        work_group: [0, 1, 2].map(|dimension| u64::from(record.global_id[dimension] / group_size[dimension])),
        count: record.count,
        others: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::INVALID;
    use kernel_core::{FaultFormat, FaultSites, RecordedFault};

    const SITES: FaultSites = FaultSites::new(
        "1 3 4 8 0 0;src/a.rs0 9 14 8 0 0;src/a.rs32 12 1 8 32 0;src/a.rsassertion `left == right` failed29 15 1 8 0 0;src/a.rs",
        &[(3, FaultFormat { words: 1, write: |words, f| write!(f, "too many: {}", words[0]) })],
    );

    fn descriptor() -> KernelDescriptor {
        KernelDescriptor { name: "scatter", fault_sites: SITES, ..INVALID }
    }

    fn record(count: u32, site: u32) -> FaultRecord {
        RecordedFault { count, site, values: [12, 10], global_id: [7, 5, 1] }.into()
    }

    fn fault(count: u32, site: u32) -> KernelFault {
        decode(&descriptor(), &record(count, site), &[41], [4, 2, 1]).unwrap().unwrap()
    }

    #[test]
    fn an_empty_record_is_no_fault() {
        assert_eq!(decode(&descriptor(), &FaultRecord::default(), &[0], [1; 3]), None);
    }

    #[test]
    fn a_fault_reads_like_a_panic() {
        assert_eq!(
            fault(1, 1).to_string(),
            "kernel 'scatter' faulted at src/a.rs:9:14:\n\
             index out of bounds: the len is 10 but the index is 12\n\
             first in the work-item with global id (7, 5, 1) in work-group (1, 2, 1)"
        );
    }

    #[test]
    fn an_assertion_shows_both_sides() {
        let text = fault(1, 2).to_string();
        assert!(
            text.contains(":12:1:\nassertion `left == right` failed\n  left: 12\n right: 10\nfirst"),
            "{text}"
        );
    }

    #[test]
    fn a_message_has_the_values_that_it_formats() {
        assert!(fault(1, 3).to_string().contains(":15:1:\ntoo many: 41\nfirst"), "{}", fault(1, 3));
    }

    #[test]
    fn the_count_is_shown_where_there_were_several() {
        let text = fault(40, 0).to_string();
        assert!(text.contains("src/a.rs:3:4:\nattempt to divide by zero\n"), "{text}");
        assert!(text.ends_with("(1, 2, 1), of 40 that faulted"), "{text}");
    }

    #[test]
    fn a_count_that_wrapped_to_zero_is_still_a_fault() {
        assert_eq!(fault(0, 1).count, 0);
    }

    #[test]
    fn faults_of_other_kernels_follow() {
        let mut first = fault(1, 1);
        first.others.push(fault(1, 0));
        assert!(first.to_string().contains("\n\nkernel 'scatter' faulted at src/a.rs:3:4"), "{first}");
    }

    #[test]
    fn a_site_that_does_not_exist_is_a_bug() {
        let decoded = decode(&descriptor(), &record(1, 4), &[], [1; 3]).unwrap();
        assert_eq!(decoded.unwrap_err(), "the kernel `scatter` recorded a fault at site 4 of 4");
    }
}
