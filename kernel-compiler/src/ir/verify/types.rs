//! The types that operations take and give.

use super::{Verdict, Verifier, require};
use crate::ir::{
    Base, BlockAccess, Check, Collective, Fault, Group, GroupCopy, Handle, Index, Math, Numeric, Op, Place,
    Shape, Space, Step, Type, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl Verifier<'_> {
    /// Checks an operation whose operands may be used.
    pub(super) fn operation(&self, value: &Value) -> Verdict {
        let result = self.module.numeric(value.ty);
        match &value.op {
            Op::Parameter(position) => {
                let parameter = self.module.parameters.get(*position as usize);
                let is_value = parameter.is_some_and(|parameter| parameter.ty == value.ty)
                    && !matches!(self.module.types[value.ty], Type::Array { .. } | Type::Struct { .. });
                require(is_value, || "no such parameter, or one that is no value".to_owned())
            }
            Op::Constant(bits) => self.constant(result, *bits),
            Op::Zero => self.is_zeroable(value.ty),
            Op::Unary(op, operand) => {
                let operand = self.computable(*operand)?;
                let takes = match op {
                    UnaryOp::Neg => operand.scalar.is_signed() || operand.scalar.is_float(),
                    UnaryOp::Not => !operand.scalar.is_float(),
                };
                require(takes && result == Some(operand), || format!("{op:?} of {operand:?} to {result:?}"))
            }
            Op::Binary { op, left, right, .. } => self.binary(*op, [*left, *right], result),
            Op::Cast(operand) => self.cast(self.computable(*operand)?, result),
            Op::Bitcast(operand) if self.is_raw(self.module.values[*operand].ty) => {
                let is_address = result == Some(Scalar::Usize.into()) || self.is_raw(value.ty);
                require(is_address, || format!("the bits of a pointer are not those of {result:?}"))
            }
            Op::Bitcast(operand) => {
                let operand = self.numeric(*operand)?;
                let fits = result.is_some_and(|result| {
                    result.scalar.bits() == operand.scalar.bits() && result.lanes == operand.lanes
                });
                require(fits, || format!("the bits of {operand:?} are not those of {result:?}"))
            }
            Op::Select { condition, accept, reject } => {
                let condition = self.numeric(*condition)?;
                let chooses = condition == Scalar::Bool.into()
                    || result.is_some_and(|result| condition == result.of(Scalar::Bool));
                require(chooses, || format!("a selection by {condition:?}"))?;
                let same =
                    [accept, reject].iter().all(|operand| self.module.values[**operand].ty == value.ty);
                require(same, || "both sides of a selection have its type".to_owned())
            }
            Op::Math(math, operands) => self.math(*math, operands, result),
            Op::Classify(_, operand) => {
                let operand = self.computable(*operand)?;
                require(operand.scalar.is_float() && result == Some(operand.of(Scalar::Bool)), || {
                    format!("the class of {operand:?}")
                })
            }
            Op::Construct(lanes) => self.construct(lanes, result),
            Op::Extract(vector, lane) => {
                let vector = self.numeric(*vector)?;
                require(*lane < vector.lanes && result == Some(vector.lane()), || {
                    format!("lane {lane} of {vector:?}")
                })
            }
            Op::Shuffle(vectors, lanes) => self.shuffle(*vectors, lanes, result),
            Op::AssumeUniform(_, operand) | Op::Distinct(_, operand) => {
                require(self.module.values[*operand].ty == value.ty, || {
                    "a promise changes no type".to_owned()
                })
            }
            Op::Any(vector) | Op::All(vector) => {
                let vector = self.numeric(*vector)?;
                let is_mask = vector.scalar == Scalar::Bool && vector.lanes > 1;
                require(is_mask && result == Some(Scalar::Bool.into()), || format!("a mask of {vector:?}"))
            }
            Op::Load(place) => {
                self.place(place)?;
                let ty = self.module.place_type(place);
                require(ty == value.ty, || "a load has the type of its place".to_owned())
            }
            Op::Atomic(atomic) => self.atomic(atomic, result),
            Op::BlockAccess(access) => self.block_access(access, value.ty),
            Op::GroupCopy(copy) => self.group_copy(copy, value.ty),
            Op::Call(call) => self.call(call, value.ty),
            Op::Len(slice) => {
                let ty = &self.module.types[self.module.values[*slice].ty];
                let is_slice = matches!(ty, Type::Slice { .. });
                require(is_slice && result == Some(Scalar::Usize.into()), || {
                    "only slices have a length".to_owned()
                })
            }
            Op::InBounds(place) => {
                self.place(place)?;
                require(result == Some(Scalar::Bool.into()), || "a place is there or not".to_owned())
            }
            Op::SliceOf(place) => self.slice_of(place, value.ty),
            Op::Address(place) => self.address(place, value.ty),
            Op::Offset { pointer, count, .. } => self.offset(*pointer, *count, value.ty),
            Op::SliceFrom { pointer, len } => self.slice_from(*pointer, *len, value.ty),
            Op::SubSlice { slice, start, len } => self.sub_slice(*slice, [*start, *len], value.ty),
            Op::Require { condition, faults } => self.require_op(*condition, faults, result),
            Op::HasFaulted => {
                require(result == Some(Scalar::Bool.into()), || "a fault is there or not".to_owned())
            }
            Op::Specialization(position) => {
                let specialization = self.module.specializations.get(*position as usize);
                let fits = specialization.is_some_and(|specialization| specialization.ty == value.ty)
                    && result.is_some_and(|ty| ty.lanes == 1 && !ty.scalar.is_float());
                require(fits, || "no such specialization, or one of another type".to_owned())
            }
            Op::Collective { group, collective, operands } => {
                self.collective(*group, *collective, operands, result)
            }
            Op::Image(op) => self.image_op(op, value),
            Op::Query(_, dimension) => {
                require(*dimension < 3 && result == Some(Scalar::Usize.into()), || {
                    format!("dimension {dimension}")
                })
            }
        }
    }

    fn block_access(&self, access: &BlockAccess, ty: Handle<Type>) -> Verdict {
        let BlockAccess { place, stored } = access;
        self.place(place)?;
        let is_proved = place.path.len() == 1 && !place.is_checked();
        let is_global = match place.base {
            Base::Slice(slice) => {
                matches!(
                    self.module.types[self.module.values[slice].ty],
                    Type::Slice { space: Space::Global, mutable, .. } if mutable || stored.is_none()
                )
            }
            _ => false,
        };
        let number = self.module.types.numeric(ty);
        let element = self.module.scalar(self.module.place_type(place));
        let fits = number.zip(element).is_some_and(|(number, element)| {
            matches!(number.scalar, Scalar::U16 | Scalar::U32)
                && matches!(number.lanes, 1 | 2 | 4 | 8)
                && element.size() == number.scalar.size()
        });
        let is_stored = stored.is_none_or(|value| self.module.values[value].ty == ty);
        require(is_proved && is_global && fits && is_stored, || format!("a block access {access:?}"))
    }

    fn group_copy(&self, copy: &GroupCopy, ty: Handle<Type>) -> Verdict {
        let slice = |value: Handle<Value>| match self.module.types[self.module.values[value].ty] {
            Type::Slice { element, space, mutable } => Some((element, space, mutable)),
            _ => None,
        };
        let fits = match (slice(copy.to), slice(copy.from)) {
            (Some((to, Space::Local, true)), Some((from, Space::Global, _)))
            | (Some((to, Space::Global, true)), Some((from, Space::Local, _))) => to == from,
            _ => false,
        };
        for number in [copy.count, copy.stride] {
            let scalar = self.scalar(number)?;
            require(scalar == Scalar::Usize, || format!("{number:?} counts elements"))?;
        }
        require(fits && self.module.types[ty] == Type::Event, || format!("{copy:?}"))
    }

    pub(super) fn require_word(&self, value: Handle<Value>) -> Verdict {
        let scalar = self.scalar(value)?;
        require(scalar == Scalar::U32, || format!("{value:?} is printed as a word, but is of type {scalar}"))
    }

    fn collective(
        &self,
        group: Group,
        collective: Collective,
        operands: &[Handle<Value>],
        result: Option<Numeric>,
    ) -> Verdict {
        let operands: Result<Vec<_>, _> = operands.iter().map(|operand| self.numeric(*operand)).collect();
        let operands = operands?;
        let is_number = |ty: Numeric| ty.lanes == 1 && ty.scalar.bits() >= 32;
        let is_vector = |ty: Numeric| matches!(ty.lanes, 2 | 4 | 8 | 16) && ty.scalar.bits() == 32;
        let allowed = match (collective, &operands[..]) {
            (Collective::All | Collective::Any, [condition]) => *condition == Scalar::Bool.into(),
            (Collective::Broadcast, [x, id]) => is_number(*x) && *id == Scalar::Usize.into(),
            (Collective::Shuffle, [x, id]) => {
                (is_number(*x) || is_vector(*x)) && *id == Scalar::Usize.into() && group == Group::Subgroup
            }
            (Collective::Fold(combine, _), [x]) => is_number(*x) && combine.is_instruction(),
            _ => false,
        };
        let same = operands.first().is_some_and(|first| result == Some(*first));
        require(allowed && same, || format!("{collective:?} of {operands:?}"))
    }

    pub(super) fn require_bool(&self, value: Handle<Value>) -> Verdict {
        let scalar = self.scalar(value)?;
        require(scalar == Scalar::Bool, || format!("{value:?} is a condition of type {scalar}"))
    }

    /// Checks that each step of a place leads somewhere, and that indices are of type `usize`.
    pub(super) fn place(&self, place: &Place) -> Verdict {
        if let Base::Parameter(position) = place.base {
            let parameter =
                self.module.parameters.get(position as usize).map(|found| &self.module.types[found.ty]);
            let is_place = matches!(parameter, Some(Type::Array { .. } | Type::Struct { .. }));
            require(is_place, || format!("the parameter {position} is no place"))?;
        }
        if let Base::Pointer(pointer) = place.base {
            let ty = &self.module.types[self.module.values[pointer].ty];
            require(matches!(ty, Type::Pointer { .. }), || format!("{pointer:?} is no pointer"))?;
        }
        let mut ty = self.module.base_type(place.base);
        for step in &place.path {
            if let Step::Index(step) | Step::Run { index: step, .. } = step {
                let index = self.scalar(step.index)?;
                require(index == Scalar::Usize, || format!("an index is a {index}"))?;
            }
            if let Step::Run { index, vector } = step {
                self.run(place, *index, *vector)?;
            }
            let whole = &self.module.types[ty];
            ty = whole.below(*step).ok_or_else(|| format!("{step:?} from a {whole:?}"))?;
        }
        let is_slice = matches!(self.module.types[ty], Type::Slice { .. });
        require(!is_slice, || "a place is a slice".to_owned())
    }

    /// Checks a run of elements of a slice as a vector.
    fn run(&self, place: &Place, index: Index, vector: Handle<Type>) -> Verdict {
        let slice = &self.module.types[self.module.base_type(place.base)];
        let fits = match (&self.module.types[vector], slice) {
            (Type::Vector { element, .. }, Type::Slice { element: of, .. }) => element == of,
            _ => false,
        };
        require(fits && index.check == Check::Proved && place.path.len() == 1, || {
            "a run is of the elements of a slice, and checked before".to_owned()
        })
    }

    fn scalar(&self, value: Handle<Value>) -> Result<Scalar, String> {
        self.module.scalar(self.module.values[value].ty).ok_or_else(|| format!("{value:?} is no scalar"))
    }

    fn numeric(&self, value: Handle<Value>) -> Result<Numeric, String> {
        let ty = self.module.values[value].ty;
        self.module.numeric(ty).ok_or_else(|| format!("{value:?} is neither a scalar nor a vector"))
    }

    /// The type of a value that is computed with: `bf16` is only kept.
    fn computable(&self, value: Handle<Value>) -> Result<Numeric, String> {
        let ty = self.numeric(value)?;
        require(ty.scalar != Scalar::Bf16, || {
            format!("{value:?} is a `bf16`, with which nothing is computed")
        })?;
        Ok(ty)
    }

    fn constant(&self, ty: Option<Numeric>, bits: u64) -> Verdict {
        let fits = ty.is_some_and(|ty| bits <= u64::MAX >> (64 - ty.scalar.bits()));
        require(fits, || format!("{bits:#x} is no bit pattern of {ty:?}"))
    }

    fn construct(&self, parts: &[Handle<Value>], result: Option<Numeric>) -> Verdict {
        let mut lanes = 0;
        for part in parts {
            let part = self.numeric(*part)?;
            lanes += part.lanes;
            let fits = result.is_some_and(|result| result.scalar == part.scalar);
            require(fits, || format!("{part:?} in {result:?}"))?;
        }
        let is_vector = result.is_some_and(|result| result.lanes == lanes && lanes > 1);
        require(is_vector, || format!("{lanes} lanes of {result:?}"))
    }

    fn shuffle(&self, vectors: [Handle<Value>; 2], lanes: &[u32], result: Option<Numeric>) -> Verdict {
        let [left, right] = [self.numeric(vectors[0])?, self.numeric(vectors[1])?];
        require(left == right && left.lanes > 1, || format!("a shuffle of {left:?} and {right:?}"))?;
        let exist = lanes.iter().all(|&lane| lane < 2 * left.lanes);
        let expected = Numeric { lanes: lanes.len() as u32, ..left };
        require(exist && lanes.len() > 1 && result == Some(expected), || {
            format!("the lanes {lanes:?} of {left:?}")
        })
    }

    fn is_zeroable(&self, ty: Handle<Type>) -> Verdict {
        let is_zeroable =
            matches!(self.module.types[ty], Type::Array { .. } | Type::Pointer { raw: true, .. });
        require(is_zeroable, || "only arrays and raw pointers are zero".to_owned())
    }

    fn is_raw(&self, ty: Handle<Type>) -> bool {
        matches!(self.module.types[ty], Type::Pointer { raw: true, .. })
    }

    fn binary(&self, op: BinaryOp, operands: [Handle<Value>; 2], result: Option<Numeric>) -> Verdict {
        let whole = self.computable(operands[0])?;
        let Numeric { scalar: right, lanes } = self.computable(operands[1])?;
        require(lanes == whole.lanes, || format!("{whole:?} {} {lanes} lanes", op.symbol()))?;
        let left = whole.scalar;
        let takes = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                left != Scalar::Bool
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !left.is_float(),
            BinaryOp::Shl | BinaryOp::Shr => left.is_integer() && right.is_integer(),
            _ => true,
        };
        let matches = op.is_shift() || left == right;
        let gives = if op.is_comparison() { Scalar::Bool } else { left };
        require(takes && matches && result == Some(whole.of(gives)), || {
            format!("{left} {} {right}", op.symbol())
        })
    }

    fn cast(&self, from: Numeric, to: Option<Numeric>) -> Verdict {
        let allowed = match to {
            Some(to) if from.lanes == to.lanes => match to.scalar {
                scalar if scalar == from.scalar => true,
                Scalar::Bool | Scalar::Bf16 => false,
                scalar => from.scalar != Scalar::Bool || scalar.is_integer(),
            },
            _ => false,
        };
        require(allowed, || format!("a cast from {from:?} to {to:?}"))
    }

    fn math(&self, math: Math, operands: &[Handle<Value>], result: Option<Numeric>) -> Verdict {
        let types: Vec<_> =
            operands.iter().map(|&operand| self.computable(operand)).collect::<Result<_, _>>()?;
        let of = |test: fn(Scalar) -> bool| result.is_some_and(|result| test(result.scalar));
        let same = |count| types.len() == count && types.iter().all(|&ty| Some(ty) == result);
        let holds = match math.shape() {
            Shape::Floats(count) => of(Scalar::is_float) && same(count),
            Shape::Singles(count) => of(|scalar| scalar == Scalar::F32) && same(count),
            Shape::Integers(count) => of(Scalar::is_integer) && same(count),
            Shape::Words(count) => of(|scalar| matches!(scalar, Scalar::I32 | Scalar::U32)) && same(count),
            Shape::FloatAndInteger => {
                let expected = result.map(|result| [result, result.of(Scalar::I32)]);
                of(Scalar::is_float) && expected.is_some_and(|expected| types[..] == expected)
            }
            Shape::FloatToInteger => {
                let is_float = types.len() == 1 && types[0].scalar.is_float();
                is_float && Some(types[0].of(Scalar::I32)) == result
            }
        };
        require(holds, || format!("{math:?} of {types:?} to {result:?}"))
    }

    fn slice_of(&self, place: &Place, ty: Handle<Type>) -> Verdict {
        self.place(place)?;
        let array = &self.module.types[self.module.place_type(place)];
        match (array, &self.module.types[ty]) {
            (Type::Array { element: of, .. }, Type::Slice { element, .. }) if of == element => Ok(()),
            _ => Err("a slice is of the elements of an array".to_owned()),
        }
    }

    fn offset(&self, pointer: Handle<Value>, count: Handle<Value>, ty: Handle<Type>) -> Verdict {
        let is_raw = matches!(self.module.types[ty], Type::Pointer { raw: true, .. });
        require(is_raw && self.module.values[pointer].ty == ty, || {
            "what is offset is a raw pointer".to_owned()
        })?;
        let count = self.scalar(count)?;
        require(matches!(count, Scalar::Usize | Scalar::Isize), || format!("an offset is a {count}"))
    }

    fn address(&self, place: &Place, ty: Handle<Type>) -> Verdict {
        self.place(place)?;
        let is_global = match place.base {
            Base::Pointer(_) => true,
            Base::Slice(slice) => {
                let slice = &self.module.types[self.module.values[slice].ty];
                matches!(slice, Type::Slice { space: Space::Global, .. })
            }
            _ => false,
        };
        let to = self.module.place_type(place);
        let fits = matches!(self.module.types[ty], Type::Pointer { element, raw: true, .. } if element == to);
        require(is_global && fits, || "an address is a raw pointer to a place in global memory".to_owned())
    }

    fn slice_from(&self, pointer: Handle<Value>, len: Handle<Value>, ty: Handle<Type>) -> Verdict {
        let fits = match (&self.module.types[self.module.values[pointer].ty], &self.module.types[ty]) {
            (
                Type::Pointer { element: to, raw: true, .. },
                Type::Slice { element, space: Space::Global, .. },
            ) => to == element,
            _ => false,
        };
        require(fits, || "a slice from a pointer is in global memory".to_owned())?;
        self.require_usize(len)
    }

    fn sub_slice(&self, slice: Handle<Value>, bounds: [Handle<Value>; 2], ty: Handle<Type>) -> Verdict {
        let is_slice = matches!(self.module.types[ty], Type::Slice { .. });
        require(is_slice && self.module.values[slice].ty == ty, || {
            "a part of a slice has the type of the slice".to_owned()
        })?;
        bounds.into_iter().try_for_each(|bound| self.require_usize(bound))
    }

    fn require_op(&self, condition: Handle<Value>, faults: &[Fault], result: Option<Numeric>) -> Verdict {
        self.require_bool(condition)?;
        require(result == Some(Scalar::Bool.into()), || "what is required is a condition".to_owned())?;
        require(!faults.is_empty(), || "a failed requirement has no fault".to_owned())?;
        for fault in faults {
            fault.unless.map_or(Ok(()), |condition| self.require_bool(condition))?;
            fault.values.into_iter().try_for_each(|value| self.require_usize(value))?;
            self.require_words(condition, faults, fault)?;
        }
        Ok(())
    }

    /// What the message of a fault formats.
    fn require_words(&self, condition: Handle<Value>, faults: &[Fault], fault: &Fault) -> Verdict {
        let Check::At(site) = fault.check else { return Ok(()) };
        let expected = self.module.sites[site].format.as_ref().map_or(0, |format| format.words() as usize);
        require(fault.words.len() == expected, || {
            format!("the message of a fault has {} words, not {expected}", fault.words.len())
        })?;
        let never = matches!(self.module.values[condition].op, Op::Constant(0));
        require(expected == 0 || (never && faults.len() == 1), || "this fault cannot have words".to_owned())?;
        fault.words.iter().try_for_each(|word| self.require_word(*word))
    }

    fn require_usize(&self, value: Handle<Value>) -> Verdict {
        let scalar = self.scalar(value)?;
        require(scalar == Scalar::Usize, || format!("{value:?} is a {scalar}, not a `usize`"))
    }
}
