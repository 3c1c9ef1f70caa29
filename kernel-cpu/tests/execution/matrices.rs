//! Matrices that the work-items of a subgroup have together: SPV_KHR_cooperative_matrix, and what SPV_INTEL_joint_matrix adds to products.

use crate::assemble::{Assembly, run};
use crate::driver::{Gpu, create_kernel};
use rspirv::spirv::{
    Capability, CooperativeMatrixOperands, ExecutionMode, ExecutionModel, FPEncoding, FunctionControl, Scope,
    StorageClass, Word,
};

/// What matrices are of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Element {
    Half,
    BFloat,
    /// The bits of a bfloat16 as an integer.
    BFloatBits,
    Single,
    Double,
    Byte,
    Word,
}

impl Element {
    fn size(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Half | Self::BFloat | Self::BFloatBits => 2,
            Self::Single | Self::Word => 4,
            Self::Double => 8,
        }
    }

    /// The bytes of a small number.
    fn encode(self, number: i64) -> Vec<u8> {
        let single = (number as f32).to_bits();
        match self {
            Self::Byte => vec![number as u8],
            Self::Word => (number as u32).to_le_bytes().to_vec(),
            Self::Half => half(number).to_le_bytes().to_vec(),
            Self::BFloat | Self::BFloatBits => ((single >> 16) as u16).to_le_bytes().to_vec(),
            Self::Single => single.to_le_bytes().to_vec(),
            Self::Double => (number as f64).to_bits().to_le_bytes().to_vec(),
        }
    }

    fn ty(self, assembly: &mut Assembly) -> Word {
        match self {
            Self::Byte => assembly.u8,
            Self::Word => assembly.u32,
            Self::Half => assembly.f16,
            Self::BFloatBits => assembly.u16,
            Self::BFloat => assembly.builder.type_float(16, Some(FPEncoding::BFloat16KHR)),
            Self::Single => assembly.f32,
            Self::Double => assembly.f64,
        }
    }
}

/// The bits of a half that is a whole number of up to 11 bits.
fn half(number: i64) -> u16 {
    let size = number.unsigned_abs() as u16;
    assert!(size < 2048);
    if size == 0 {
        return 0;
    }
    let exponent = size.ilog2() as u16;
    let sign = if number < 0 { 0x8000 } else { 0 };
    sign | (exponent + 15) << 10 | (size << (10 - exponent) & 0x3ff)
}

/// A product of matrices and a sum with a third one.
#[derive(Clone, Copy, Debug)]
struct Product {
    rows: usize,
    columns: usize,
    inner: usize,
    lanes: u32,
    factors: Element,
    sum: Element,
    operands: CooperativeMatrixOperands,
    /// Whether each of the four matrices is in memory by rows.
    by_rows: [bool; 4],
    /// Whether the second factor has as many rows in a line as fit into 32 bits.
    is_packed: bool,
}

const SIGNED: CooperativeMatrixOperands = CooperativeMatrixOperands::from_bits_retain(0xf);
const SMALL: Product = Product {
    rows: 8,
    columns: 16,
    inner: 16,
    lanes: 16,
    factors: Element::Half,
    sum: Element::Single,
    operands: CooperativeMatrixOperands::NONE_KHR,
    by_rows: [true; 4],
    is_packed: false,
};

impl Product {
    /// Rows, columns and elements of each matrix.
    fn shapes(&self) -> [(usize, usize, Element); 4] {
        let Self { rows, columns, inner, factors, sum, .. } = *self;
        [(rows, inner, factors), (inner, columns, factors), (rows, columns, sum), (rows, columns, sum)]
    }

    /// How far it is from row to row, or from column to column: two more than there are in it.
    fn stride(&self, matrix: usize) -> usize {
        let (rows, columns, _) = self.shapes()[matrix];
        2 + if self.by_rows[matrix] { columns * self.rows_in_line(matrix) } else { rows }
    }

