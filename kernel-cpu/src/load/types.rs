//! Types, and what they look like in memory and in registers.

use super::Id;
use super::error::{LoadError, Problem};
use super::words::Instruction;
use crate::load::grammar::Op;
use crate::program::Kind;
use kernel_core::{ImageAccess, ImageShape};
use spirv::{CooperativeMatrixUse, FPEncoding, Scope, StorageClass};
use std::collections::{HashMap, HashSet};

/// The deepest nesting of arrays, structs and vectors: what all have to support at least (SPIR-V specification, "Universal Limits").
const MAX_DEPTH: u32 = 255;

/// The most scalars that one value may consist of.
pub(crate) const MAX_LEAVES: u64 = 1 << 16;

/// The largest object in bytes.
const MAX_SIZE: u64 = 1 << 40;

/// A type of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    /// A scalar, `Bool` among them.
    Scalar(Kind),
    /// A float of 16 bits with eight of exponent, which is kept as an integer.
    BFloat,
    Vector {
        element: Id,
        count: u32,
    },
    Array {
        element: Id,
        count: u64,
    },
    Struct {
        members: Vec<Member>,
    },
    Pointer {
        class: StorageClass,
        pointee: Id,
    },
    Function {
        result: Id,
        parameters: Vec<Id>,
    },
    Image {
        shape: ImageShape,
        access: ImageAccess,
    },
    Sampler,
    /// A matrix that a subgroup has together.
    Matrix(Matrix),
    /// What an asynchronous copy is waited for by; here it is done before that, so it is a number that means nothing.
    Event,
    /// An image of this type with a sampler.
    SampledImage {
        image: Id,
    },
    /// A type that the driver cannot use, but whose declaration alone does no harm.
    Unsupported,
}

/// A matrix of which each lane of a subgroup has some elements, see `crate::lower::matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) element: Id,
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    pub(crate) usage: CooperativeMatrixUse,
    /// How many lanes a subgroup has.
    pub(crate) lanes: u32,
}

impl Matrix {
    /// How many elements each lane has room for.
    pub(crate) fn length(&self) -> u64 {
        (self.rows * self.columns).div_ceil(self.lanes.into())
    }
}

/// A member of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) ty: Id,
    pub(crate) offset: u64,
    /// How many scalars come before it in a value of the struct.
    pub(crate) leaf: u64,
}

/// A type with what follows from it.
#[derive(Clone, Debug)]
struct Entry {
    ty: Type,
    size: u64,
    align: u64,
    /// How many scalars a value consists of.
    leaves: u64,
    /// Whether there are values of it.
    has_values: bool,
    depth: u32,
}

/// The types of a module by id.
#[derive(Debug, Default)]
pub(crate) struct Types {
    entries: HashMap<Id, Entry>,
    /// The pointers that are used, as by what they point to, before they are declared.
    announced: HashSet<Id>,
}

impl Types {
    /// The type with this id.
    pub(crate) fn get(&self, id: Id) -> Result<&Type, LoadError> {
        Ok(&self.entry(id)?.ty)
    }

    fn entry(&self, id: Id) -> Result<&Entry, LoadError> {
        self.entries.get(&id).ok_or_else(|| Problem::Expected { what: "a type", id }.into())
    }

    pub(crate) fn contains(&self, id: Id) -> bool {
        self.entries.contains_key(&id)
    }

    /// The size in memory in bytes, padding at the end included.
    pub(crate) fn size(&self, id: Id) -> Result<u64, LoadError> {
        Ok(self.entry(id)?.size)
    }

    /// The alignment in memory in bytes, a power of two.
    pub(crate) fn align(&self, id: Id) -> Result<u64, LoadError> {
        Ok(self.entry(id)?.align)
    }

    /// How many scalars a value consists of.
    pub(crate) fn leaf_count(&self, id: Id) -> Result<u64, LoadError> {
        Ok(self.entry(id)?.leaves)
    }

