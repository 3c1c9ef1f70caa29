//! Operands and places.

use super::name::Name;
use super::{Printer, literal, separated};
use crate::ir::{Base, Check, Handle, Op, Place, Step, Type, Value};
use std::fmt::{self, Display, Formatter, Write};

impl<'a> Printer<'a> {
    /// Operands in parentheses.
    pub(super) fn values(self, f: &mut Formatter<'_>, values: &[Handle<Value>]) -> fmt::Result {
        f.write_char('(')?;
        separated(f, values, |f, value| self.value(*value).fmt(f))?;
        f.write_char(')')
    }

    /// An operand: a leaf by what it is, another value by its number.
    pub(super) fn value(self, handle: Handle<Value>) -> impl Display + 'a {
        fmt::from_fn(move |f| {
            let Value { ty, op, span: _ } = &self.module.values[handle];
            match op {
                Op::Constant(bits) if self.numbering.is_leaf(handle) => {
                    self.numbering.meet(handle);
                    let numeric = self.module.numeric(*ty);
                    numeric.map_or(Ok(()), |numeric| literal::write(f, numeric, *bits))?;
                    self.number(f, handle)
                }
                Op::Zero if self.numbering.is_leaf(handle) => {
                    self.numbering.meet(handle);
                    f.write_str("zero")?;
                    self.number(f, handle)?;
                    write!(f, " {}", self.ty(*ty))
                }
                Op::Parameter(position) if self.numbering.is_implied(handle) => {
                    write!(f, "%{}", Name(&self.module.parameters[*position as usize].name))
                }
                _ => write!(f, "%{}", handle.index()),
            }
        })
    }

    /// The number of a leaf that needs one.
    fn number(self, f: &mut Formatter<'_>, leaf: Handle<Value>) -> fmt::Result {
        if self.numbering.is_implied(leaf) { Ok(()) } else { write!(f, "%{}", leaf.index()) }
    }

    pub(super) fn place(self, place: &'a Place) -> impl Display + 'a {
        fmt::from_fn(move |f| {
            match place.base {
                Base::Variable(variable) => write!(f, "${}", variable.index())?,
                Base::Local(local) => write!(f, "@{}", local.index())?,
                Base::Table(table) => write!(f, "#{}", table.index())?,
                Base::Slice(slice) => self.value(slice).fmt(f)?,
                Base::Parameter(position) => {
                    let names = self.module.parameters.iter().map(|parameter| &*parameter.name);
                    write!(f, "^{}", Choice(position, &names.collect::<Vec<_>>()))?;
                }
                Base::Pointer(pointer) => write!(f, "*{}", self.value(pointer))?,
            }
            let mut ty = self.module.base_type(place.base);
            for step in &place.path {
                self.step(f, ty, *step)?;
                ty = self.module.types[ty].below(*step).unwrap_or(ty);
            }
            Ok(())
        })
    }

    /// A step from a place of a type.
    fn step(self, f: &mut Formatter<'_>, ty: Handle<Type>, step: Step) -> fmt::Result {
        match (step, &self.module.types[ty]) {
            (Step::Index(index), _) => write!(f, "[{}{}]", self.value(index.index), At("", index.check)),
            (Step::Run { index, vector }, _) => {
                write!(f, "[{}..{}] as {}", self.value(index.index), At("", index.check), self.ty(vector))
            }
            (Step::Member(position), Type::Struct { members, .. }) => {
                let names = members.iter().map(|member| &*member.name);
                write!(f, ".{}", Choice(position, &names.collect::<Vec<_>>()))
            }
            (Step::Member(position), _) => write!(f, ".{position}"),
        }
    }
}

/// One of several things that have names: by its name, if it alone has it, else by its position.
pub(super) struct Choice<'a>(pub(super) u32, pub(super) &'a [&'a str]);

impl Display for Choice<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(position, names) = self;
        match names.get(*position as usize) {
            Some(name) if names.iter().filter(|other| *other == name).count() == 1 => Name(name).fmt(f),
            _ => position.fmt(f),
        }
    }
}

/// The site of a check that is not proved, after what it is that is checked.
pub(super) struct At(pub(super) &'static str, pub(super) Check);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Check::Proved => Ok(()),
            Check::At(site) => write!(f, "{} !{}", self.0, site.index()),
        }
    }
}