    /// How many rows are in one line of memory.
    fn rows_in_line(&self, matrix: usize) -> usize {
        let (.., element) = self.shapes()[matrix];
        if self.is_packed && matrix == 1 { 4 / element.size() } else { 1 }
    }

    /// Where an element is, counted from the start of its matrix.
    fn place(&self, matrix: usize, row: usize, column: usize) -> usize {
        let stride = self.stride(matrix);
        let together = self.rows_in_line(matrix);
        match self.by_rows[matrix] {
            true => row / together * stride + column * together + row % together,
            false => column * stride + row,
        }
    }

    /// The words that a matrix takes.
    fn words(&self, matrix: usize) -> usize {
        let (rows, columns, element) = self.shapes()[matrix];
        let lines = if self.by_rows[matrix] { rows.div_ceil(self.rows_in_line(matrix)) } else { columns };
        (lines * self.stride(matrix) * element.size()).div_ceil(8) * 2
    }

    /// The matrix in memory, with these elements.
    fn encode(&self, matrix: usize, number: impl Fn(usize, usize) -> i64) -> Vec<u32> {
        let (rows, columns, element) = self.shapes()[matrix];
        let mut bytes = vec![0x5a; self.words(matrix) * 4];
        for row in 0..rows {
            for column in 0..columns {
                let start = self.place(matrix, row, column) * element.size();
                let encoded = element.encode(number(row, column));
                bytes[start..start + encoded.len()].copy_from_slice(&encoded);
            }
        }
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn assembly(&self) -> (Assembly, [Word; 4]) {
        let mut assembly = Assembly::new(
            &[
                Capability::CooperativeMatrixKHR,
                Capability::BFloat16TypeKHR,
                Capability::BFloat16CooperativeMatrixKHR,
                Capability::SubgroupDispatch,
            ],
            &["SPV_KHR_cooperative_matrix", "SPV_KHR_bfloat16", "SPV_INTEL_joint_matrix"],
        );
        let scope = assembly.constant(Scope::Subgroup as u32);
        let types = [0, 1, 2, 3].map(|matrix| {
            let (rows, columns, element) = self.shapes()[matrix];
            let ty = element.ty(&mut assembly);
            let [rows, columns, usage] =
                [rows, columns, matrix.min(2)].map(|number| assembly.constant(number as u32));
            assembly.builder.type_cooperative_matrix_khr(ty, scope, rows, columns, usage)
        });
        (assembly, types)
    }

    /// Layout and stride of a matrix, and a pointer to its elements so many words after `base`.
    fn memory(&self, assembly: &mut Assembly, matrix: usize, base: Word, words: usize) -> [Word; 3] {
        let (_, _, element) = self.shapes()[matrix];
        let ty = element.ty(assembly);
        let pointer = assembly.builder.type_pointer(None, StorageClass::CrossWorkgroup, ty);
        let is_packed = self.is_packed && matrix == 1;
        let layout = assembly.constant(if is_packed { 2 } else { u32::from(!self.by_rows[matrix]) });
        let stride = assembly.constant(self.stride(matrix) as u32);
        let (global, words) = (assembly.global, assembly.constant64(words as u64));
        let b = &mut assembly.builder;
        let start = b.ptr_access_chain(global, None, base, words, []).unwrap();
        [b.bitcast(pointer, None, start).unwrap(), layout, stride]
    }

    /// The kernel that computes it.
    fn kernel(&self) -> Vec<u8> {
        let (mut assembly, types) = self.assembly();
        assembly.begin();
        assembly.mode(ExecutionMode::SubgroupSize, &[self.lanes]);
        let (mut words, mut loaded) = (0, Vec::new());
        for (matrix, &ty) in types[..3].iter().enumerate() {
            let from = assembly.from;
            let [pointer, layout, stride] = self.memory(&mut assembly, matrix, from, words);
            let load = assembly.builder.cooperative_matrix_load_khr(
                ty,
                None,
                pointer,
                layout,
                Some(stride),
                None,
                [],
            );
            loaded.push(load.unwrap());
            words += self.words(matrix);
        }
        let operands = Some(self.operands).filter(|operands| !operands.is_empty());
        let [a, b, c] = loaded[..] else { unreachable!() };
        let product =
            assembly.builder.cooperative_matrix_mul_add_khr(types[3], None, a, b, c, operands).unwrap();
        let to = assembly.to;
        let [pointer, layout, stride] = self.memory(&mut assembly, 3, to, 0);
        assembly
            .builder
            .cooperative_matrix_store_khr(pointer, product, layout, Some(stride), None, [])
            .unwrap();
        assembly.end()
    }

    /// Runs it, and compares with what the host computes.
    #[track_caller]
    fn check(&self, numbers: [fn(usize, usize) -> i64; 3]) {
        self.check_as(numbers, numbers);
    }

    /// The same where the product sees other numbers than there are in memory.
    #[track_caller]
    fn check_as(&self, numbers: [fn(usize, usize) -> i64; 3], seen: [fn(usize, usize) -> i64; 3]) {
        let from: Vec<u32> = (0..3).flat_map(|matrix| self.encode(matrix, numbers[matrix])).collect();
        let [a, b, c] = seen;
        let expected = self.encode(3, |row, column| {
            let sum = (0..self.inner).map(|k| a(row, k) * b(k, column)).sum::<i64>() + c(row, column);
            match (self.sum, self.operands.contains(CooperativeMatrixOperands::SATURATING_ACCUMULATION_KHR)) {
                (Element::Byte, true) => sum.clamp(-128, 127),
                _ => sum,
            }
        });
        let to = run(&self.kernel(), &from, self.words(3), self.lanes, 1);
        // What is between the rows stays what it was.
        let (_, _, element) = self.shapes()[3];
        let mut left = vec![0_u8; self.words(3) * 4];
        for word in left.chunks_exact_mut(4) {
            word.copy_from_slice(&0xdead_u32.to_le_bytes());
        }
        let (rows, columns, _) = self.shapes()[3];
        let encoded: Vec<u8> = expected.iter().flat_map(|word| word.to_le_bytes()).collect();
        for row in 0..rows {
            for column in 0..columns {
                let start = self.place(3, row, column) * element.size();
                let range = start..start + element.size();
                left[range.clone()].copy_from_slice(&encoded[range]);
            }
        }
        let to: Vec<u8> = to.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(to == left, "{self:?}");
    }
}

const NUMBERS: [fn(usize, usize) -> i64; 3] = [
    |row, k| (row * 3 + k) as i64 % 7 - 3,
    |k, column| (k * 5 + column) as i64 % 5 - 2,
    |row, column| (row as i64 - column as i64) % 9,
];

#[test]
fn products_of_matrices_of_floats() {
    use Element::{BFloat, Double, Half, Single};
    for (factors, sum) in [
        (Half, Single),
        (Half, Half),
        (BFloat, Single),
        (BFloat, BFloat),
        (Single, Single),
        (Single, Double),
        (Double, Double),
    ] {
        Product { factors, sum, ..SMALL }.check(NUMBERS);
    }
}

#[test]
fn matrices_have_any_shape_and_subgroups_any_size() {
    for lanes in [8, 16, 32] {
        for (rows, columns, inner) in [
            (8, 16, 16),
            (1, 64, 16),
            (16, 32, 8),
            (8, 8, 8),
            (3, 8, 5),
            (5, 4, 3),
            (7, 1, 9),
            (8, 24, 16),
            (5, 3, 7),
            (3, 20, 20),
        ] {
            Product { rows, columns, inner, lanes, factors: Element::Single, ..SMALL }.check(NUMBERS);
        }
    }
}

/// The bits of operands by which integers stand for bfloat16: in both factors, in what is added, in the result.
const BFLOAT_BITS: [u32; 3] = [0x40, 0x80, 0x100];

#[test]
fn integers_stand_for_bfloat16_where_the_product_says_so() {
    let [factors, term, result] = BFLOAT_BITS;
    for (sum, bits) in [(Element::Single, factors), (Element::BFloatBits, factors | term | result)] {
        let operands = CooperativeMatrixOperands::from_bits_retain(bits);
        for is_packed in [false, true] {
            let factors = Element::BFloatBits;
            Product { factors, sum, operands, is_packed, ..SMALL }.check(NUMBERS);
        }
    }
}

#[test]
fn the_rows_of_a_second_factor_may_be_packed() {
    for (rows, columns, inner) in [(8, 16, 16), (5, 12, 7), (3, 16, 9)] {
        for lanes in [8, 16] {
            let packed = Product { rows, columns, inner, lanes, is_packed: true, ..SMALL };
            packed.check(NUMBERS);
            Product { factors: Element::Single, ..packed }.check(NUMBERS);
            let (factors, sum, operands) = (Element::Byte, Element::Word, SIGNED);
            Product { factors, sum, operands, ..packed }.check(NUMBERS);
        }
    }
}

#[test]
fn factors_are_rounded_to_tf32_where_the_product_says_so() {
    // Eleven bits are needed for the factors, of which the last is rounded away from zero.
    let numbers: [fn(usize, usize) -> i64; 3] =
        [|row, k| 4094 + (row + k) as i64 % 2, |k, _| i64::from(k == 0), |_, _| 0];
    let exact = Product { factors: Element::Single, ..SMALL };
    exact.check(numbers);
    let operands = CooperativeMatrixOperands::from_bits_retain(0x20);
    let rounded: [fn(usize, usize) -> i64; 3] =
        [|row, k| [4094, 4096][(row + k) % 2], |k, _| i64::from(k == 0), |_, _| 0];
    Product { operands, ..exact }.check_as(numbers, rounded);
}

#[test]
fn matrices_are_in_memory_by_rows_or_by_columns() {
    for bits in 0..16 {
        let by_rows = [0, 1, 2, 3].map(|matrix| bits >> matrix & 1 == 0);
        Product { by_rows, ..SMALL }.check(NUMBERS);
    }
}

#[test]
fn products_of_matrices_of_integers() {
    let bytes = Product { inner: 32, factors: Element::Byte, sum: Element::Word, operands: SIGNED, ..SMALL };
    bytes.check(NUMBERS);
    let unsigned: [fn(usize, usize) -> i64; 3] = [
        |row, k| 255 - (row + k) as i64,
        |k, column| (17 * k + column) as i64 % 256,
        |_, column| column as i64,
    ];
    Product { operands: CooperativeMatrixOperands::NONE_KHR, ..bytes }.check(unsigned);
    let mixed: [fn(usize, usize) -> i64; 3] =
        [|row, k| (row + k) as i64 - 128, |k, column| (17 * k + column) as i64 % 256, |row, _| -(row as i64)];
    Product { operands: CooperativeMatrixOperands::from_bits_retain(0b1101), ..bytes }.check(mixed);
    let saturating = SIGNED | CooperativeMatrixOperands::SATURATING_ACCUMULATION_KHR;
    let ends: [fn(usize, usize) -> i64; 3] =
        [|row, _| row as i64 - 4, |_, column| column as i64 - 7, |_, column| 3 * column as i64];
    Product { sum: Element::Byte, operands: saturating, ..bytes }.check(ends);
}

/// A kernel that doubles each element by `OpMatrixTimesScalar`, adds one to those that an index of a loop comes to, converts all to single precision, and fills another matrix by one number.
#[test]
fn each_lane_works_on_its_elements() {
    let product = Product { rows: 4, columns: 16, inner: 16, ..SMALL };
    let (mut assembly, types) = product.assembly();
    let (f16, f32, u32) = (assembly.f16, assembly.f32, assembly.u32);
    let single = types[2];
    let scope = assembly.constant(Scope::Subgroup as u32);
    let [rows, columns, usage] = [4, 16, 2].map(|number| assembly.constant(number));
    let halves = assembly.builder.type_cooperative_matrix_khr(f16, scope, rows, columns, usage);
    let variable_type = assembly.builder.type_pointer(None, StorageClass::Function, halves);
    let element_type = assembly.builder.type_pointer(None, StorageClass::Function, f16);
    let [zero, two] = [0, 2].map(|number| assembly.constant(number));
    let [one_half, two_half] = [1, 2].map(|number| assembly.builder.constant_bit32(f16, half(number).into()));
    let hundred = assembly.builder.constant_bit32(f32, 100_f32.to_bits());
    let filled = assembly.builder.constant_composite(single, [hundred]);
    assembly.begin();
    let (from, to) = (assembly.from, assembly.to);
    let half_pointer = assembly.builder.type_pointer(None, StorageClass::CrossWorkgroup, f16);
    let single_pointer = assembly.builder.type_pointer(None, StorageClass::CrossWorkgroup, f32);
    let b = &mut assembly.builder;
    let variable = b.variable(variable_type, None, StorageClass::Function, None);
    let pointer = b.bitcast(half_pointer, None, from).unwrap();
    let loaded = b.cooperative_matrix_load_khr(halves, None, pointer, zero, Some(columns), None, []).unwrap();
    let doubled = b.matrix_times_scalar(halves, None, loaded, two_half).unwrap();
    b.store(variable, doubled, None, []).unwrap();
    // Of each lane the third and the first of its four elements.
    let length = b.cooperative_matrix_length_khr(u32, None, halves).unwrap();
    let third = b.u_div(u32, None, length, two).unwrap();
    for index in [usage, third] {
        let index = if index == third { b.i_sub(u32, None, third, two).unwrap() } else { index };
        let place = b.access_chain(element_type, None, variable, [index]).unwrap();
        let element = b.load(f16, None, place, None, []).unwrap();
        let next = b.f_add(f16, None, element, one_half).unwrap();
        b.store(place, next, None, []).unwrap();
    }
    let changed = b.load(halves, None, variable, None, []).unwrap();
    let wide = b.f_convert(single, None, changed).unwrap();
    let again = b.composite_construct(single, None, [hundred]).unwrap();
    let sum = b.f_add(single, None, wide, filled).unwrap();
    let sum = b.f_add(single, None, sum, again).unwrap();
    let first = b.composite_extract(f32, None, sum, [3]).unwrap();
    let sum = b.composite_insert(single, None, first, sum, [1]).unwrap();
    let pointer = b.bitcast(single_pointer, None, to).unwrap();
    b.cooperative_matrix_store_khr(pointer, sum, zero, Some(columns), None, []).unwrap();
    let numbers: Vec<u32> =
        (0..32).map(|pair| u32::from(half(2 * pair)) | u32::from(half(2 * pair + 1)) << 16).collect();
    let sums = run(&assembly.end(), &numbers, 64, 16, 1);
    let element = |number: usize| {
        let added = if matches!(number / 16, 0 | 2) { 1 } else { 0 };
        (200 + 2 * number + added) as f32
    };
    let expected: Vec<f32> =
        (0..64).map(|number| element(if number / 16 == 1 { number + 32 } else { number })).collect();
    assert_eq!(sums.into_iter().map(f32::from_bits).collect::<Vec<_>>(), expected);
}

#[test]
fn what_fits_no_subgroup_is_refused() {
    let gpu = Gpu::new();
    let refused = |spirv: &[u8], reason: &str| {
        let log = gpu.module(spirv).unwrap_err();
        assert!(log.contains(reason), "{log}");
    };
    refused(
        &Product { factors: Element::Double, ..SMALL }.kernel(),
        "the elements of a factor and of the product",
    );
    refused(&Product { factors: Element::Byte, ..SMALL }.kernel(), "floats and integers in one product");
    refused(&Product { rows: 1 << 20, inner: 1 << 20, ..SMALL }.kernel(), "a type");
    let (mut assembly, types) = SMALL.assembly();
    assembly.begin();
    let from = assembly.from;
    let [pointer, _, stride] = SMALL.memory(&mut assembly, 0, from, 0);
    let packed = assembly.constant(2);
    let b = &mut assembly.builder;
    b.cooperative_matrix_load_khr(types[0], None, pointer, packed, Some(stride), None, []).unwrap();
    refused(&assembly.end(), "packed matrices that are no second factor");
    for (sum, bits) in [(Element::Single, 0x80), (Element::Single, 0x100), (Element::Single, 0x40)] {
        let operands = CooperativeMatrixOperands::from_bits_retain(bits);
        refused(&Product { sum, operands, ..SMALL }.kernel(), "integers of 16 bits stand for bfloat16");
    }
    let tf32 = CooperativeMatrixOperands::from_bits_retain(0x20);
    refused(&Product { operands: tf32, ..SMALL }.kernel(), "floats of 32 bits stand for TF32");
    let unknown = Product { operands: CooperativeMatrixOperands::from_bits_retain(1 << 20), ..SMALL };
    refused(&unknown.kernel(), "operands of a cooperative matrix");
    // Rows and columns that do not fit to each other.
    let (mut assembly, types) = SMALL.assembly();
    assembly.begin();
    let undefined = types.map(|ty| assembly.builder.undef(ty, None));
    let [a, b, c, _] = undefined;
    assembly.builder.cooperative_matrix_mul_add_khr(types[3], None, b, a, c, None).unwrap();
    refused(&assembly.end(), "the rows, columns and uses of the matrices");
    for wrong in [[0, 16, 2, 3], [8, 0, 2, 3], [8, 16, 9, 3], [8, 16, 2, 1]] {
        let (mut assembly, _) = SMALL.assembly();
        let [rows, columns, usage, scope] = wrong.map(|number| assembly.constant(number));
        let f32 = assembly.f32;
        assembly.builder.type_cooperative_matrix_khr(f32, scope, rows, columns, usage);
        assembly.begin();
        refused(&assembly.end(), "cooperative matrix");
    }
}

#[test]
fn kernels_of_other_subgroups_than_the_matrices_of_a_module_are_refused() {
    let gpu = Gpu::new();
    let (mut assembly, types) = SMALL.assembly();
    assembly.begin();
    assembly.mode(ExecutionMode::SubgroupSize, &[8]);
    let undefined = types.map(|ty| assembly.builder.undef(ty, None));
    let [a, b, c, _] = undefined;
    assembly.builder.cooperative_matrix_mul_add_khr(types[3], None, a, b, c, None).unwrap();
    assembly.builder.ret().unwrap();
    assembly.builder.end_function().unwrap();
    // A second kernel that does nothing, with another size.
    let (void, global) = (assembly.void, assembly.global);
    let ty = assembly.builder.type_function(void, [global, global]);
    let b = &mut assembly.builder;
    let other = b.begin_function(void, None, FunctionControl::NONE, ty).unwrap();
    b.function_parameter(global).unwrap();
    b.function_parameter(global).unwrap();
    b.begin_block(None).unwrap();
    b.ret().unwrap();
    b.end_function().unwrap();
    b.entry_point(ExecutionModel::Kernel, other, "other", []);
    b.execution_mode(other, ExecutionMode::SubgroupSize, [32]);
    let module = gpu.module(&assembly.module()).unwrap();
    create_kernel(module, "other").unwrap();
    assert!(create_kernel(module, "k").is_err());
    assert!(gpu.last_error().contains("subgroups have several sizes"), "{}", gpu.last_error());
}