    /// The scalars of a value in order, each with its offset in memory.
    pub(crate) fn leaves(&self, id: Id) -> Result<Vec<(Kind, u64)>, LoadError> {
        if self.leaf_count(id)? > MAX_LEAVES {
            return Err(Problem::TooLarge("a value of more than 65536 scalars").into());
        }
        self.leaves_of_data(id)
    }

    /// The same for data that is only in memory, whose size is limited elsewhere.
    pub(crate) fn leaves_of_data(&self, id: Id) -> Result<Vec<(Kind, u64)>, LoadError> {
        let mut leaves = Vec::new();
        self.collect_leaves(id, 0, &mut leaves)?;
        Ok(leaves)
    }

    /// The type of a part of a composite type, by its position; none if it does not have that part.
    pub(crate) fn part(&self, id: Id, position: usize) -> Result<Option<Id>, LoadError> {
        Ok(match self.get(id)? {
            Type::Vector { element, count } => (position < *count as usize).then_some(*element),
            Type::Array { element, count } => ((position as u64) < *count).then_some(*element),
            Type::Struct { members } => members.get(position).map(|member| member.ty),
            // One number is that of all elements.
            Type::Matrix(matrix) => (position == 0).then_some(matrix.element),
            _ => None,
        })
    }

    /// Goes as deep as types nest, which their declaration has limited.
    fn collect_leaves(&self, id: Id, offset: u64, leaves: &mut Vec<(Kind, u64)>) -> Result<(), LoadError> {
        let entry = self.entry(id)?;
        if !entry.has_values {
            return Err(Problem::Expected { what: "a type of values", id }.into());
        }
        // What has no scalars may have as many parts of that sort as it likes.
        if entry.leaves == 0 {
            return Ok(());
        }
        match &entry.ty {
            Type::Scalar(kind) => leaves.push((*kind, offset)),
            Type::BFloat => leaves.push((Kind::I16, offset)),
            // An image or a sampler is a number, see `crate::image`.
            Type::Pointer { .. } | Type::Image { .. } | Type::Sampler | Type::Event => {
                leaves.push((Kind::I64, offset))
            }
            Type::SampledImage { .. } => leaves.extend([(Kind::I64, offset), (Kind::I64, offset + 8)]),
            Type::Vector { element, count } => {
                self.repeat_leaves(*element, u64::from(*count), offset, leaves)?;
            }
            Type::Array { element, count } => self.repeat_leaves(*element, *count, offset, leaves)?,
            Type::Matrix(matrix) => self.repeat_leaves(matrix.element, matrix.length(), offset, leaves)?,
            Type::Struct { members } => {
                for member in members {
                    self.collect_leaves(member.ty, offset + member.offset, leaves)?;
                }
            }
            Type::Void | Type::Function { .. } | Type::Unsupported => {}
        }
        Ok(())
    }

    fn repeat_leaves(
        &self,
        element: Id,
        count: u64,
        offset: u64,
        leaves: &mut Vec<(Kind, u64)>,
    ) -> Result<(), LoadError> {
        let stride = self.size(element)?;
        (0..count).try_for_each(|index| self.collect_leaves(element, offset + index * stride, leaves))
    }

    /// The kind of a scalar or pointer type.
    pub(crate) fn scalar(&self, id: Id) -> Result<Kind, LoadError> {
        match self.get(id)? {
            Type::Scalar(kind) => Ok(*kind),
            Type::BFloat => Ok(Kind::I16),
            Type::Pointer { .. } => Ok(Kind::I64),
            _ => Err(Problem::Expected { what: "a scalar type", id }.into()),
        }
    }

    /// The kind and the number of components of a scalar, pointer or vector type, or of what a lane has of a matrix.
    pub(crate) fn components(&self, id: Id) -> Result<(Kind, usize), LoadError> {
        match self.get(id)? {
            Type::Vector { element, count } => Ok((self.scalar(*element)?, *count as usize)),
            Type::Matrix(matrix) => Ok((self.scalar(matrix.element)?, matrix.length() as usize)),
            _ => Ok((self.scalar(id)?, 1)),
        }
    }

