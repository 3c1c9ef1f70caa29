//! Types, and where they are listed.

use super::{Kind, Parser, Result};
use crate::ir::text::{Word, is_type_word};
use crate::ir::{Handle, Member, Numeric, Space, Type};
use kernel_core::image::FilterMode;
use kernel_core::{ChannelClass, ImageAccess, ImageShape, ImageType, MAX_ALIGNMENT, SamplerType, Scalar};

impl Parser<'_> {
    /// The lists of types and the structs before the kernel. What structs are made of may come after them.
    pub(super) fn types(&mut self) -> Result<()> {
        let mut structs = Vec::new();
        loop {
            if self.takes_word("types") {
                self.list()?;
            } else if self.takes_word("struct") {
                structs.push(self.structure()?);
            } else {
                break;
            }
        }
        let end = self.at;
        for &(handle, at) in &structs {
            self.at = at;
            let found = self.until("}", Self::member)?;
            if let Type::Struct { members, .. } = &mut self.module.types[handle] {
                *members = found;
            }
        }
        self.at = end;
        self.check_sizes()?;
        for (handle, _) in structs {
            let known = self.module.types.layout(handle).align;
            if let Type::Struct { align, .. } = &mut self.module.types[handle] {
                *align = known;
            }
        }
        Ok(())
    }

    /// Types that have not been listed before.
    fn list(&mut self) -> Result<()> {
        loop {
            let (len, at) = (self.module.types.len(), self.at);
            let listed = self.ty()?;
            if listed.index() < len {
                return Err(self.error_at(at, "a type that is not listed yet"));
            }
            if !self.takes(",") {
                return Ok(());
            }
        }
    }

    /// A struct, and the position of its first member.
    fn structure(&mut self) -> Result<(Handle<Type>, usize)> {
        let at = self.at;
        let (name, number) = self.struct_name()?;
        let align = if self.takes_word("align") { self.alignment()? } else { 1 };
        let handle = self.module.types.push(Type::Struct { name: name.clone(), members: Vec::new(), align });
        if number.is_some_and(|number| number as usize != handle.index()) {
            return Err(self.error_at(at, format!("`{name}~{}`", handle.index())));
        }
        if self.structs.insert((name, number), handle).is_some() {
            return Err(self.error_at(at, "the name of a struct that is not listed yet"));
        }
        self.expect("{")?;
        let members = self.at;
        while !self.takes("}") {
            if self.next().kind == Kind::End {
                return Err(self.error("`}`"));
            }
            self.skip();
        }
        Ok((handle, members))
    }

    /// What a struct is aligned to at least.
    fn alignment(&mut self) -> Result<u64> {
        let at = self.at;
        let align: u64 = self.number()?;
        let fits = align.is_power_of_two() && align <= MAX_ALIGNMENT;
        fits.then_some(align).ok_or_else(|| self.error_at(at, "a power of two, at most 128"))
    }

    fn struct_name(&mut self) -> Result<(String, Option<u32>)> {
        if self.word().is_some_and(is_type_word) {
            return Err(self.error("the name of a struct"));
        }
        let name = self.takes_name().ok_or_else(|| self.error("a type"))?;
        let number = if self.takes("~") { Some(self.number()?) } else { None };
        Ok((name, number))
    }

    fn member(&mut self) -> Result<Member> {
        let name = self.name()?;
        self.expect(":")?;
        Ok(Member { name, ty: self.ty()? })
    }

    /// A type.
    pub(super) fn ty(&mut self) -> Result<Handle<Type>> {
        self.nested(|parser| {
            if parser.takes("[") {
                let element = parser.ty()?;
                parser.array(element)
            } else if parser.takes("*") {
                let mutable = parser.takes_word("mut");
                if !mutable {
                    parser.expect_word("const")?;
                }
                let element = parser.ty()?;
                Ok(parser.intern(Type::Pointer { element, mutable, raw: true }))
            } else if parser.takes("&") {
                parser.reference()
            } else {
                parser.named_type()
            }
        })
    }

    /// What follows the element of an array.
    fn array(&mut self, element: Handle<Type>) -> Result<Handle<Type>> {
        self.expect(";")?;
        let len = self.number()?;
        self.expect("]")?;
        Ok(self.intern(Type::Array { element, len }))
    }

    /// What follows `&`: a slice, or what a reference leads to.
    fn reference(&mut self) -> Result<Handle<Type>> {
        let mutable = self.takes_word("mut");
        let space = match self.word() {
            Some("private") => Space::Private,
            Some("local") => Space::Local,
            Some("constant") => Space::Constant,
            _ => Space::Global,
        };
        if space != Space::Global {
            self.skip();
        }
        let element = if self.takes("[") {
            let element = self.ty()?;
            if self.takes("]") {
                return Ok(self.intern(Type::Slice { element, space, mutable }));
            }
            self.array(element)?
        } else {
            self.ty()?
        };
        if space != Space::Global {
            return Err(self.error("a slice in this memory"));
        }
        Ok(self.intern(Type::Pointer { element, mutable, raw: false }))
    }

    fn named_type(&mut self) -> Result<Handle<Type>> {
        let word = self.word().unwrap_or_default();
        if let Some(numeric) = Numeric::from_name(word) {
            self.numeric()?;
            return Ok(self.intern_numeric(numeric));
        }
        if word == "event" {
            self.skip();
            return Ok(self.intern(Type::Event));
        }
        if word == "Sampler" {
            self.skip();
            return self.sampler();
        }
        if let Some(shape) = ImageShape::from_word(word) {
            self.skip();
            return self.image(shape);
        }
        let at = self.at;
        let name = self.struct_name()?;
        let known = self.structs.get(&name).copied();
        known.ok_or_else(|| self.error_at(at, "a type, or a struct that is listed"))
    }

    /// A scalar or a vector.
    pub(super) fn numeric(&mut self) -> Result<Numeric> {
        let numeric = self.word().and_then(Numeric::from_name);
        let numeric = numeric.filter(|ty| matches!(ty.lanes, 1 | 2 | 3 | 4 | 8 | 16));
        let numeric = numeric.ok_or_else(|| self.error("a scalar or a vector of 2, 3, 4, 8 or 16 lanes"))?;
        self.skip();
        Ok(numeric)
    }

    /// A scalar.
    pub(super) fn scalar(&mut self) -> Result<Scalar> {
        let scalar = self.word().and_then(Scalar::from_name).ok_or_else(|| self.error("a scalar"))?;
        self.skip();
        Ok(scalar)
    }

    /// What is in angle brackets after the name of an image.
    fn image(&mut self, shape: ImageShape) -> Result<Handle<Type>> {
        let (mut class, mut access) = (ChannelClass::Float, ImageAccess::ReadOnly);
        if shape.is_depth() {
            if self.takes("<") {
                access = self.choice()?;
                self.expect(">")?;
            }
        } else {
            self.expect("<")?;
            let scalar = self.word().and_then(Scalar::from_name).and_then(ChannelClass::of);
            class = scalar.ok_or_else(|| self.error("the scalar of a channel"))?;
            self.skip();
            if self.takes(",") {
                access = self.choice()?;
            }
            self.expect(">")?;
        }
        Ok(self.intern(Type::Image(ImageType { shape, class, access })))
    }

    /// What follows the name of a sampler.
    fn sampler(&mut self) -> Result<Handle<Type>> {
        self.expect("<")?;
        let filter = match self.word() {
            Some("Nearest") => FilterMode::Nearest,
            Some("Linear") => FilterMode::Linear,
            _ => return Err(self.error("`Nearest` or `Linear`")),
        };
        self.skip();
        self.expect(",")?;
        let normalized = match self.word() {
            Some("Normalized") => true,
            Some("Unnormalized") => false,
            _ => return Err(self.error("`Normalized` or `Unnormalized`")),
        };
        self.skip();
        self.expect(">")?;
        Ok(self.intern(Type::Sampler(SamplerType { filter, normalized })))
    }

    /// The handle of a type that is no struct.
    fn intern(&mut self, ty: Type) -> Handle<Type> {
        if let Some(known) = self.known_types.get(&ty) {
            return *known;
        }
        let handle = self.module.types.push(ty.clone());
        self.known_types.insert(ty, handle);
        handle
    }

    pub(super) fn intern_numeric(&mut self, Numeric { scalar, lanes }: Numeric) -> Handle<Type> {
        let element = self.intern(Type::Scalar(scalar));
        if lanes == 1 { element } else { self.intern(Type::Vector { element, lanes }) }
    }
}
