//! Blocks and statements.

use super::{Kind, Parser, Result};
use crate::ir::{Base, Block, End, Fence, Group, Handle, ImageWrite, Label, Place, Statement, Value};
use kernel_core::Memory;
use proc_macro2::Span;

impl Parser<'_> {
    /// A block in braces.
    pub(super) fn braced(&mut self) -> Result<Block> {
        self.nested(|parser| {
            parser.expect("{")?;
            let block = parser.block()?;
            parser.expect("}")?;
            Ok(block)
        })
    }

    /// The statements and the end of a block, up to the brace that closes it.
    pub(super) fn block(&mut self) -> Result<Block> {
        let mut statements = Vec::new();
        loop {
            let end = match self.word() {
                Some("break") => {
                    self.skip();
                    End::Break(self.label()?)
                }
                Some("continue") => {
                    self.skip();
                    End::Continue(self.label()?)
                }
                Some("return") => {
                    self.skip();
                    End::Return
                }
                _ if self.is("}") => End::Next,
                _ => {
                    statements.push(self.statement()?);
                    continue;
                }
            };
            return if self.is("}") { Ok(Block { statements, end }) } else { Err(self.error("`}`")) };
        }
    }

    fn label(&mut self) -> Result<Label> {
        let Kind::Label(label) = self.next().kind else { return Err(self.error("a label like `'l0`")) };
        self.skip();
        Ok(Label(label))
    }

    fn statement(&mut self) -> Result<Statement> {
        if let Kind::Value(_) = self.next().kind {
            return self.definition().map(Statement::Evaluate);
        }
        let Some(word) = self.word() else { return Err(self.error("a statement or `}`")) };
        self.skip();
        match word {
            "store" => {
                let place = self.place()?;
                self.expect("=")?;
                Ok(Statement::Store { place, value: self.operand()? })
            }
            "write" => self.image_write(),
            "if" => {
                let condition = self.operand()?;
                let accept = self.braced()?;
                let reject = if self.takes_word("else") {
                    self.braced()?
                } else {
                    Block { statements: Vec::new(), end: End::Next }
                };
                Ok(Statement::If { condition, accept, reject })
            }
            "loop" => {
                let label = self.label()?;
                let body = self.braced()?;
                self.expect_word("continuing")?;
                Ok(Statement::Loop { label, body, continuing: self.braced()? })
            }
            "barrier" => self.barrier(Group::WorkGroup),
            "subgroup" => {
                self.expect_word("barrier")?;
                self.barrier(Group::Subgroup)
            }
            "assert_uniform" => Ok(Statement::AssertUniform(Span::call_site(), self.operands()?)),
            "wait" => {
                self.expect_word("for")?;
                match self.place()? {
                    Place { base: Base::Variable(event), path } if path.is_empty() => {
                        Ok(Statement::Wait(Span::call_site(), event))
                    }
                    _ => Err(self.error_before("a variable")),
                }
            }
            "order" => {
                let order = self.choice()?;
                Ok(Statement::Order(self.choice()?, order))
            }
            "print" => {
                let site = self.declared('?', |module| &module.prints)?;
                Ok(Statement::Print { site, words: self.operands()? })
            }
            _ => Err(self.error_before("a statement or `}`")),
        }
    }

    /// A value with its operation: `%3: f32 = …`.
    pub(super) fn definition(&mut self) -> Result<Handle<Value>> {
        let at = self.at;
        let Kind::Value(number) = self.next().kind else { return Err(self.error("a value like `%0`")) };
        self.skip();
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect("=")?;
        let op = self.operation(ty)?;
        if self.values.insert(number, Value { ty, op, span: Span::call_site() }).is_some() {
            return Err(self.error_at(at, "a value that has not been defined"));
        }
        Ok(Self::value_of(number))
    }

    fn image_write(&mut self) -> Result<Statement> {
        let image = self.operand()?;
        self.expect_word("at")?;
        let at = self.operands()?;
        self.expect("=")?;
        let texel = self.operand()?;
        self.expect_word("if")?;
        let inside = self.operand()?;
        Ok(Statement::ImageWrite(Box::new(ImageWrite { image, at, texel, inside })))
    }

    fn barrier(&mut self, group: Group) -> Result<Statement> {
        let fence = if self.takes_word("local") {
            Fence::Local
        } else if self.takes_word("of") {
            let scope = self.choice()?;
            let kinds = self.parenthesised(Self::choice::<Memory>)?;
            Fence::Given(scope, kinds.into_iter().fold(Memory::NONE, Memory::union))
        } else {
            Fence::LocalAndGlobal
        };
        Ok(Statement::Barrier(Span::call_site(), group, fence))
    }
}
