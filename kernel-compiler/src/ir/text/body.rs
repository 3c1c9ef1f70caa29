//! Blocks and statements.

use super::word::Word;
use super::{Printer, line};
use crate::emit::SourcePlace;
use crate::ir::{Base, Block, End, Fence, Group, ImageWrite, Place, Statement};
use kernel_core::Memory;
use std::fmt::{self, Formatter, Write};

impl Printer<'_> {
    /// The lines of a block.
    pub(super) fn block(self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        for statement in &block.statements {
            self.place_comment(f, statement, depth)?;
            line(f, depth)?;
            self.statement(f, statement, depth)?;
        }
        let end = match block.end {
            End::Next => return Ok(()),
            End::Break(label) => format!("break 'l{}", label.0),
            End::Continue(label) => format!("continue 'l{}", label.0),
            End::Return => "return".to_owned(),
        };
        line(f, depth)?;
        f.write_str(&end)
    }

    /// Says where a statement is written, if places are shown and the one before is written elsewhere.
    fn place_comment(self, f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
        let (Some(last), Some(span)) = (self.lines, statement.span(&self.module.values)) else {
            return Ok(());
        };
        let place = SourcePlace::of(span);
        if last.borrow().as_ref() == Some(&place) {
            return Ok(());
        }
        line(f, depth)?;
        write!(f, "// {}:{}:{}", place.file, place.line, place.column)?;
        *last.borrow_mut() = Some(place);
        Ok(())
    }

    /// A block in braces.
    pub(super) fn nested(self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        f.write_char('{')?;
        self.block(f, block, depth + 1)?;
        line(f, depth)?;
        f.write_char('}')
    }

    fn statement(self, f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
        match statement {
            Statement::Evaluate(handle) => self.definition(f, *handle),
            Statement::Store { place, value } => {
                write!(f, "store {} = {}", self.place(place), self.value(*value))
            }
            Statement::ImageWrite(write) => self.image_write(f, write),
            Statement::If { condition, accept, reject } => {
                write!(f, "if {} ", self.value(*condition))?;
                self.nested(f, accept, depth)?;
                if reject.does_nothing() {
                    return Ok(());
                }
                f.write_str(" else ")?;
                self.nested(f, reject, depth)
            }
            Statement::Loop { label, body, continuing } => {
                write!(f, "loop 'l{} ", label.0)?;
                self.nested(f, body, depth)?;
                f.write_str(" continuing ")?;
                self.nested(f, continuing, depth)
            }
            Statement::Barrier(_, group, fence) => {
                f.write_str(if *group == Group::Subgroup { "subgroup barrier" } else { "barrier" })?;
                match fence {
                    Fence::Local => f.write_str(" local"),
                    Fence::LocalAndGlobal => Ok(()),
                    Fence::Given(scope, memory) => {
                        write!(f, " of {}", scope.word())?;
                        self::memory(f, *memory)
                    }
                }
            }
            Statement::AssertUniform(_, values) => {
                f.write_str("assert_uniform")?;
                self.values(f, values)
            }
            Statement::Wait(_, event) => {
                let place = Place { base: Base::Variable(*event), path: Vec::new() };
                write!(f, "wait for {}", self.place(&place))
            }
            Statement::Order(scope, order) => write!(f, "order {} {}", order.word(), scope.word()),
            Statement::Print { site, words } => {
                write!(f, "print ?{}", site.index())?;
                self.values(f, words)
            }
        }
    }

    fn image_write(self, f: &mut Formatter<'_>, write: &ImageWrite) -> fmt::Result {
        let ImageWrite { image, at, texel, inside } = write;
        write!(f, "write {} at", self.value(*image))?;
        self.values(f, at)?;
        write!(f, " = {} if {}", self.value(*texel), self.value(*inside))
    }
}

/// The kinds of memory that a barrier orders, in parentheses.
fn memory(f: &mut Formatter<'_>, memory: Memory) -> fmt::Result {
    let kinds = Memory::ALL.iter().filter(|kind| memory.contains(**kind)).map(|kind| kind.word());
    write!(f, " ({})", kinds.collect::<Vec<_>>().join(", "))
}
