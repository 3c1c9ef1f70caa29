//! Image instructions by native code, against the interpreter.

use crate::exec::differential::{Builder, GROUP, Last, Random, program};
use crate::exec::executor::Executor;
use crate::exec::group::Worker;
use crate::exec::launch::{Arguments, Geometry, Kernel, Launch};
use crate::image::{Image, Object, number_of_argument, number_of_sampler};
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target};
use crate::program::{
    BuiltIn, ConvertOp, ImageAction, ImageOp, Inst, IntOp, Kind, Preset, Program, Site, TEXEL, TexelKind,
    Value,
};
use kernel_core::ImageShape;
use kernel_core::image::{ChannelOrder, ChannelType, Extent, ImageFormat};
use std::sync::Arc;

/// The position of the image among the arguments, behind those that are buffers.
const IMAGE: u32 = 12;
const GROUPS: u32 = 2;
const ITEMS: usize = (GROUPS * GROUP) as usize;

/// Where coordinates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// From memory, for each work-item its own.
    Memory,
    /// The first one is the id of the work-item less a number, and the others are the same for all.
    Row(u64),
}

#[derive(Clone, Copy, Debug)]
struct Access {
    op: ImageOp,
    /// What the sampler does, by the numbers of SPIR-V.
    sampler: [u32; 3],
    from: From,
}

/// A kernel that accesses an image once, and makes a number of the texel that it gets.
fn kernel(access: Access) -> Arc<Kernel> {
    let is_float = access.op.action == ImageAction::Sample { integer: false };
    let kind = if is_float { Kind::F32 } else { Kind::I32 };
    let axes = access.op.shape.coordinates();
    let operands = [vec![kind; axes], vec![Kind::I32; 4]].concat();
    let made = program(&operands, Kind::I32, Last::Own, &|builder, result, x| {
        let mut insts = Vec::new();
        for (axis, &own) in x.iter().enumerate().take(axes) {
            let value = match access.from {
                From::Row(start) if !is_float => in_row(builder, axis, start, &mut insts),
                _ => own,
            };
            insts.push(Inst::ImageOperand { kind, part: axis as u8, value });
        }
        if access.op.action == ImageAction::Write {
            for channel in 0..4 {
                let part = TEXEL + channel as u8;
                insts.push(Inst::ImageOperand { kind: Kind::I32, part, value: x[axes + channel] });
            }
        }
        let [address, normalized, filter] = access.sampler;
        let sampler = number_of_sampler(address, normalized, filter).unwrap();
        let image = builder.preset(Kind::I64, Preset::Constant(number_of_argument(IMAGE)));
        let sampler = builder.preset(Kind::I64, Preset::Constant(sampler));
        insts.push(Inst::Image { op: access.op, image, sampler, site: Site(7) });
        mixed(builder, access.op, result, &mut insts);
        insts
    });
    Arc::new(Kernel::new(made, None).unwrap())
}

fn in_row(builder: &mut Builder, axis: usize, start: u64, insts: &mut Vec<Inst>) -> Value {
    let less = builder.preset(Kind::I32, Preset::Constant(start));
    if axis > 0 {
        return less;
    }
    let id = builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalId(0)));
    let [low, at] = [(); 2].map(|()| builder.value(Kind::I32));
    insts.push(Inst::Convert(ConvertOp::Zext, Kind::I64, Kind::I32, low, id));
    insts.push(Inst::Int(IntOp::Sub, Kind::I32, at, [low, less]));
    at
}

/// One number of those that an operation leaves.
fn mixed(builder: &mut Builder, op: ImageOp, result: Value, insts: &mut Vec<Inst>) {
    let count = match op.action {
        ImageAction::Write => 0,
        ImageAction::Size => 3,
        ImageAction::Channels => 2,
        _ => 4,
    };
    let mut all = builder.preset(Kind::I32, Preset::Constant(0));
    let seven = builder.preset(Kind::I32, Preset::Constant(7));
    for channel in 0..count {
        let [own, turned, sum] = [(); 3].map(|()| builder.value(Kind::I32));
        insts.push(Inst::ImageResult { kind: Kind::I32, part: TEXEL + channel, result: own });
        insts.push(Inst::Int(IntOp::Rotate, Kind::I32, turned, [all, seven]));
        insts.push(Inst::Int(IntOp::Xor, Kind::I32, sum, [turned, own]));
        all = sum;
    }
    let zero = builder.preset(Kind::I32, Preset::Constant(0));
    insts.push(Inst::Int(IntOp::Xor, Kind::I32, result, [all, zero]));
}

/// What a kernel leaves: its results and the image, or the fault.
type Left = Result<(Vec<u8>, Vec<u8>), String>;

