//! What kernels print by the `printf` of OpenCL.std.
//!
//! A module that prints has a buffer among its variables: the number of words that have been taken, and records. Each is the number of its words, the address of the format, and for each argument a tag and
//! its components, of two words each. The host prints them when the last launch that is running of a kernel of the module has ended, so that all records are whole. Those for which there is no room are
//! left out, as OpenCL allows it.

mod format;

use crate::memory::Allocation;
use crate::program::Kind;
use format::Argument;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many words records may have together.
pub(crate) const RECORD_WORDS: u32 = (1 << 18) - 2;

/// Where the first record is, in bytes.
pub(crate) const FIRST_RECORD: u32 = 8;

/// The size of the buffer in bytes.
pub(crate) const BUFFER_BYTES: u64 = FIRST_RECORD as u64 + 4 * RECORD_WORDS as u64;

/// The word that says what the numbers are that follow it.
pub(crate) fn tag(kind: Kind, count: usize) -> u32 {
    let number = match kind {
        Kind::Bool | Kind::I8 => 0,
        Kind::I16 => 1,
        Kind::I32 => 2,
        Kind::I64 => 3,
        Kind::F16 => 4,
        Kind::F32 => 5,
        Kind::F64 => 6,
    };
    number | (count as u32) << 8
}

fn kind_of(tag: u32) -> Option<Kind> {
    let kinds = [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::F16, Kind::F32, Kind::F64];
    kinds.get((tag & 0xff) as usize).copied()
}

/// The print buffer of a module.
#[derive(Debug)]
pub(crate) struct Printer {
    data: Arc<Allocation>,
    offset: u32,
    /// How many launches are running that may print.
    running: Mutex<usize>,
}

/// A launch that may print, as long as it runs.
pub(crate) struct Printing<'p>(&'p Printer);

impl Printer {
    /// The one whose buffer is at an offset of the module's variables.
    pub(crate) fn new(data: Arc<Allocation>, offset: u32) -> Self {
        Self { data, offset, running: Mutex::default() }
    }

    /// Says that a launch begins.
    pub(crate) fn begin(&self) -> Printing<'_> {
        *self.running() += 1;
        Printing(self)
    }

    fn running(&self) -> MutexGuard<'_, usize> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints all records, and empties the buffer.
    fn print(&self) {
        let start = self.data.start().wrapping_add(self.offset as usize).cast::<u32>();
        let size = 2 + RECORD_WORDS as usize;
        // SAFETY: the buffer is as large, in an allocation that is live, aligned to its words, and no launch of the module is running.
        let buffer = unsafe { std::slice::from_raw_parts_mut(start, size) };
        let taken = std::mem::take(&mut buffer[0]).min(RECORD_WORDS) as usize;
        let mut text = Vec::new();
        let mut rest = &buffer[2..2 + taken];
        // A kernel may have written anything, and the last record may not have had room.
        while let Some(&[length, ..]) = rest.first_chunk::<1>()
            && let Some((record, after)) = rest.split_at_checked(length as usize)
            && record.len() >= 3
        {
            self.print_record(&record[1..], &mut text);
            rest = after;
        }
        buffer[2..2 + taken].fill(0);
        if !text.is_empty() {
            let mut out = std::io::stdout().lock();
            // A program without an output has nobody to tell.
            let _ = out.write_all(&text).and_then(|()| out.flush());
        }
    }

    fn print_record(&self, record: &[u32], text: &mut Vec<u8>) {
        let long = |words: &[u32]| u64::from(words[0]) | u64::from(words[1]) << 32;
        let Some(format) = self.text(long(record)) else {
            text.extend_from_slice(b"(a format that is no constant of the module)\n");
            return;
        };
        let mut arguments = Vec::new();
        let mut rest = &record[2..];
        while let [tag, after @ ..] = rest
            && let Some(kind) = kind_of(*tag)
            && let Some((values, after)) = after.split_at_checked(2 * (*tag >> 8) as usize)
        {
            arguments.push(Argument { kind, values: values.chunks_exact(2).map(long).collect() });
            rest = after;
        }
        format::print(&format, &arguments, |address| self.text(address), text);
    }

    /// The bytes of the module's variables from an address on, up to a zero.
    fn text(&self, address: u64) -> Option<Vec<u8>> {
        let span = self.data.span();
        let offset = address.checked_sub(span.start).filter(|offset| *offset < span.length)?;
        let length = (span.length - offset) as usize;
        // SAFETY: the bytes are in an allocation that is live, and no launch of the module is running.
        let bytes =
            unsafe { std::slice::from_raw_parts(self.data.start().wrapping_add(offset as usize), length) };
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(bytes[..end].to_vec())
    }
}

impl Drop for Printing<'_> {
    fn drop(&mut self) {
        let mut running = self.0.running();
        *running -= 1;
        if *running == 0 {
            self.0.print();
        }
    }
}
