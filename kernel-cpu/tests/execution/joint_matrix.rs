//! What SPV_INTEL_joint_matrix adds to matrices of subgroups but for products, which are in matrices.rs.

use crate::assemble::{Assembly, run};
use crate::driver::Gpu;
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{Capability, CooperativeMatrixUse, Op, Scope, StorageClass, Word};

const ROWS: u32 = 8;
const COLUMNS: u32 = 16;

/// An instruction of the extension, which is a preview: the library that modules are put together by knows another one for each.
#[derive(Clone, Copy)]
enum Preview {
    CooperativeMatrixLoadCheckedINTEL,
    CooperativeMatrixStoreCheckedINTEL,
    CooperativeMatrixConstructCheckedINTEL,
    CooperativeMatrixGetElementCoordINTEL,
    CooperativeMatrixApplyFunctionINTEL,
    CooperativeMatrixPrefetchINTEL,
}

impl Preview {
    const ALL: [Self; 6] = [
        Self::CooperativeMatrixLoadCheckedINTEL,
        Self::CooperativeMatrixStoreCheckedINTEL,
        Self::CooperativeMatrixConstructCheckedINTEL,
        Self::CooperativeMatrixGetElementCoordINTEL,
        Self::CooperativeMatrixApplyFunctionINTEL,
        Self::CooperativeMatrixPrefetchINTEL,
    ];

    fn opcode(self) -> u32 {
        match self {
            Self::CooperativeMatrixLoadCheckedINTEL => 6193,
            Self::CooperativeMatrixStoreCheckedINTEL => 6194,
            Self::CooperativeMatrixConstructCheckedINTEL => 6195,
            Self::CooperativeMatrixGetElementCoordINTEL => 6440,
            Self::CooperativeMatrixApplyFunctionINTEL => 6448,
            Self::CooperativeMatrixPrefetchINTEL => 6449,
        }
    }

    /// What stands for it until the module is made.
    fn substitute(self) -> Op {
        match self {
            Self::CooperativeMatrixLoadCheckedINTEL => Op::CooperativeMatrixLoadNV,
            Self::CooperativeMatrixStoreCheckedINTEL => Op::CooperativeMatrixStoreNV,
            Self::CooperativeMatrixConstructCheckedINTEL => Op::CooperativeMatrixReduceNV,
            Self::CooperativeMatrixGetElementCoordINTEL => Op::CooperativeMatrixLengthNV,
            Self::CooperativeMatrixApplyFunctionINTEL => Op::CooperativeMatrixPerElementOpNV,
            Self::CooperativeMatrixPrefetchINTEL => Op::CooperativeMatrixTransposeNV,
        }
    }

    /// Appends it to the block; returns its result if it has a type.
    fn append(self, assembly: &mut Assembly, ty: Option<Word>, operands: &[Operand]) -> Word {
        let result = ty.map(|_| assembly.builder.id());
        let inst = Instruction::new(self.substitute(), ty, result, operands.to_vec());
        assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
        result.unwrap_or(0)
    }
}