    /// The storage class and the pointee of a pointer type.
    pub(crate) fn pointer(&self, id: Id) -> Result<(StorageClass, Id), LoadError> {
        match self.get(id)? {
            Type::Pointer { class, pointee } => Ok((*class, *pointee)),
            _ => Err(Problem::Expected { what: "a pointer type", id }.into()),
        }
    }

    /// The type of an element or member, with its offset in memory and the number of its first scalar.
    pub(crate) fn child(&self, id: Id, index: u64) -> Result<(Id, u64, u64), LoadError> {
        let (element, count) = match self.get(id)? {
            Type::Vector { element, count } => (*element, u64::from(*count)),
            Type::Array { element, count } => (*element, *count),
            Type::Matrix(matrix) => (matrix.element, matrix.length()),
            Type::Struct { members } => {
                let member = usize::try_from(index).ok().and_then(|index| members.get(index));
                return member
                    .map(|member| (member.ty, member.offset, member.leaf))
                    .ok_or_else(|| Problem::OutOfRange { what: "member index", value: index }.into());
            }
            _ => return Err(Problem::Expected { what: "a composite type", id }.into()),
        };
        if index >= count {
            return Err(Problem::OutOfRange { what: "element index", value: index }.into());
        }
        Ok((element, index * self.size(element)?, index * self.leaf_count(element)?))
    }

    /// Takes a type declaration; `length` resolves the ids of array lengths and the like, `packed` holds the structs
    /// without padding, and `lanes` is the size of subgroups.
    pub(crate) fn declare(
        &mut self,
        inst: &Instruction<'_>,
        length: impl Fn(Id) -> Option<u64>,
        packed: &HashSet<Id>,
        lanes: u32,
    ) -> Result<(), LoadError> {
        let entry = match inst.op {
            Op::TypeVoid => leaf(Type::Void, 0, 0),
            Op::TypeBool => scalar(Kind::Bool),
            Op::TypeInt => scalar(integer(inst)?),
            Op::TypeFloat => float(inst)?,
            Op::TypeVector => self.vector(inst)?,
            Op::TypeArray => self.array(inst, length)?,
            Op::TypeStruct => self.structure(inst, packed.contains(&inst.result))?,
            Op::TypePointer => pointer(inst)?,
            Op::TypeFunction => self.function(inst)?,
            Op::TypeImage => {
                let sampled = self.get(inst.operand(0)?).map_err(|error| inst.error(error.problem))?;
                leaf(super::image::image(inst, *sampled == Type::Void)?, 8, 1)
            }
            Op::TypeSampler => leaf(Type::Sampler, 8, 1),
            Op::TypeEvent => leaf(Type::Event, 8, 1),
            Op::TypeSampledImage => self.sampled_image(inst)?,
            Op::TypeCooperativeMatrixKHR => self.matrix(inst, length, lanes)?,
            _ => leaf(Type::Unsupported, 0, 0),
        };
        if entry.size > MAX_SIZE || entry.leaves > MAX_SIZE {
            return Err(inst.error(Problem::TooLarge("a type")));
        }
        if entry.depth > MAX_DEPTH {
            return Err(inst.error(Problem::TooLarge("nesting of types")));
        }
        let is_new = match (self.announced.take(&inst.result), self.entries.insert(inst.result, entry)) {
            (None, before) => before.is_none(),
            (Some(_), before) => {
                before.is_some_and(|before| same_class(&before.ty, &self.entries[&inst.result].ty))
            }
        };
        if is_new { Ok(()) } else { Err(inst.error(Problem::BadId(inst.result))) }
    }

    /// Takes OpTypeForwardPointer: a pointer of which it is not known yet what it points to.
    pub(crate) fn announce(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (id, class) = (inst.operand(0)?, storage_class(inst, inst.operand(1)?)?);
        // It may be announced several times, and needlessly after its declaration.
        if !self.contains(id) {
            self.entries.insert(id, leaf(Type::Pointer { class, pointee: 0 }, 8, 1));
            self.announced.insert(id);
        }
        Ok(())
    }

