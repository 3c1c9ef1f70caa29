//! `println!` and its kin: the arguments become words of 32 bits, which the host makes values of again.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use crate::diagnostics::{Code, Diagnostic, marker};
use crate::infer;
use crate::ir::{Check, Format, Handle, Index, PrintSite, Shown, Statement, Value};
use crate::typed::{self, Argument, Expr, Print, Ty, VariantTest};
use kernel_core::Scalar;
use kernel_core::print::Text;
use kernel_core::semantics::BinaryOp;

/// The words of what is formatted, each a `u32`.
type Words = Vec<Handle<Value>>;

/// The most words that the values of one argument take: each is some code of the kernel.
const MOST_WORDS: u32 = 256;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn print(&mut self, print: &Print) {
        if self.prints_in_export() {
            return;
        }
        let (format, words) = self.format(&print.format);
        let &Print { stream, newline, .. } = print;
        let site = self.builder.module.prints.intern(PrintSite { format, stream, newline });
        self.builder.push(Statement::Print { site, words });
    }

    /// A format string with the types of its arguments, and these as words.
    pub(super) fn format(&mut self, format: &typed::Format) -> (Format, Vec<Handle<Value>>) {
        let (mut arguments, mut words) = (Vec::new(), Vec::new());
        for (name, argument) in &format.arguments {
            let shown = match argument {
                Argument::Text(text) => Shown::Text(text.clone()),
                Argument::Value(value) => self.show_value(value, &mut words),
            };
            arguments.push((name.clone(), shown));
        }
        (Format { text: format.text.clone(), arguments }, words)
    }

    /// What is formatted of a type; none if it cannot be.
    pub(super) fn shown(&self, ty: &Ty) -> Option<Shown> {
        infer::shown(self.builder.module.program, &self.table.resolve(ty))
    }

    /// Appends the words of what is formatted, and says what it is.
    pub(super) fn show_value(&mut self, value: &Expr, words: &mut Words) -> Shown {
        let shown = self.shown(&value.ty).unwrap_or(Shown::Tuple(Vec::new()));
        if shown.words() > MOST_WORDS {
            self.too_many_words(value);
        } else if let Shown::Number(_) = shown {
            let value = self.printed(value);
            self.show_number(value, words);
        } else {
            let memory = self.place(value);
            let ty = self.table.resolve(&value.ty);
            self.show(&memory, &ty, words);
        }
        shown
    }

    fn too_many_words(&mut self, value: &Expr) {
        let message = format!("this takes more than the {MOST_WORDS} words of 32 bits that can be formatted");
        let diagnostic = Diagnostic::new(Code::UnsupportedMacro, &marker(value.span), message);
        self.builder.module.diagnostics.push(diagnostic.help("format its elements in a loop"));
    }

    /// Appends the words of what is in memory.
    pub(super) fn show(&mut self, memory: &Memory, ty: &Ty, words: &mut Words) {
        match ty {
            Ty::Reference { to, .. } => {
                let memory = self.follow(memory);
                self.show(&memory, to, words);
            }
            Ty::Tuple(elements) => self.show_fields(memory, elements, words),
            text if infer::is_str_type(text) => self.show_text(memory, words),
            Ty::Array(element, len) => {
                let array = self.load(memory);
                let array = self.spill(array);
                for position in 0..len.length().unwrap_or(0) {
                    let index = self.builder.constant(Scalar::Usize, position.into());
                    let memory = self.at(&array, Index { index, check: Check::Proved });
                    self.show(&memory, element, words);
                }
            }
            Ty::Nominal(nominal) => {
                let Some(definition) = self.definition(ty) else { return };
                if definition.is_enum() {
                    let tag = self.tag(memory);
                    self.show_number(tag, words);
                }
                for (position, variant) in definition.variants.iter().enumerate() {
                    let fields = variant.fields.iter();
                    let fields: Vec<_> =
                        fields.map(|field| self.field_type(field, &nominal.arguments)).collect();
                    let discriminant = variant.discriminant as i64;
                    let test = definition.is_enum().then_some(VariantTest { position, discriminant });
                    let payload = self.payload(memory, test);
                    self.show_fields(&payload, &fields, words);
                }
            }
            _ => {
                let Some(number) = ty.numeric() else { return };
                match self.load(memory) {
                    Operand::Value(value) => self.show_number(value, words),
                    // The payload of another variant: nobody looks at it.
                    _ => {
                        let zero = self.builder.constant(Scalar::U32, 0);
                        words.extend((0..Shown::Number(number).words()).map(|_| zero));
                    }
                }
            }
        }
    }

    /// Appends the length of text, and as many of its bytes as there is room for.
    fn show_text(&mut self, memory: &Memory, words: &mut Words) {
        let zero = self.builder.constant(Scalar::U32, 0);
        if let Memory::Value(Operand::Undefined) = memory {
            words.extend([zero; Text::WORDS]);
            return;
        }
        let bytes = self.follow(&memory.element(0));
        let bytes = self.slices(&bytes);
        let len = self.len_of(&bytes);
        words.push(self.builder.cast(len, Scalar::U32));
        for start in (0..Text::MOST as u64).step_by(4) {
            let word = self.counter(zero);
            let [start, end] = [start, start + 4].map(|at| self.builder.constant(Scalar::Usize, at));
            let is_shorter = self.builder.binary(BinaryOp::Lt, len, end);
            let end = self.builder.select(is_shorter, len, end);
            let label = self.builder.fresh_label();
            self.count_up(label, start, Some(end), |lowering, index| {
                let memory = lowering.at(&bytes, Index { index, check: Check::Proved });
                let byte = lowering.load(&memory);
                let byte = lowering.scalar_operand(byte);
                let byte = lowering.builder.cast(byte, Scalar::U32);
                let place = lowering.builder.binary(BinaryOp::Sub, index, start);
                let place = lowering.builder.cast(place, Scalar::U32);
                let width = lowering.builder.constant(Scalar::U32, 8);
                let place = lowering.builder.binary(BinaryOp::Mul, place, width);
                let byte = lowering.builder.binary(BinaryOp::Shl, byte, place);
                let before = lowering.builder.load_variable(word);
                let after = lowering.builder.binary(BinaryOp::Or, before, byte);
                lowering.builder.store_variable(word, after);
            });
            words.push(self.builder.load_variable(word));
        }
    }

    fn show_fields(&mut self, memory: &Memory, types: &[Ty], words: &mut Words) {
        for (position, ty) in types.iter().enumerate() {
            // What is undefined has no fields.
            let field = match memory {
                Memory::Value(Operand::Undefined) => memory.clone(),
                memory => memory.element(position),
            };
            self.show(&field, ty, words);
        }
    }

    /// Appends the words of a number, a `bool` or a vector.
    pub(super) fn show_number(&mut self, value: Handle<Value>, words: &mut Words) {
        let ty = self.builder.numeric_of(value);
        for lane in 0..ty.lanes {
            let value = if ty.lanes == 1 { value } else { self.builder.lane(value, lane) };
            words.extend(self.words(value, ty.scalar));
        }
    }

    /// The scalar or vector that is printed, which may be behind references.
    fn printed(&mut self, argument: &Expr) -> Handle<Value> {
        let mut ty = self.table.resolve(&argument.ty);
        if !matches!(ty, Ty::Reference { .. }) {
            return self.value(argument);
        }
        let mut memory = Memory::Value(self.expr(argument));
        while let Ty::Reference { to, .. } = ty {
            memory = self.follow(&memory);
            ty = self.table.resolve(&to);
        }
        let operand = self.load(&memory);
        self.scalar_operand(operand)
    }

    /// The bits of a scalar, the low ones first.
    fn words(&mut self, value: Handle<Value>, scalar: Scalar) -> Vec<Handle<Value>> {
        let bits = match scalar {
            Scalar::F16 | Scalar::Bf16 => self.builder.bitcast(value, Scalar::U16),
            Scalar::F32 => self.builder.bitcast(value, Scalar::U32),
            Scalar::F64 => self.builder.bitcast(value, Scalar::U64),
            _ => value,
        };
        let low = self.builder.cast(bits, Scalar::U32);
        if scalar.size() <= 4 {
            return vec![low];
        }
        let bits = self.builder.cast(bits, Scalar::U64);
        let width = self.builder.constant(Scalar::U64, 32);
        let high = self.builder.binary(BinaryOp::Shr, bits, width);
        vec![low, self.builder.cast(high, Scalar::U32)]
    }
}
