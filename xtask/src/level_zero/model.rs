//! What the generator knows of the headers, after parsing and before printing.

/// A C type as it occurs in a field or a parameter: a named base behind any number of pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) base: String,
    /// One entry per pointer level, innermost first; `true` where that level points to const.
    pub(super) pointers: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: Type,
    /// The constant that gives the length of an array.
    pub(super) length: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

/// The initialiser of an enumerator, in the form that the header writes it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Number(u32),
    Bit(u32),
    Version { major: u32, minor: u32 },
}

#[derive(Clone, Debug)]
pub(super) struct Enumerator {
    pub(super) name: String,
    pub(super) value: Value,
    /// The type that the trailing comment links to: for a structure type, the structure that it tags.
    pub(super) link: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) enumerators: Vec<Enumerator>,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// The table header leaves the parameters of pointer types unnamed.
    pub(super) name: Option<String>,
    pub(super) ty: Type,
}

/// A function prototype or a typedef of a pointer to a function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) result: Type,
    pub(super) parameters: Vec<Parameter>,
}

/// The value of an object-like macro.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    Number(u64),
    Text(String),
}

/// All declarations of one or more headers, in the order in which they are declared.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) constants: Vec<(String, Constant)>,
    pub(super) handles: Vec<String>,
    pub(super) aliases: Vec<(String, Type)>,
    pub(super) enums: Vec<Enum>,
    pub(super) structs: Vec<Struct>,
    pub(super) prototypes: Vec<Function>,
    pub(super) pointer_types: Vec<Function>,
}
