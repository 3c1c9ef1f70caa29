//! The textual form of the representation, which has all of it but the places in the source. `docs/ir.md` describes it, and [`Module::parse`] reads it.
//!
//! Values are written as `%3`, variables as `$0`, variables in local memory as `@0`, tables as `#0`, sites as `!0`, what is printed as `?0`, each with the
//! position in its arena; the value of a parameter as `%x`, and a parameter that is a place as `^x`. Constants stand where they are used (file `numbering`). A
//! check that is not proved names its site. What is spelled by one word is in the tables of `word.rs`.

mod body;
mod literal;
mod name;
mod numbering;
mod operation;
mod place;
mod shown;
mod types;
mod word;

pub(super) use name::{is_bare, is_type_word};
pub(crate) use word::Word;

use super::{
    Aliasing, Assumption, Attributes, Caching, Export, FloatMode, Format, Handle, Import, LocalVariable,
    Module, Op, Parameter, PrintSite, Site, Specialization, Table, Value, Variable,
};
use crate::emit::SourcePlace;
use kernel_core::Scalar;
use name::Name;
use numbering::Numbering;
use std::cell::RefCell;
use std::fmt::{self, Display, Formatter, Write};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let numbering = Numbering::of(self);
        // Which leaves need no number is known when all of the text has been written once.
        let draft = Printer { module: self, numbering: &numbering, lines: None };
        write!(Discard, "{}", fmt::from_fn(|f| draft.module(f)))?;
        let numbering = numbering.renumbered();
        Printer { module: self, numbering: &numbering, lines: None }.module(f)
    }
}

impl Module {
    /// The text with a comment before what comes from another place in the source than what stands before it: `// src/main.rs:7:9`.
    #[must_use]
    pub fn with_lines(&self) -> String {
        let numbering = Numbering::of(self);
        let draft = Printer { module: self, numbering: &numbering, lines: None };
        // Neither of the two writers fails.
        let _ = write!(Discard, "{}", fmt::from_fn(|f| draft.module(f)));
        let (numbering, lines) = (numbering.renumbered(), RefCell::default());
        let printer = Printer { module: self, numbering: &numbering, lines: Some(&lines) };
        fmt::from_fn(|f| printer.module(f)).to_string()
    }
}

/// Takes text and keeps none.
struct Discard;

impl Write for Discard {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// Writes a module.
#[derive(Clone, Copy)]
struct Printer<'a> {
    module: &'a Module,
    numbering: &'a Numbering,
    /// The place of the last statement, if places are shown.
    lines: Option<&'a RefCell<Option<SourcePlace>>>,
}

