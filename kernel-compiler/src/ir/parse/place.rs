//! Operands and places.

use super::{Kind, Parser, Result, literal};
use crate::ir::{Base, Check, Handle, Index, Op, Place, Step, Type, Value};

impl Parser<'_> {
    /// Operands in parentheses.
    pub(super) fn operands(&mut self) -> Result<Vec<Handle<Value>>> {
        self.parenthesised(Self::operand)
    }

    pub(super) fn operand(&mut self) -> Result<Handle<Value>> {
        let number = self.next().number;
        match &self.next().kind {
            Kind::Value(number) => {
                let value = Self::value_of(*number);
                self.skip();
                Ok(value)
            }
            Kind::Named(name) => {
                let value = self.named.get(name).copied();
                let value = value.ok_or_else(|| self.error("the name of a parameter with a value"))?;
                self.skip();
                Ok(value)
            }
            Kind::Word("zero") => {
                self.skip();
                let ty = self.ty()?;
                self.leaf(ty, Op::Zero, number)
            }
            _ => {
                let (ty, bits) = self.constant().ok_or_else(|| self.error("a value"))?;
                self.skip();
                self.leaf(ty, Op::Constant(bits), number)
            }
        }
    }

    /// The next token, if it is a constant.
    pub(super) fn constant(&mut self) -> Option<(Handle<Type>, u64)> {
        let (Kind::Word(text) | Kind::Number(text)) = self.next().kind else { return None };
        let (numeric, bits) = literal::read(text)?;
        matches!(numeric.lanes, 1 | 2 | 3 | 4 | 8 | 16).then(|| (self.intern_numeric(numeric), bits))
    }

    pub(super) fn place(&mut self) -> Result<Place> {
        let base = self.base()?;
        let mut ty = self.base_type(base);
        let mut path = Vec::new();
        loop {
            let step = if self.takes("[") {
                self.index()?
            } else if self.takes(".") {
                Step::Member(self.member_of(ty)?)
            } else {
                return Ok(Place { base, path });
            };
            ty = ty.and_then(|ty| self.module.types[ty].below(step));
            path.push(step);
        }
    }

    fn base(&mut self) -> Result<Base> {
        match self.next().kind {
            Kind::Sigil('$', _) => self.declared('$', |module| &module.variables).map(Base::Variable),
            Kind::Sigil('@', _) => self.declared('@', |module| &module.locals).map(Base::Local),
            Kind::Sigil('#', _) => self.declared('#', |module| &module.tables).map(Base::Table),
            Kind::Symbol("^") => {
                self.skip();
                let names = self.module.parameters.iter().map(|parameter| parameter.name.clone()).collect();
                self.one_of(names, "a parameter").map(Base::Parameter)
            }
            Kind::Symbol("*") => {
                self.skip();
                self.operand().map(Base::Pointer)
            }
            _ => self.operand().map(Base::Slice),
        }
    }

    /// The type of what a base is, if it is known by now.
    fn base_type(&self, base: Base) -> Option<Handle<Type>> {
        match base {
            Base::Slice(slice) => self.type_of(slice),
            Base::Pointer(pointer) => {
                self.type_of(pointer).map(|ty| crate::ir::pointee(&self.module.types, ty))
            }
            base => Some(self.module.base_type(base)),
        }
    }

    /// What follows the bracket of an index.
    fn index(&mut self) -> Result<Step> {
        let index = self.operand()?;
        let is_run = self.takes("..");
        let index = Index { index, check: self.check()? };
        self.expect("]")?;
        if !is_run {
            return Ok(Step::Index(index));
        }
        self.expect_word("as")?;
        Ok(Step::Run { index, vector: self.ty()? })
    }

    /// The site of a check, if it is not proved.
    pub(super) fn check(&mut self) -> Result<Check> {
        match self.next().kind {
            Kind::Sigil('!', _) => self.declared('!', |module| &module.sites).map(Check::At),
            _ => Ok(Check::Proved),
        }
    }

    /// The member of a type that is a struct, or a position.
    fn member_of(&mut self, ty: Option<Handle<Type>>) -> Result<u32> {
        if let Kind::Number(_) = self.next().kind {
            return self.number();
        }
        let names = match ty.map(|ty| &self.module.types[ty]) {
            Some(Type::Struct { members, .. }) => members.iter().map(|member| member.name.clone()).collect(),
            _ => Vec::new(),
        };
        self.one_of(names, "a member")
    }

    /// One of several things that have names, by its name or by its position.
    pub(super) fn one_of(&mut self, names: Vec<String>, what: &str) -> Result<u32> {
        let at = self.at;
        let position = match self.next().kind {
            Kind::Number(_) => {
                Some(self.number::<u32>()?).filter(|position| (*position as usize) < names.len())
            }
            _ => {
                let name = self.name()?;
                let position = names.iter().position(|other| *other == name);
                position.and_then(|position| u32::try_from(position).ok())
            }
        };
        position.ok_or_else(|| self.error_at(at, format!("the name of {what} or its position")))
    }
}
