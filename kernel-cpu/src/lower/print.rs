//! The `printf` of OpenCL.std: a record in the print buffer of the module, which the host takes from there ([`crate::print`]).

use super::Lowering;
use super::opencl::FIRST;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::print::{FIRST_RECORD, RECORD_WORDS, tag};
use crate::program::draft::Exit;
use crate::program::{AtomicOp, CompareOp, ConvertOp, Inst, IntOp, Kind, Preset, Site, Space, Value};

/// The most words that a record may have.
const MAX_RECORD: usize = 1 << 12;

impl Lowering<'_, '_> {
    /// `printf`: 0, or -1 if the buffer is full.
    pub(super) fn printf(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (_, format) = self.scalar(inst, FIRST)?;
        let mut words = Vec::new();
        self.put_long(&mut words, format)?;
        for index in FIRST + 1..inst.operands.len() {
            let (kind, values) = self.components(inst, index)?;
            let tag = self.constant(Kind::I32, tag(kind, values.len()).into());
            words.push(tag);
            for value in values {
                self.put_value(&mut words, kind, value)?;
            }
        }
        if words.len() >= MAX_RECORD {
            return Err(inst.error(Problem::TooLarge("what is printed at once")));
        }
        let length = self.constant(Kind::I32, words.len() as u64 + 1);
        words.insert(0, length);
        let stored = self.store_record(inst, length, &words)?;
        let (printed, failed) = (self.constant(Kind::I32, 0), self.constant(Kind::I32, 0xffff_ffff));
        let result = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, stored, [printed, failed]))?;
        self.define(inst, vec![result])
    }

    /// Two words of 64 bits, the lower first.
    fn put_long(&mut self, words: &mut Vec<Value>, value: Value) -> Result<(), LoadError> {
        words.extend(self.repack(&[value], Kind::I64, Kind::I32)?);
        Ok(())
    }

    /// The bits of a number as two words.
    fn put_value(&mut self, words: &mut Vec<Value>, kind: Kind, value: Value) -> Result<(), LoadError> {
        let value = match kind {
            Kind::Bool => {
                let (one, zero) = (self.constant(Kind::I8, 1), self.constant(Kind::I8, 0));
                self.emit(Kind::I8, |v| Inst::Select(Kind::I8, v, value, [one, zero]))?
            }
            _ => value,
        };
        let bits = if kind == Kind::Bool { Kind::I8 } else { kind.as_integer() };
        let wide = self.resize(&[value], bits, Kind::I64, ConvertOp::Zext)?[0];
        self.put_long(words, wide)
    }

    /// Takes as many words of the buffer, and fills them if they are there, which is the result.
    fn store_record(
        &mut self,
        inst: &Instruction<'_>,
        length: Value,
        words: &[Value],
    ) -> Result<Value, LoadError> {
        let located = |problem| inst.error(problem);
        let site = Site(inst.offset);
        let buffer = self.data.print_buffer().ok_or(Problem::Unsupported("this use of printf"))?;
        let (kind, space) = (Kind::I32, Space::Global);
        let counter = self.builder.preset(Kind::I64, Preset::ModuleData(buffer));
        let start = self.builder.preset(Kind::I64, Preset::ModuleData(buffer + FIRST_RECORD));
        let operands = [length, self.constant(kind, 0)];
        let (op, address) = (AtomicOp::Add, counter);
        let place =
            self.emit(kind, |result| Inst::Atomic { op, kind, space, result, address, operands, site })?;
        let last = self.constant(kind, u64::from(RECORD_WORDS) - words.len() as u64);
        let fits = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::ULe, kind, v, [place, last]))?;
        let [store, after] = [self.builder.new_block(), self.builder.new_block()];
        let (store, after) = (store.map_err(located)?, after.map_err(located)?);
        self.builder.finish(Exit::Branch(fits, store, after));
        self.builder.open(store);
        let index = self.resize(&[place], kind, Kind::I64, ConvertOp::Zext)?[0];
        let address = |result| Inst::Address { result, base: start, index, scale: 4, offset: 0 };
        let base = self.emit(Kind::I64, address)?;
        for (number, &value) in (0..).zip(words) {
            let address = self.offset_address(base, 4 * number)?;
            self.builder.effect(Inst::Store { kind, space, value, address, site }).map_err(located)?;
        }
        self.builder.finish(Exit::Jump(after));
        self.builder.open(after);
        // Made again, so that it is there where both ways meet.
        self.emit(Kind::Bool, |v| Inst::Int(IntOp::And, Kind::Bool, v, [fits, fits]))
    }
}
