//! What comes before the statements.

use super::{Kind, Parser, Result, literal};
use crate::ir::text::Word;
use crate::ir::{
    Aliasing, Assumption, Caching, FloatMode, Import, LocalVariable, Op, Parameter, PrintSite, Site,
    Specialization, Table, Variable,
};
use proc_macro2::Span;

impl Parser<'_> {
    pub(super) fn parameters(&mut self) -> Result<()> {
        self.expect("(")?;
        self.until(")", Self::parameter).map(drop)
    }

    /// A parameter, with its value if it has one: `x`, `%x`, `%3 = x`.
    fn parameter(&mut self) -> Result<()> {
        // A parameter may have the name of a hint.
        let is_hint = |parser: &Self| parser.second().kind != Kind::Symbol(":");
        let nontemporal = is_hint(self) && self.takes_word("nontemporal");
        let loads = if is_hint(self) { self.controls("load_cache")? } else { Vec::new() };
        let stores = if is_hint(self) { self.controls("store_cache")? } else { Vec::new() };
        let caching = Caching { nontemporal, loads, stores };
        let aliasing = self.word().and_then(Aliasing::from_word).filter(|_| is_hint(self));
        if aliasing.is_some() {
            self.skip();
        }
        let aliasing = aliasing.unwrap_or_default();
        let at = self.at;
        let (name, number, has_value) = match self.next().kind.clone() {
            Kind::Named(name) => {
                self.skip();
                (name, None, true)
            }
            Kind::Value(number) => {
                self.skip();
                self.expect("=")?;
                (self.name()?, Some(number), true)
            }
            _ => (self.name()?, None, false),
        };
        self.expect(":")?;
        let ty = self.ty()?;
        let position = self.module.parameters.len() as u32;
        if has_value {
            let is_numbered = number.is_some();
            let value = self.leaf(ty, Op::Parameter(position), number)?;
            if !is_numbered && self.named.insert(name.clone(), value).is_some() {
                return Err(self.error_at(at, "a name of its own"));
            }
        }
        self.module.parameters.push(Parameter { name, ty, aliasing, caching });
        Ok(())
    }

    /// What levels of cache are told, after a word.
    fn controls<T: Word>(&mut self, word: &str) -> Result<Vec<T>> {
        if !self.takes_word(word) {
            return Ok(Vec::new());
        }
        self.expect("(")?;
        self.until(")", Self::choice)
    }

    pub(super) fn attributes(&mut self) -> Result<()> {
        while let Some(word) = self.word() {
            self.skip();
            match word {
                "group_size" => self.module.attributes.group_size = Some(self.group_size()?),
                "group_size_hint" => self.module.attributes.group_size_hint = Some(self.group_size()?),
                "subgroup_size" => {
                    self.expect("(")?;
                    self.module.attributes.subgroup_size = Some(self.number()?);
                    self.expect(")")?;
                }
                "fp" => {
                    self.expect("(")?;
                    self.module.attributes.float_mode = self.choice::<FloatMode>()?;
                    self.expect(")")?;
                }
                "exchanges_floats" => self.module.attributes.exchanges_floats = true,
                "checks_overflow" => self.module.attributes.checks_overflow = true,
                "unchecked" => self.module.attributes.unchecked = true,
                "may_race" => self.module.attributes.may_race = true,
                _ => return Err(self.error_before("an attribute of kernels or `{`")),
            }
        }
        Ok(())
    }

    fn group_size(&mut self) -> Result<[u32; 3]> {
        self.expect("(")?;
        let x = self.number()?;
        self.expect(",")?;
        let y = self.number()?;
        self.expect(",")?;
        let z = self.number()?;
        self.expect(")")?;
        Ok([x, y, z])
    }

    pub(super) fn declarations(&mut self) -> Result<()> {
        loop {
            match self.word() {
                Some("import") => self.declaration(Self::import)?,
                Some("specialization") => self.declaration(Self::specialization)?,
                Some("local") => self.declaration(Self::local)?,
                Some("table") => self.declaration(Self::table)?,
                Some("site") => self.declaration(Self::site)?,
                Some("format") => self.declaration(Self::print_site)?,
                Some("var") => self.declaration(Self::variable)?,
                Some("assume") => self.declaration(Self::assumption)?,
                _ => return Ok(()),
            }
        }
    }

    /// What follows the word of a declaration.
    fn declaration(&mut self, rest: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.skip();
        rest(self)
    }

    fn import(&mut self) -> Result<()> {
        let name = self.name()?;
        let parameters = self.parenthesised(Self::ty)?;
        let result = if self.takes("->") { Some(self.ty()?) } else { None };
        self.module.imports.push(Import { name, parameters, result, span: Span::call_site() });
        Ok(())
    }

    fn specialization(&mut self) -> Result<()> {
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        self.module.specializations.push(Specialization { name, ty });
        Ok(())
    }

    fn local(&mut self) -> Result<()> {
        self.declares('@', self.module.locals.len())?;
        let name = self.takes_name().unwrap_or_default();
        self.expect(":")?;
        let ty = self.ty()?;
        self.module.locals.push(LocalVariable { name, ty });
        Ok(())
    }

    fn variable(&mut self) -> Result<()> {
        self.declares('$', self.module.variables.len())?;
        let name = self.takes_name().unwrap_or_default();
        self.expect(":")?;
        let ty = self.ty()?;
        self.module.variables.push(Variable { name, ty });
        Ok(())
    }

    fn table(&mut self) -> Result<()> {
        self.declares('#', self.module.tables.len())?;
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect("=")?;
        self.expect("[")?;
        let scalar = self.module.numeric(self.module.types.innermost(ty)).map(|ty| ty.scalar);
        let bits = self.until("]", |parser| {
            let text = match parser.next().kind {
                Kind::Word(text) | Kind::Number(text) if parser.next().number.is_none() => text,
                _ => "",
            };
            let constant = literal::read(text);
            let constant = constant.filter(|(ty, _)| scalar.is_none_or(|scalar| *ty == scalar.into()));
            let (_, bits) = constant.ok_or_else(|| parser.error("a constant of the type of the table"))?;
            parser.skip();
            Ok(bits)
        })?;
        self.module.tables.push(Table { ty, bits });
        Ok(())
    }

    fn site(&mut self) -> Result<()> {
        self.declares('!', self.module.sites.len())?;
        let kind = self.choice()?;
        let message = if self.takes_word("message") { self.string()? } else { String::new() };
        // A declaration of what is printed begins with the same word.
        let has_format = matches!(self.second().kind, Kind::Text(_)) && self.takes_word("format");
        let format = if has_format { Some(self.format()?) } else { None };
        let reason = if self.takes_word("because") { self.string()? } else { String::new() };
        self.module.sites.push(Site { kind, span: Span::call_site(), message, format, reason });
        Ok(())
    }

    fn print_site(&mut self) -> Result<()> {
        self.declares('?', self.module.prints.len())?;
        let stream = self.choice()?;
        let newline = self.takes_word("newline");
        let format = self.format()?;
        self.module.prints.push(PrintSite { format, stream, newline });
        Ok(())
    }

    fn assumption(&mut self) -> Result<()> {
        let block = self.braced()?;
        self.expect_word("holds")?;
        let condition = self.operand()?;
        self.module.assumptions.push(Assumption { block, condition });
        Ok(())
    }
}
