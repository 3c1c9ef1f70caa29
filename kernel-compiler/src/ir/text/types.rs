//! Types, as Rust writes them, with the space of slices that are not in global memory.

use super::name::Name;
use super::{Printer, is_bare, is_type_word, separated};
use crate::ir::{Handle, Member, Space, Type};
use kernel_core::Layout;
use std::fmt::{self, Display, Formatter, Write};

impl<'a> Printer<'a> {
    /// All types, in their order. A struct has its own line.
    pub(super) fn types(self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut in_list = false;
        for (handle, ty) in self.module.types.iter() {
            if let Type::Struct { members, align, .. } = ty {
                f.write_str(if in_list { "\n" } else { "" })?;
                in_list = false;
                self.structure(f, handle, members, *align)?;
            } else {
                f.write_str(if in_list { ", " } else { "types " })?;
                in_list = true;
                self.ty(handle).fmt(f)?;
            }
        }
        f.write_str(if in_list { "\n" } else { "" })
    }

    /// Its alignment is said where it is more than that of the members.
    fn structure(
        self,
        f: &mut Formatter<'_>,
        handle: Handle<Type>,
        members: &[Member],
        align: u64,
    ) -> fmt::Result {
        write!(f, "struct {} ", self.ty(handle))?;
        if members.iter().all(|member| self.module.types.layout(member.ty).align < align) {
            write!(f, "align {align} ")?;
        }
        f.write_str("{ ")?;
        separated(f, members, |f, Member { name, ty }| write!(f, "{}: {}", Name(name), self.ty(*ty)))?;
        let Layout { size, align } = self.module.types.layout(handle);
        writeln!(f, " }} // {size} bytes, aligned to {align}")
    }

    pub(super) fn ty(self, handle: Handle<Type>) -> impl Display + 'a {
        fmt::from_fn(move |f| match &self.module.types[handle] {
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::Vector { element, lanes } => write!(f, "{}x{lanes}", self.ty(*element)),
            Type::Array { element, len } => write!(f, "[{}; {len}]", self.ty(*element)),
            Type::Struct { name, .. } => self.struct_name(f, handle, name),
            Type::Image(image) => image.fmt(f),
            Type::Sampler(sampler) => sampler.fmt(f),
            Type::Event => f.write_str("event"),
            Type::Pointer { element, mutable, raw } => {
                let sigil = match (raw, mutable) {
                    (true, true) => "*mut ",
                    (true, false) => "*const ",
                    (false, true) => "&mut ",
                    (false, false) => "&",
                };
                f.write_str(sigil)?;
                self.ty(*element).fmt(f)
            }
            Type::Slice { element, space, mutable } => {
                f.write_str(if *mutable { "&mut " } else { "&" })?;
                f.write_str(match space {
                    Space::Private => "private ",
                    Space::Local => "local ",
                    Space::Global => "",
                    Space::Constant => "constant ",
                })?;
                write!(f, "[{}]", self.ty(*element))
            }
        })
    }

    /// The name of a struct, and its position in the arena if others have that name too.
    fn struct_name(self, f: &mut Formatter<'_>, handle: Handle<Type>, name: &str) -> fmt::Result {
        if is_bare(name) && !is_type_word(name) {
            f.write_str(name)?;
        } else {
            write!(f, "{name:?}")?;
        }
        if self.numbering.is_shared(name) {
            f.write_char('~')?;
            write!(f, "{}", handle.index())?;
        }
        Ok(())
    }
}
