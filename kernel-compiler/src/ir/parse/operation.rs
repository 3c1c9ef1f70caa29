//! Operations.

use super::{Kind, Parser, Result};
use crate::ir::text::Word;
use crate::ir::{
    Atomic, AtomicAccess, AtomicOp, BlockAccess, Call, Check, Collective, Fault, GroupCopy, Handle,
    ImageBlock, ImageOp, Math, Op, Type, Value,
};
use kernel_core::image::SamplerState;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl Parser<'_> {
    /// An operation whose result has a type.
    pub(super) fn operation(&mut self, ty: Handle<Type>) -> Result<Op> {
        let at = self.at;
        let Some(word) = self.word() else { return self.of_operand(ty) };
        self.skip();
        match word {
            "parameter" => {
                let position = self.number()?;
                if position as usize >= self.module.parameters.len() {
                    return Err(self.error_before("the position of a parameter"));
                }
                Ok(Op::Parameter(position))
            }
            "bits" => self.bits(),
            "zeroed" => Ok(Op::Zero),
            "neg" => Ok(Op::Unary(UnaryOp::Neg, self.operand()?)),
            "not" => Ok(Op::Unary(UnaryOp::Not, self.operand()?)),
            "cast" => self.operand().map(Op::Cast),
            "bitcast" => self.operand().map(Op::Bitcast),
            "select" => {
                let [condition, accept, reject] = self.several()?;
                Ok(Op::Select { condition, accept, reject })
            }
            "math" => self.math(),
            "is" => Ok(Op::Classify(self.choice()?, self.operand()?)),
            "vector" => self.operands().map(Op::Construct),
            "lane" => {
                let lane = self.number()?;
                self.expect_word("of")?;
                Ok(Op::Extract(self.operand()?, lane))
            }
            "shuffle" => {
                let left = self.operand()?;
                self.expect(",")?;
                let right = self.operand()?;
                self.expect_word("by")?;
                self.expect("[")?;
                Ok(Op::Shuffle([left, right], self.until("]", Self::number)?))
            }
            "assume_uniform" => Ok(Op::AssumeUniform(self.choice()?, self.operand()?)),
            "distinct" => Ok(Op::Distinct(self.choice()?, self.operand()?)),
            "any" => self.operand().map(Op::Any),
            "all" => self.operand().map(Op::All),
            "load" => self.place().map(Op::Load),
            "atomic" => self.atomic().map(Op::Atomic),
            "block" => self.block_access().map(Op::BlockAccess),
            "copy" => self.group_copy().map(Op::GroupCopy),
            "call" => {
                let names = self.module.imports.iter().map(|(_, import)| import.name.clone()).collect();
                let import = Handle::new(self.one_of(names, "an import")? as usize);
                Ok(Op::Call(Call { import, arguments: self.operands()? }))
            }
            "len" => self.operand().map(Op::Len),
            "bounds" => {
                self.expect_word("of")?;
                self.place().map(Op::InBounds)
            }
            "slice" => {
                self.expect_word("of")?;
                self.place().map(Op::SliceOf)
            }
            "address" => {
                self.expect_word("of")?;
                self.place().map(Op::Address)
            }
            "require" => self.require(),
            "has" => {
                self.expect_word("faulted")?;
                Ok(Op::HasFaulted)
            }
            "read" | "sample" | "image" | "format" | "size" | "sampler" => self.image_op(word).map(Op::Image),
            "query" => Ok(Op::Query(self.choice()?, self.number()?)),
            "collective" => self.collective(),
            "specialization" => {
                let all = self.module.specializations.iter();
                let names = all.map(|specialization| specialization.name.clone()).collect();
                self.one_of(names, "a specialization").map(Op::Specialization)
            }
            _ => {
                self.at = at;
                self.of_operand(ty)
            }
        }
    }

    /// An operation that starts with an operand, or a constant.
    fn of_operand(&mut self, ty: Handle<Type>) -> Result<Op> {
        if self.next().number.is_none()
            && !self.joins(self.at + 1)
            && let Some((of, bits)) = self.constant()
        {
            if of != ty {
                return Err(self.error("a constant of the type of the value"));
            }
            self.skip();
            return Ok(Op::Constant(bits));
        }
        let left = self.operand()?;
        if !self.joins(self.at) {
            return Err(self.error("an operator"));
        }
        let Some(word) = self.word() else {
            let op: BinaryOp = self.choice()?;
            let right = self.operand()?;
            let nonzero = self.check_of("nonzero")?;
            let overflow = self.check_of("overflow")?;
            return Ok(Op::Binary { op, left, right, nonzero, overflow });
        };
        self.skip();
        match word {
            "of" => {
                let slice = self.operand()?;
                self.expect_word("from")?;
                Ok(Op::SubSlice { slice, start: self.operand()?, len: left })
            }
            "elements" => {
                self.expect_word("at")?;
                Ok(Op::SliceFrom { pointer: self.operand()?, len: left })
            }
            _ => {
                let wraps = word == "wrapping";
                if wraps {
                    self.expect_word("offset")?;
                }
                self.expect_word("by")?;
                Ok(Op::Offset { pointer: left, count: self.operand()?, wraps })
            }
        }
    }

    /// Returns whether a token comes between two operands.
    fn joins(&self, position: usize) -> bool {
        match self.tokens.get(position).map(|token| &token.kind) {
            Some(Kind::Word(word)) => matches!(*word, "of" | "elements" | "offset" | "wrapping"),
            Some(Kind::Symbol(symbol)) => BinaryOp::from_word(symbol).is_some(),
            _ => false,
        }
    }

    /// A check that a word names.
    fn check_of(&mut self, word: &str) -> Result<Check> {
        if !self.takes_word(word) {
            return Ok(Check::Proved);
        }
        self.declared('!', |module| &module.sites).map(Check::At)
    }

    fn bits(&mut self) -> Result<Op> {
        let bits = match self.next().kind {
            Kind::Number(text) if self.next().number.is_none() => text.strip_prefix("0x"),
            _ => None,
        };
        let bits = bits.and_then(|bits| u64::from_str_radix(bits, 16).ok());
        let bits = bits.ok_or_else(|| self.error("a number in hexadecimal"))?;
        self.skip();
        Ok(Op::Constant(bits))
    }

    /// So many operands in parentheses.
    fn several<const N: usize>(&mut self) -> Result<[Handle<Value>; N]> {
        let operands = self.operands()?;
        operands.try_into().map_err(|_| self.error_before(format!("{N} values in parentheses")))
    }

    fn math(&mut self) -> Result<Op> {
        let math = if self.takes_word("native") {
            Math::Native(self.choice()?)
        } else if self.takes_word("half") {
            Math::Half(self.choice()?)
        } else {
            let math = self.word().and_then(Math::from_name);
            let math = math.ok_or_else(|| self.error("a function of OpenCL.std"))?;
            self.skip();
            math
        };
        Ok(Op::Math(math, self.operands()?))
    }

    fn atomic(&mut self) -> Result<Atomic> {
        let order = self.choice()?;
        let scope = self.choice()?;
        let update = self.word().and_then(AtomicOp::from_word);
        let word = self.word().unwrap_or_default();
        if update.is_none() && !matches!(word, "load" | "store" | "compare") {
            return Err(self.error("`load`, `store`, `compare` or what is done to what is there"));
        }
        self.skip();
        let place = self.place()?;
        let access = match update {
            Some(op) => {
                self.expect(",")?;
                AtomicAccess::Update(op, self.operand()?)
            }
            None if word == "load" => AtomicAccess::Load,
            None if word == "store" => {
                self.expect("=")?;
                AtomicAccess::Store(self.operand()?)
            }
            None => {
                self.expect("=")?;
                let new = self.operand()?;
                self.expect_word("if")?;
                let expected = self.operand()?;
                self.expect_word("else")?;
                AtomicAccess::CompareExchange { expected, new, failure: self.choice()? }
            }
        };
        Ok(Atomic { place, access, scope, order })
    }

    fn block_access(&mut self) -> Result<BlockAccess> {
        let stores = self.takes_word("store");
        if !stores {
            self.expect_word("load")?;
        }
        let place = self.place()?;
        let stored = if stores {
            self.expect("=")?;
            Some(self.operand()?)
        } else {
            None
        };
        Ok(BlockAccess { place, stored })
    }

    fn group_copy(&mut self) -> Result<GroupCopy> {
        let count = self.operand()?;
        self.expect_word("of")?;
        let from = self.operand()?;
        self.expect_word("to")?;
        let to = self.operand()?;
        self.expect_word("by")?;
        Ok(GroupCopy { to, from, count, stride: self.operand()? })
    }

    fn require(&mut self) -> Result<Op> {
        let condition = self.operand()?;
        let mut faults = Vec::new();
        while self.takes_word("else") {
            let check = self.check()?;
            let values = self.several()?;
            let words = if self.takes_word("saying") { self.operands()? } else { Vec::new() };
            let unless = if self.takes_word("unless") { Some(self.operand()?) } else { None };
            faults.push(Fault { unless, check, values, words });
        }
        Ok(Op::Require { condition, faults })
    }

    /// An operation on an image or a sampler, after its first word.
    fn image_op(&mut self, word: &str) -> Result<ImageOp> {
        match word {
            "read" => {
                let image = self.operand()?;
                self.expect_word("at")?;
                let at = self.operands()?;
                self.expect_word("if")?;
                Ok(ImageOp::Read { image, at, inside: self.operand()? })
            }
            "sample" => {
                let image = self.operand()?;
                self.expect_word("by")?;
                let sampler = self.operand()?;
                self.expect_word("at")?;
                Ok(ImageOp::Sample { image, sampler, at: self.operands()? })
            }
            "image" => {
                self.expect_word("block")?;
                let image = self.operand()?;
                self.expect_word("at")?;
                let at = self.several()?;
                let stored = if self.takes("=") { Some(self.operand()?) } else { None };
                Ok(ImageOp::Block(ImageBlock { image, at, stored }))
            }
            "format" => {
                let query = self.choice()?;
                self.expect_word("of")?;
                Ok(ImageOp::Format(query, self.operand()?))
            }
            "size" => {
                let axis = self.number()?;
                self.expect_word("of")?;
                Ok(ImageOp::Size(self.operand()?, axis))
            }
            _ => {
                let (address, filter) = (self.choice()?, self.choice()?);
                let normalized = self.takes_word("normalized");
                Ok(ImageOp::Sampler(SamplerState { address, filter, normalized }))
            }
        }
    }

    fn collective(&mut self) -> Result<Op> {
        let group = self.choice()?;
        let word = self.word().unwrap_or_default();
        let simple = match word {
            "all" => Some(Collective::All),
            "any" => Some(Collective::Any),
            "broadcast" => Some(Collective::Broadcast),
            "shuffle" => Some(Collective::Shuffle),
            "fold" => None,
            _ => return Err(self.error("`all`, `any`, `broadcast`, `shuffle` or `fold`")),
        };
        self.skip();
        let collective = match simple {
            Some(collective) => collective,
            None => Collective::Fold(self.choice()?, self.choice()?),
        };
        Ok(Op::Collective { group, collective, operands: self.operands()? })
    }
}