/// The module with the instructions that it is meant to have.
fn finished(spirv: Vec<u8>) -> Vec<u8> {
    let mut words: Vec<u32> =
        spirv.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect();
    let mut at = 5;
    while at < words.len() {
        let (count, opcode) = (words[at] >> 16, words[at] & 0xffff);
        if let Some(preview) = Preview::ALL.iter().find(|preview| preview.substitute() as u32 == opcode) {
            words[at] = count << 16 | preview.opcode();
        }
        at += count as usize;
    }
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

fn ids(words: &[Word]) -> Vec<Operand> {
    words.iter().map(|&word| Operand::IdRef(word)).collect()
}

/// A module and the type of its matrices of words, which have `ROWS` rows and `COLUMNS` columns.
fn assembly() -> (Assembly, Word) {
    let extensions =
        ["SPV_KHR_cooperative_matrix", "SPV_INTEL_joint_matrix", "SPV_INTEL_tensor_float32_conversion"];
    let mut assembly = Assembly::new(
        &[Capability::CooperativeMatrixKHR, Capability::TensorFloat32RoundingINTEL],
        &extensions,
    );
    // Those of the extension, none of which the library knows.
    for capability in [6192, 6411, 6434, 6435, 6436, 6437] {
        let inst = Instruction::new(Op::Capability, None, None, vec![Operand::LiteralBit32(capability)]);
        assembly.builder.module_mut().capabilities.push(inst);
    }
    let element = assembly.u32;
    let matrix = matrix(&mut assembly, element);
    (assembly, matrix)
}

fn matrix(assembly: &mut Assembly, element: Word) -> Word {
    let usage = CooperativeMatrixUse::MatrixBKHR as u32;
    let [scope, rows, columns, usage] =
        [Scope::Subgroup as u32, ROWS, COLUMNS, usage].map(|number| assembly.constant(number));
    assembly.builder.type_cooperative_matrix_khr(element, scope, rows, columns, usage)
}

/// Loads a matrix from a part of a larger one, in this layout, and stores it to the same place of another one.
fn copied(layout: u32, [x, y]: [i32; 2], [height, width]: [u32; 2], stride: u32) -> Vec<u8> {
    let (mut assembly, matrix) = assembly();
    let [x, y] = [x, y].map(|number| assembly.constant(number as u32));
    let [layout, height, width, stride] =
        [layout, height, width, stride].map(|number| assembly.constant(number));
    assembly.begin();
    let (from, to) = (assembly.from, assembly.to);
    // What is fetched early does not count.
    let prefetched =
        [ids(&[from, x, y, height, width]), vec![Operand::LiteralBit32(0)], ids(&[layout, stride])];
    Preview::CooperativeMatrixPrefetchINTEL.append(&mut assembly, None, &prefetched.concat());
    let loaded = ids(&[from, x, y, layout, height, width, stride]);
    let loaded = Preview::CooperativeMatrixLoadCheckedINTEL.append(&mut assembly, Some(matrix), &loaded);
    let stored = ids(&[to, x, y, loaded, layout, height, width, stride]);
    Preview::CooperativeMatrixStoreCheckedINTEL.append(&mut assembly, None, &stored);
    finished(assembly.end())
}

#[test]
fn what_is_beyond_the_bounds_is_neither_loaded_nor_stored() {
    let stride = 23;
    // A matrix of words is packed as it is by rows.
    for layout in [0, 1, 2] {
        let lines = if layout == 1 { [COLUMNS, ROWS] } else { [ROWS, COLUMNS] };
        for [x, y] in [[0, 0], [2, 5], [7, 0], [0, 13], [-3, -2], [100, 100]] {
            for [height, width] in [[16, 20], [9, 18], [1, 1], [0, 7], [3, 16]] {
                // No more memory than there is of the large matrix.
                let words = (height * stride) as usize;
                let from: Vec<u32> = (0..words.max(1) as u32).map(|number| 7000 + number).collect();
                let result =
                    run(&copied(layout, [x, y], [height, width], stride), &from, words.max(1), 16, 1);
                for (number, &word) in result.iter().enumerate() {
                    let [line, place] = [number as i32 / stride as i32, number as i32 % stride as i32];
                    let is_in = |at: i32, start: i32, count: u32, end: u32| {
                        at >= start && at < start + count as i32 && at < end as i32
                    };
                    let is_copied = is_in(line, x, lines[0], height) && is_in(place, y, lines[1], width);
                    let expected = if is_copied { from[number] } else { 0xdead };
                    assert_eq!(word, expected, "{number} of {layout} at {x}, {y} of {height} by {width}");
                }
            }
        }
    }
}

/// Stores all of a matrix by rows.
fn store(assembly: &mut Assembly, matrix: Word) {
    let (to, [rows, stride]) = (assembly.to, [0, COLUMNS].map(|number| assembly.constant(number)));
    assembly.builder.cooperative_matrix_store_khr(to, matrix, rows, Some(stride), None, []).unwrap();
}

#[test]
fn what_is_beyond_the_bounds_is_zero() {
    for [x, y] in [[0_i32, 0], [5, 3], [-4, 9]] {
        let (mut assembly, matrix) = assembly();
        let [x_id, y_id] = [x, y].map(|number| assembly.constant(number as u32));
        let [height, width, value] = [7, 15, 41].map(|number| assembly.constant(number));
        assembly.begin();
        let operands = ids(&[x_id, y_id, height, width, value]);
        let filled =
            Preview::CooperativeMatrixConstructCheckedINTEL.append(&mut assembly, Some(matrix), &operands);
        store(&mut assembly, filled);
        let result = run(&finished(assembly.end()), &[0], (ROWS * COLUMNS) as usize, 16, 1);
        for (number, &word) in result.iter().enumerate() {
            let [row, column] = [number as i32 / COLUMNS as i32, number as i32 % COLUMNS as i32];
            let is_within = (0..7).contains(&(row + x)) && (0..15).contains(&(column + y));
            assert_eq!(word, if is_within { 41 } else { 0 }, "{row}, {column} at {x}, {y}");
        }
    }
}

#[test]
fn each_lane_knows_where_its_elements_are() {
    let (mut assembly, matrix) = assembly();
    let (u32, count) = (assembly.u32, ROWS * COLUMNS / 16);
    let pair = assembly.builder.type_vector(u32, 2);
    let variable = assembly.builder.type_pointer(None, StorageClass::Function, matrix);
    let element = assembly.builder.type_pointer(None, StorageClass::Function, u32);
    let hundred = assembly.constant(100);
    let indices: Vec<Word> = (0..count).map(|index| assembly.constant(index)).collect();
    assembly.begin();
    let variable = assembly.builder.variable(variable, None, StorageClass::Function, None);
    let empty = assembly.builder.undef(matrix, None);
    for index in indices {
        let place = Preview::CooperativeMatrixGetElementCoordINTEL.append(
            &mut assembly,
            Some(pair),
            &ids(&[empty, index]),
        );
        let b = &mut assembly.builder;
        let row = b.composite_extract(u32, None, place, [0]).unwrap();
        let column = b.composite_extract(u32, None, place, [1]).unwrap();
        let row = b.i_mul(u32, None, row, hundred).unwrap();
        let number = b.i_add(u32, None, row, column).unwrap();
        let at = b.access_chain(element, None, variable, [index]).unwrap();
        b.store(at, number, None, []).unwrap();
    }
    let filled = assembly.builder.load(matrix, None, variable, None, []).unwrap();
    store(&mut assembly, filled);
    let result = run(&finished(assembly.end()), &[0], (ROWS * COLUMNS) as usize, 16, 1);
    let expected: Vec<u32> =
        (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| row * 100 + column)).collect();
    assert_eq!(result, expected);
}