fn run(
    kernel: &Arc<Kernel>,
    executor: &Executor,
    inputs: &[Vec<u8>],
    extent: Extent,
    format: ImageFormat,
) -> Left {
    let image = Arc::new(Image::new(extent, format).unwrap());
    let mut random = Random(3);
    let bytes = extent.texels() as usize * format.texel_size();
    // SAFETY: the allocation has so many bytes.
    let texels = unsafe { std::slice::from_raw_parts_mut(image.texels().start(), bytes) };
    texels.iter_mut().for_each(|byte| *byte = random.next() as u8);
    let table = Table::default();
    let mut arguments = Arguments::default();
    let results = vec![0xa5; 4 * ITEMS];
    let mut last = None;
    for bytes in inputs.iter().chain([&results]) {
        let buffer = Arc::new(Allocation::new(bytes.len(), 64, Usage::Shared).unwrap());
        // SAFETY: the allocation is as large as what is copied.
        unsafe { buffer.start().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        arguments.bytes.extend((buffer.start() as u64).to_le_bytes());
        arguments.local_sizes.push(0);
        table.insert(Arc::clone(&buffer));
        last = Some(buffer);
    }
    arguments.objects = vec![Object::None; IMAGE as usize];
    arguments.objects.push(Object::Image(Arc::clone(&image)));
    let geometry = Geometry { groups: [GROUPS, 1, 1], group_size: [GROUP, 1, 1], ..Geometry::default() };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    executor
        .run(&mut worker, kernel, &launch.work, 0..GROUPS.into())
        .map_err(|failure| format!("{failure:?}"))?;
    let last = last.unwrap();
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    let left = unsafe { std::slice::from_raw_parts(last.start(), results.len()) };
    Ok((left.to_vec(), texels.to_vec()))
}

/// Coordinates and channels for all work-items, behind flags that say which of them access the image.
fn inputs(access: Access, extent: Extent, is_inside: bool, is_partial: bool) -> Vec<Vec<u8>> {
    let mut random = Random(77);
    let axes = access.op.shape.coordinates();
    let mut flags: Vec<u8> =
        (0..ITEMS).map(|_| (!is_partial || random.next().is_multiple_of(3)).into()).collect();
    if let (From::Row(start), true) = (access.from, is_inside) {
        let ends = start as usize..start as usize + extent.size[0] as usize;
        flags.iter_mut().enumerate().for_each(|(item, flag)| *flag &= u8::from(ends.contains(&item)));
    }
    let mut columns = vec![flags];
    for axis in 0..axes {
        let size = f64::from(extent.size[axis]);
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 3e9, -3e9, 1e30, 0.499_999_97];
        let column = (0..ITEMS).flat_map(|item| {
            let part = random.next() as f64 / u64::MAX as f64;
            let at = if is_inside { part * (size - 1e-6) } else { (part * 1.5 - 0.25) * size };
            let bits = match access.op.action {
                ImageAction::Sample { integer: false } => {
                    let at = if access.sampler[1] == 1 { at / size } else { at };
                    let at = if item % 3 == 0 { (2.0 * at).round() / 2.0 } else { at };
                    if item % 17 == 5 { odd[item / 17 % odd.len()] } else { at as f32 }.to_bits()
                }
                _ if item % 23 == 3 && !is_inside => [0x7fff_ffff, 0x8000_0000, u32::MAX][item % 3],
                _ => at.floor() as i32 as u32,
            };
            bits.to_le_bytes()
        });
        columns.push(column.collect());
    }
    for _ in 0..4 {
        let column = (0..ITEMS).flat_map(|item| {
            let float = (random.next() as f32 / u64::MAX as f32) * 1.5 - 0.25;
            let odd = [f32::NAN.to_bits(), f32::INFINITY.to_bits(), (-0.0_f32).to_bits(), 300, u32::MAX];
            if item % 7 == 1 { odd[item / 7 % odd.len()] } else { float.to_bits() }.to_le_bytes()
        });
        columns.push(column.collect());
    }
    columns
}

/// Compares what native code and the interpreter leave.
fn compare(access: Access, extent: Extent, format: ImageFormat, is_inside: bool) {
    let kernel = kernel(access);
    let available = [(Target::Avx512, ""), (Target::Avx2, ""), (Target::Avx512, "images")];
    let natives: Vec<_> = available
        .into_iter()
        .filter(|(target, _)| target.is_available())
        .map(|(target, off)| {
            let switches = Switches::without(off).unwrap();
            let native = Native::new(&kernel.program, [GROUP, 1, 1], target, switches).unwrap();
            assert_eq!(native.interpreted().is_empty(), off.is_empty());
            ((target, off), Executor::Native(Arc::new(native)))
        })
        .collect();
    for is_partial in [false, true] {
        let inputs = inputs(access, extent, is_inside, is_partial);
        let expected = run(&kernel, &Executor::Interpreter, &inputs, extent, format);
        assert!(expected.is_ok() || !is_inside, "{access:?}: {expected:?}");
        for (how, native) in &natives {
            let own = run(&kernel, native, &inputs, extent, format);
            assert!(
                own == expected,
                "{access:?} of {extent:?}, {format} by {how:?}: {own:?}, not {expected:?}"
            );
        }
    }
}

