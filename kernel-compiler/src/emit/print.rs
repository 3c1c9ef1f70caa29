//! Printing: a record in the print buffer, whose layout is described in `kernel_core::print`.

use super::ModuleEmitter;
use super::code::Code;
use super::kernel::KernelEmitter;
use crate::ir::{Handle, PrintSite, Value};
use kernel_core::print::record_words;
use rspirv::spirv::{Op, StorageClass, Word};

/// Where the words of the header are.
const CAPACITY: u64 = 0;
const USED: u64 = 1;
const CALLS: u64 = 2;

/// How many words the header has.
const HEADER_WORDS: u64 = 4;

/// The arguments of a kernel that prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintArguments {
    /// The print buffer.
    pub(super) buffer: Word,
    /// The number of the kernel in it.
    pub(super) kernel: Word,
}

impl ModuleEmitter<'_> {
    /// A pointer to the words of a print buffer.
    pub(super) fn print_pointer(&mut self) -> Word {
        let int = self.int(32);
        self.pointer(StorageClass::CrossWorkgroup, int)
    }
}

impl KernelEmitter<'_, '_> {
    /// Takes a record of the buffer if there is room, and writes it.
    pub(super) fn print(&mut self, site: Handle<PrintSite>, words: &[Handle<Value>]) {
        let Some(PrintArguments { buffer, kernel }) = self.print else { return };
        let words: Vec<Word> = words.iter().map(|word| self.id(*word)).collect();
        let code = &mut self.code;
        let site = code.module.int_constant(32, site.index() as u64);
        let taken = code.module.int_constant(32, record_words(words.len() as u32).into());
        let (int, bool) = (code.module.int(32), code.module.bool());
        let one = code.module.int_constant(32, 1);
        code.add_to_header(buffer, CALLS, one);
        let capacity = code.header_word(buffer, CAPACITY);
        let capacity = code.load(int, capacity, 4);
        // Once the buffer is full, nobody adds, so that the number of used words does not wrap.
        let used = code.header_word(buffer, USED);
        let used = code.relaxed(Op::AtomicLoad, used, &[]);
        let has_room = code.compute(Op::ULessThan, bool, &[used, capacity]);
        code.when(has_room, |code| {
            let start = code.add_to_header(buffer, USED, taken);
            let end = code.compute(Op::IAdd, int, &[start, taken]);
            let fits = code.compute(Op::ULessThanEqual, bool, &[end, capacity]);
            code.when(fits, |code| code.write_words(buffer, start, [kernel, site].into_iter().chain(words)));
        });
    }
}

impl Code<'_, '_> {
    fn header_word(&mut self, buffer: Word, position: u64) -> Word {
        let pointer = self.module.print_pointer();
        let position = self.module.int_constant(64, position);
        self.compute(Op::InBoundsPtrAccessChain, pointer, &[buffer, position])
    }

    fn add_to_header(&mut self, buffer: Word, position: u64, added: Word) -> Word {
        let word = self.header_word(buffer, position);
        self.relaxed(Op::AtomicIAdd, word, &[added])
    }

    /// Writes a record that starts at that word after the header.
    fn write_words(&mut self, buffer: Word, start: Word, words: impl Iterator<Item = Word>) {
        let (pointer, long) = (self.module.print_pointer(), self.module.int(64));
        let start = self.compute(Op::UConvert, long, &[start]);
        for (position, word) in (HEADER_WORDS..).zip(words) {
            let position = self.module.int_constant(64, position);
            let position = self.compute(Op::IAdd, long, &[start, position]);
            let place = self.compute(Op::InBoundsPtrAccessChain, pointer, &[buffer, position]);
            self.store(place, word, 4);
        }
    }
}