    fn vector(&self, inst: &Instruction<'_>) -> Result<Entry, LoadError> {
        let (element, count) = (inst.operand(0)?, inst.operand(1)?);
        let inner = self.entry(element).map_err(|error| inst.error(error.problem))?;
        if !matches!(inner.ty, Type::Scalar(_) | Type::BFloat | Type::Pointer { .. }) {
            return Err(inst.error(Problem::Expected { what: "a scalar type", id: element }));
        }
        if !matches!(count, 2 | 3 | 4 | 8 | 16) {
            return Err(inst.error(Problem::OutOfRange { what: "component count", value: count.into() }));
        }
        // A vector of three takes the room of four.
        let size = inner.size * u64::from(count.next_power_of_two());
        Ok(Entry {
            ty: Type::Vector { element, count },
            size,
            align: size,
            leaves: inner.leaves * u64::from(count),
            has_values: true,
            depth: inner.depth + 1,
        })
    }

    fn array(&self, inst: &Instruction<'_>, length: impl Fn(Id) -> Option<u64>) -> Result<Entry, LoadError> {
        let (element, length_id) = (inst.operand(0)?, inst.operand(1)?);
        let inner = self.entry(element).map_err(|error| inst.error(error.problem))?;
        let count = length(length_id)
            .ok_or_else(|| inst.error(Problem::Expected { what: "an integer constant", id: length_id }))?;
        if count == 0 || count > MAX_SIZE {
            return Err(inst.error(Problem::OutOfRange { what: "array length", value: count }));
        }
        Ok(Entry {
            ty: Type::Array { element, count },
            size: inner.size.saturating_mul(count),
            align: inner.align,
            leaves: inner.leaves.saturating_mul(count),
            has_values: inner.has_values,
            depth: inner.depth + 1,
        })
    }

    fn structure(&self, inst: &Instruction<'_>, packed: bool) -> Result<Entry, LoadError> {
        let mut members = Vec::with_capacity(inst.operands.len());
        let (mut size, mut align, mut leaves, mut depth) = (0_u64, 1_u64, 0_u64, 0_u32);
        let mut has_values = true;
        for ty in inst.constituents() {
            let inner = self.entry(ty).map_err(|error| inst.error(error.problem))?;
            let member_align = if packed { 1 } else { inner.align.max(1) };
            let offset = size.next_multiple_of(member_align);
            members.push(Member { ty, offset, leaf: leaves });
            size = offset.saturating_add(inner.size).min(MAX_SIZE + 1);
            align = align.max(member_align);
            leaves = leaves.saturating_add(inner.leaves).min(MAX_SIZE + 1);
            depth = depth.max(inner.depth);
            has_values &= inner.has_values;
        }
        let size = size.next_multiple_of(align);
        Ok(Entry { ty: Type::Struct { members }, size, align, leaves, has_values, depth: depth + 1 })
    }

    fn matrix(
        &self,
        inst: &Instruction<'_>,
        constant: impl Fn(Id) -> Option<u64>,
        lanes: u32,
    ) -> Result<Entry, LoadError> {
        let element = inst.operand(0)?;
        let inner = self.entry(element).map_err(|error| inst.error(error.problem))?;
        let is_number = matches!(inner.ty, Type::Scalar(kind) if kind != Kind::Bool);
        if !is_number && inner.ty != Type::BFloat {
            return Err(inst.error(Problem::Expected { what: "a type of numbers", id: element }));
        }
        let mut constants = [0; 4];
        for (index, constants) in constants.iter_mut().enumerate() {
            let id = inst.operand(1 + index)?;
            *constants = constant(id)
                .ok_or_else(|| inst.error(Problem::Expected { what: "an integer constant", id }))?;
        }
        let [scope, rows, columns, usage] = constants;
        if scope != Scope::Subgroup as u64 {
            return Err(
                inst.error(Problem::Environment("the scope of a cooperative matrix must be Subgroup"))
            );
        }
        let usage = u32::try_from(usage).ok().and_then(CooperativeMatrixUse::from_u32);
        let usage = usage.ok_or_else(|| {
            inst.error(Problem::UnknownEnumerant {
                what: "use of a cooperative matrix",
                value: constants[3] as u32,
            })
        })?;
        let most = MAX_LEAVES * u64::from(lanes);
        if rows == 0 || columns == 0 {
            return Err(inst.error(Problem::Structure("a cooperative matrix must have rows and columns")));
        }
        if rows.saturating_mul(columns) > most {
            return Err(inst.error(Problem::TooLarge("a type")));
        }
        let matrix = Matrix { element, rows, columns, usage, lanes };
        let length = matrix.length();
        Ok(Entry {
            ty: Type::Matrix(matrix),
            size: inner.size * length,
            align: inner.align,
            leaves: length,
            has_values: true,
            depth: 1,
        })
    }