const FLAT: Extent = Extent { shape: ImageShape::D2, size: [43, 9, 1] };
const EDGE: [u32; 3] = [1, 0, 0];
const RGBA: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);

fn op(action: ImageAction, shape: ImageShape, format: ImageFormat) -> ImageOp {
    let texel = if format.class().is_float() { TexelKind::Float } else { TexelKind::Integer };
    ImageOp { action, shape, texel }
}

#[test]
fn texels_of_all_formats() {
    for order in ChannelOrder::ALL {
        for format in ChannelType::ALL.map(|channel| ImageFormat::new(order, channel)) {
            let op = |action| op(action, ImageShape::D2, format);
            for from in [From::Memory, From::Row(3)] {
                for action in [ImageAction::Read, ImageAction::Write] {
                    compare(Access { op: op(action), sampler: EDGE, from }, FLAT, format, true);
                }
            }
            let sample = op(ImageAction::Sample { integer: false });
            compare(Access { op: sample, sampler: EDGE, from: From::Memory }, FLAT, format, false);
        }
    }
}

#[test]
fn samples_of_all_samplers() {
    for (address, normalized, filter) in
        (0..5).flat_map(|address| [(address, address % 2, 0), (address, 1 - address % 2, 1), (address, 1, 0)])
    {
        for shape in ImageShape::ALL.into_iter().filter(|shape| shape.is_sampled()) {
            let size = [[43, 1, 1], [43, 9, 1], [43, 9, 3]][shape.coordinates() - 1];
            let extent = Extent { shape: crate::image::in_memory(shape), size };
            let sampler = [address, normalized, filter];
            let actions = [true, false].map(|integer| ImageAction::Sample { integer });
            for action in actions {
                let op = op(action, shape, RGBA);
                compare(Access { op, sampler, from: From::Memory }, extent, RGBA, false);
            }
            let op = op(ImageAction::Sample { integer: true }, shape, RGBA);
            compare(Access { op, sampler, from: From::Row(2) }, extent, RGBA, false);
        }
    }
}

#[test]
fn what_is_outside_faults_alike() {
    for action in [ImageAction::Read, ImageAction::Write] {
        for from in [From::Memory, From::Row(0), From::Row(9), From::Row(u64::from(u32::MAX))] {
            compare(Access { op: op(action, FLAT.shape, RGBA), sampler: EDGE, from }, FLAT, RGBA, false);
        }
    }
}

#[test]
fn what_an_image_is_is_told() {
    for shape in ImageShape::ALL {
        let size = [[43, 1, 1], [43, 9, 1], [43, 9, 3]][shape.coordinates() - 1];
        let extent = Extent { shape: crate::image::in_memory(shape), size };
        for action in [ImageAction::Size, ImageAction::Channels] {
            let op = op(action, shape, RGBA);
            compare(Access { op, sampler: EDGE, from: From::Memory }, extent, RGBA, true);
        }
    }
}

/// A kernel of another texel, of other dimensions, and of no image.
#[test]
fn what_does_not_fit_faults_alike() {
    let small = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
    let solid = Extent { shape: ImageShape::D3, size: [4, 4, 4] };
    for (extent, format) in [(FLAT, small), (solid, RGBA)] {
        for action in
            [ImageAction::Read, ImageAction::Write, ImageAction::Sample { integer: true }, ImageAction::Size]
        {
            let op = ImageOp { action, shape: ImageShape::D2, texel: TexelKind::Float };
            compare(Access { op, sampler: EDGE, from: From::Row(0) }, extent, format, false);
        }
    }
}

#[test]
fn subgroups_of_several_strips_are_interpreted() {
    let access =
        Access { op: op(ImageAction::Read, ImageShape::D2, RGBA), sampler: EDGE, from: From::Memory };
    let kernel = kernel(access);
    for target in [Target::Avx512, Target::Avx2] {
        let native = |subgroup_size: u32| {
            let wide = Program { subgroup_size, ..kernel.program.clone() };
            Native::new(&wide, [GROUP, 1, 1], target, Switches::default())
        };
        assert!(native(16).is_ok() && native(32).is_err(), "{target:?}");
    }
}
