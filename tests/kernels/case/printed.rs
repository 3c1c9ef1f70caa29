//! What a kernel prints: the buffer that a consumer passes, and the comparison with what a case expects.

use super::{Case, Outcome};
use kernel_core::print::take_record;
use kernel_core::{FaultRecord, KernelDescriptor, PrintHeader};

const WORDS: usize = 1024;
const HEADER_WORDS: usize = size_of::<PrintHeader>() / size_of::<u32>();

/// An empty print buffer.
pub(super) static BUFFER: [u32; HEADER_WORDS + WORDS] = {
    let mut words = [0; HEADER_WORDS + WORDS];
    words[0] = WORDS as u32;
    words
};

/// The number that the kernel has in the buffer.
pub(super) static NUMBER: [u8; 4] = 1_u32.to_ne_bytes();

impl Outcome {
    /// What a launch of a kernel left in the buffers among its arguments, in order.
    ///
    /// # Errors
    ///
    /// What is wrong with the print buffer.
    #[allow(dead_code, reason = "the runtime decodes faults and text itself")]
    pub fn of_buffers(kernel: &'static KernelDescriptor, mut slices: Vec<Vec<u8>>) -> Result<Self, String> {
        let record = if kernel.has_fault_record() { slices.pop() } else { None };
        let (record, words) = record.as_deref().unwrap_or_default().split_at(match record {
            Some(_) => size_of::<FaultRecord>(),
            None => 0,
        });
        let fault = (!record.is_empty()).then(|| bytemuck::pod_read_unaligned::<FaultRecord>(record));
        let fault = fault.map(|record| record.fault(kernel.fault_sites.len()));
        let words: Vec<u32> = words.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let site = fault.and_then(|fault| kernel.fault_sites.get(fault.site));
        let message = site.map(|site| site.message(&words).to_string()).unwrap_or_default();
        let buffer = if kernel.prints() { slices.pop() } else { None };
        let printed = buffer.map_or(Ok(Vec::new()), |buffer| printed(kernel, &buffer))?;
        Ok(Self { slices, fault, message, printed })
    }
}

/// The texts in a print buffer that this kernel alone has used.
fn printed(kernel: &'static KernelDescriptor, buffer: &[u8]) -> Result<Vec<String>, String> {
    let words: Vec<u32> = buffer.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let (header, words) = words.split_at(HEADER_WORDS);
    let PrintHeader { capacity, used, calls, .. } = bytemuck::cast_slice(header)[0];
    if capacity as usize != WORDS {
        return Err(format!("the kernel has set the capacity of the print buffer to {capacity}"));
    }
    let mut rest = &words[..words.len().min(used as usize)];
    let mut texts = Vec::new();
    let sites = |number| (number == 1).then_some(kernel.print_sites);
    while let Some(record) = take_record(&mut rest, sites).map_err(|error| error.to_string())? {
        texts.push(record.to_string());
    }
    if texts.len() != calls as usize {
        return Err(format!("{calls} records were asked for, but there are {}", texts.len()));
    }
    Ok(texts)
}

impl Case {
    /// Expects these texts to be printed, in any order.
    pub fn prints<S: Into<String>>(mut self, texts: impl IntoIterator<Item = S>) -> Self {
        self.printed = texts.into_iter().map(S::into).collect();
        self.printed.sort_unstable();
        self
    }

    pub(super) fn judge_printed(&self, actual: &[String]) -> Result<(), String> {
        let mut actual = actual.to_vec();
        actual.sort_unstable();
        if actual == self.printed {
            return Ok(());
        }
        Err(format!("expected {:?} to be printed, got {actual:?}", self.printed))
    }
}