    fn sampled_image(&self, inst: &Instruction<'_>) -> Result<Entry, LoadError> {
        let image = inst.operand(0)?;
        match self.get(image).map_err(|error| inst.error(error.problem))? {
            Type::Image { .. } => Ok(leaf(Type::SampledImage { image }, 16, 2)),
            _ => Err(inst.error(Problem::Expected { what: "an image type", id: image })),
        }
    }

    fn function(&self, inst: &Instruction<'_>) -> Result<Entry, LoadError> {
        if let Some(&id) = inst.operands.iter().find(|&&id| !self.contains(id)) {
            return Err(inst.error(Problem::Expected { what: "a type", id }));
        }
        let ty = Type::Function { result: inst.operand(0)?, parameters: inst.operands_from(1).to_vec() };
        Ok(leaf(ty, 0, 0))
    }
}

fn leaf(ty: Type, size: u64, leaves: u64) -> Entry {
    let has_values = !matches!(ty, Type::Function { .. } | Type::Unsupported);
    Entry { ty, size, align: size.max(1), leaves, has_values, depth: 0 }
}

fn scalar(kind: Kind) -> Entry {
    leaf(Type::Scalar(kind), kind.size().into(), 1)
}

fn integer(inst: &Instruction<'_>) -> Result<Kind, LoadError> {
    // Signedness must be 0 by the rules, but some front ends set it, and it changes nothing.
    match inst.operand(0)? {
        8 => Ok(Kind::I8),
        16 => Ok(Kind::I16),
        32 => Ok(Kind::I32),
        64 => Ok(Kind::I64),
        _ => Err(inst.error(Problem::Environment("the width of an integer must be 8, 16, 32 or 64"))),
    }
}

fn float(inst: &Instruction<'_>) -> Result<Entry, LoadError> {
    let encoding = inst.operands.get(1).copied();
    match (inst.operand(0)?, encoding) {
        (16, Some(encoding)) if encoding == FPEncoding::BFloat16KHR as u32 => {
            return Ok(leaf(Type::BFloat, 2, 1));
        }
        (_, Some(_)) => return Err(inst.error(Problem::Unsupported("this encoding of floats"))),
        _ => {}
    }
    match inst.operand(0)? {
        16 => Ok(scalar(Kind::F16)),
        32 => Ok(scalar(Kind::F32)),
        64 => Ok(scalar(Kind::F64)),
        _ => Err(inst.error(Problem::Environment("the width of a float must be 16, 32 or 64"))),
    }
}

fn pointer(inst: &Instruction<'_>) -> Result<Entry, LoadError> {
    let class = storage_class(inst, inst.operand(0)?)?;
    Ok(leaf(Type::Pointer { class, pointee: inst.operand(1)? }, 8, 1))
}

fn storage_class(inst: &Instruction<'_>, number: u32) -> Result<StorageClass, LoadError> {
    let class = StorageClass::from_u32(number);
    class.ok_or_else(|| inst.error(Problem::UnknownEnumerant { what: "storage class", value: number }))
}

/// Whether both are pointers into the same storage class.
fn same_class(a: &Type, b: &Type) -> bool {
    matches!((a, b), (Type::Pointer { class: a, .. }, Type::Pointer { class: b, .. }) if a == b)
}