impl Printer<'_> {
    fn module(self, f: &mut Formatter<'_>) -> fmt::Result {
        let Module {
            name,
            export,
            attributes,
            types: _,
            locals,
            tables,
            sites,
            prints,
            imports,
            specializations,
            parameters,
            assumptions,
            variables,
            values: _,
            body,
        } = self.module;
        self.types(f)?;
        write!(f, "{} {}(", if export.is_some() { "export" } else { "kernel" }, Name(name))?;
        separated(f, &(0..parameters.len()).collect::<Vec<_>>(), |f, position| self.parameter(f, *position))?;
        f.write_char(')')?;
        if let Some(Export { result: Some(result) }) = export {
            write!(f, " -> ${}", result.index())?;
        }
        self::attributes(attributes, f)?;
        f.write_str(" {")?;
        for (_, import) in imports.iter() {
            line(f, 1)?;
            self.import(f, import)?;
        }
        for Specialization { name, ty } in specializations {
            line(f, 1)?;
            write!(f, "specialization {}: {}", Name(name), self.ty(*ty))?;
        }
        for (handle, LocalVariable { name, ty }) in locals.iter() {
            line(f, 1)?;
            write!(f, "local @{}{}: {}", handle.index(), after_blank(name), self.ty(*ty))?;
        }
        for (handle, Table { ty, bits }) in tables.iter() {
            line(f, 1)?;
            write!(f, "table #{}: {} = [", handle.index(), self.ty(*ty))?;
            let scalar = self.module.numeric(self.module.types.innermost(*ty)).map(|ty| ty.scalar);
            let lane = scalar.unwrap_or(Scalar::U64).into();
            separated(f, bits, |f, bits| literal::write(f, lane, *bits))?;
            f.write_char(']')?;
        }
        for (handle, site) in sites.iter() {
            line(f, 1)?;
            write!(f, "site !{} ", handle.index())?;
            self.site(f, site)?;
        }
        for (handle, PrintSite { format, stream, newline }) in prints.iter() {
            line(f, 1)?;
            let end = if *newline { " newline" } else { "" };
            write!(f, "format ?{} {}{end} ", handle.index(), stream.word())?;
            self.format(f, format)?;
        }
        for (handle, Variable { name, ty }) in variables.iter() {
            line(f, 1)?;
            write!(f, "var ${}{}: {}", handle.index(), after_blank(name), self.ty(*ty))?;
        }
        for Assumption { block, condition } in assumptions {
            line(f, 1)?;
            f.write_str("assume ")?;
            self.nested(f, block, 1)?;
            write!(f, " holds {}", self.value(*condition))?;
        }
        self.block(f, body, 1)?;
        f.write_str("\n}")?;
        self.loose(f)
    }

    fn parameter(self, f: &mut Formatter<'_>, position: usize) -> fmt::Result {
        let Parameter { name, ty, aliasing, caching } = &self.module.parameters[position];
        let Caching { nontemporal, loads, stores } = caching;
        f.write_str(if *nontemporal { "nontemporal " } else { "" })?;
        controls(f, "load_cache", loads)?;
        controls(f, "store_cache", stores)?;
        if *aliasing != Aliasing::Unknown {
            write!(f, "{} ", aliasing.word())?;
        }
        match self.numbering.value_of(position) {
            None => {}
            Some(value) => {
                self.numbering.meet(value);
                f.write_char('%')?;
                if !self.numbering.is_implied(value) {
                    write!(f, "{} = ", value.index())?;
                }
            }
        }
        write!(f, "{}: {}", Name(name), self.ty(*ty))
    }

    fn import(self, f: &mut Formatter<'_>, import: &Import) -> fmt::Result {
        let Import { name, parameters, result, span: _ } = import;
        write!(f, "import {}(", Name(name))?;
        separated(f, parameters, |f, ty| self.ty(*ty).fmt(f))?;
        f.write_char(')')?;
        result.map_or(Ok(()), |result| write!(f, " -> {}", self.ty(result)))
    }

    fn site(self, f: &mut Formatter<'_>, site: &Site) -> fmt::Result {
        let Site { kind, span: _, message, format, reason } = site;
        f.write_str(kind.word())?;
        if !message.is_empty() {
            write!(f, " message {message:?}")?;
        }
        if let Some(format) = format {
            f.write_str(" format ")?;
            self.format(f, format)?;
        }
        if !reason.is_empty() {
            write!(f, " because {reason:?}")?;
        }
        Ok(())
    }

    fn format(self, f: &mut Formatter<'_>, format: &Format) -> fmt::Result {
        let Format { text, arguments } = format;
        write!(f, "{text:?}(")?;
        separated(f, arguments, |f, (name, shown)| {
            if let Some(name) = name {
                write!(f, "{}: ", Name(name))?;
            }
            shown::write(f, shown)
        })?;
        f.write_char(')')
    }

    /// The values that no statement computes and that do not stand where they are used.
    fn loose(self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut found = Vec::new();
        // What these read may be the only use of a leaf.
        for (handle, _) in self.module.values.iter() {
            if self.numbering.is_loose(handle) {
                found.push(handle);
                write!(Discard, "{}", fmt::from_fn(|f| self.definition(f, handle)))?;
            }
        }
        let unused =
            |handle: &Handle<Value>| self.numbering.is_leaf(*handle) && !self.numbering.is_met(*handle);
        found.extend(self.module.values.iter().map(|(handle, _)| handle).filter(unused));
        if found.is_empty() {
            return Ok(());
        }
        f.write_str("\nloose {")?;
        for handle in found {
            line(f, 1)?;
            self.definition(f, handle)?;
        }
        f.write_str("\n}")
    }

    fn definition(self, f: &mut Formatter<'_>, handle: Handle<Value>) -> fmt::Result {
        let Value { ty, op, span: _ } = &self.module.values[handle];
        write!(f, "%{}: {} = ", handle.index(), self.ty(*ty))?;
        match op {
            Op::Parameter(position) => write!(f, "parameter {position}"),
            _ => self.operation(f, *ty, op),
        }
    }
}

fn attributes(attributes: &Attributes, f: &mut Formatter<'_>) -> fmt::Result {
    let Attributes {
        group_size,
        group_size_hint,
        subgroup_size,
        float_mode,
        exchanges_floats,
        checks_overflow,
        unchecked,
        may_race,
    } = *attributes;
    for (name, size) in [("group_size", group_size), ("group_size_hint", group_size_hint)] {
        if let Some([x, y, z]) = size {
            write!(f, " {name}({x}, {y}, {z})")?;
        }
    }
    if let Some(size) = subgroup_size {
        write!(f, " subgroup_size({size})")?;
    }
    if float_mode != FloatMode::Strict {
        write!(f, " fp({})", float_mode.word())?;
    }
    for (is_set, name) in [
        (exchanges_floats, "exchanges_floats"),
        (checks_overflow, "checks_overflow"),
        (unchecked, "unchecked"),
        (may_race, "may_race"),
    ] {
        if is_set {
            write!(f, " {name}")?;
        }
    }
    Ok(())
}

/// The name of a variable, if it has any.
fn after_blank(name: &str) -> impl Display {
    fmt::from_fn(move |f| if name.is_empty() { Ok(()) } else { write!(f, " {}", Name(name)) })
}

fn line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "\n{:1$}", "", depth * 4)
}

/// What levels of cache are told, if they are told something.
fn controls<T: Word>(f: &mut Formatter<'_>, name: &str, controls: &[T]) -> fmt::Result {
    if controls.is_empty() {
        return Ok(());
    }
    write!(f, "{name}(")?;
    separated(f, controls, |f, control| f.write_str(control.word()))?;
    f.write_str(") ")
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut item: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (position, each) in items.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        item(f, each)?;
    }
    Ok(())
}