#[test]
fn floats_are_rounded_to_tf32() {
    let (mut assembly, _) = assembly();
    assembly.begin();
    let (f32, u32) = (assembly.f32, assembly.u32);
    let x = assembly.value(f32, 1, 1, 0);
    let rounded = assembly.builder.round_f_to_tf32intel(f32, None, x).unwrap();
    let bits = assembly.builder.bitcast(u32, None, rounded).unwrap();
    assembly.store(1, 0, bits);
    let floats = [
        (1.0_f32.to_bits(), 1.0_f32.to_bits()),
        (0x3f80_0fff, 0x3f80_0000),
        (0x3f80_1000, 0x3f80_2000),
        (0xbf80_1fff, 0xbf80_2000),
        (0x3fff_f000, 0x4000_0000),
        (0x0000_1000, 0x0000_2000),
        (0x8000_0fff, 0x8000_0000),
        (0x7f7f_ffff, 0x7f80_0000),
        (0xff80_0000, 0xff80_0000),
    ];
    let mut from: Vec<u32> = floats.iter().map(|(x, _)| *x).collect();
    from.extend([0x7fff_ffff, 0xffff_ffff, 0x7f80_0001]);
    from.resize(16, 0);
    let result = run(&finished(assembly.end()), &from, 16, 16, 1);
    let expected: Vec<u32> = floats.iter().map(|(_, rounded)| *rounded).collect();
    assert_eq!(result[..floats.len()], expected);
    for &nan in &result[floats.len()..floats.len() + 3] {
        assert!(f32::from_bits(nan).is_nan(), "{nan:x}");
    }
}

#[test]
fn what_is_malformed_is_refused() {
    let gpu = Gpu::new();
    let refused =
        |preview: Preview, has_type: bool, operands: &dyn Fn(&mut Assembly) -> Vec<Word>, reason: &str| {
            let (mut assembly, matrix) = assembly();
            let operands = operands(&mut assembly);
            assembly.begin();
            let operands: Vec<Word> =
                operands.into_iter().map(|id| if id == 0 { assembly.from } else { id }).collect();
            preview.append(&mut assembly, has_type.then_some(matrix), &ids(&operands));
            let log = gpu.module(&finished(assembly.end())).unwrap_err();
            assert!(log.contains(reason), "{log}");
        };
    let seven = |number: u32| {
        move |assembly: &mut Assembly| {
            let number = assembly.constant(number);
            let mut operands = vec![number; 7];
            operands[0] = 0;
            operands
        }
    };
    refused(Preview::CooperativeMatrixLoadCheckedINTEL, true, &seven(9), "layout of a cooperative matrix");
    refused(
        Preview::CooperativeMatrixStoreCheckedINTEL,
        false,
        &|assembly| vec![0, assembly.constant(1)],
        "OpCooperativeMatrixStoreCheckedINTEL",
    );
    refused(
        Preview::CooperativeMatrixConstructCheckedINTEL,
        true,
        &|assembly| {
            let (one, float) = (assembly.constant(1), assembly.f32);
            vec![one, one, one, one, assembly.builder.constant_bit32(float, 0)]
        },
        "the elements of a matrix",
    );
    refused(
        Preview::CooperativeMatrixApplyFunctionINTEL,
        true,
        &|assembly| {
            let matrix = matrix_of_words(assembly);
            vec![0, assembly.builder.constant_null(matrix)]
        },
        "OpCooperativeMatrixApplyFunctionINTEL",
    );
    refused(
        Preview::CooperativeMatrixGetElementCoordINTEL,
        true,
        &|assembly| vec![assembly.constant(1), assembly.constant(1)],
        "cooperative matrix",
    );
}

fn matrix_of_words(assembly: &mut Assembly) -> Word {
    let element = assembly.u32;
    matrix(assembly, element)
}
