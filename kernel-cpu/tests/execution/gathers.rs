//! Vectors of pointers: SPV_INTEL_masked_gather_scatter.

use crate::assemble::{Assembly, run};
use crate::driver::Gpu;
use rspirv::spirv::{Capability, StorageClass, Word};

const COUNT: u64 = 4;
const ITEMS: usize = 64;

/// What a component that the mask does not have is.
const FILL: u32 = 0x5eed;

/// Has each work-item reverse its words: those whose bit of the number of the work-item is set are gathered from the end, with others in their place, and those whose
/// bit is not set are scattered.
fn reversing() -> Vec<u8> {
    let extensions = ["SPV_INTEL_masked_gather_scatter"];
    let mut assembly = Assembly::new(&[Capability::MaskedGatherScatterINTEL], &extensions);
    let (pointer, word, boolean) = (assembly.global, assembly.u32, assembly.bool);
    let count = COUNT as u32;
    let pointers = assembly.builder.type_vector(pointer, count);
    let words = assembly.builder.type_vector(word, count);
    let mask = assembly.builder.type_vector(boolean, count);
    let fill = assembly.constant(FILL);
    let fill = assembly.builder.constant_composite(words, [fill; COUNT as usize]);
    assembly.begin();
    let number = assembly.index;
    let number = assembly.builder.u_convert(word, None, number).unwrap();
    let bits: Vec<Word> = (0..COUNT as u32)
        .map(|bit| {
            let (bit, zero) = (assembly.constant(1 << bit), assembly.constant(0));
            let chosen = assembly.builder.bitwise_and(word, None, number, bit).unwrap();
            assembly.builder.i_not_equal(boolean, None, chosen, zero).unwrap()
        })
        .collect();
    let wanted = assembly.builder.composite_construct(mask, None, bits).unwrap();
    let from = addresses(&mut assembly, pointers, false);
    let gathered = assembly.builder.masked_gather_intel(words, None, from, 4, wanted, fill).unwrap();
    let unwanted = assembly.builder.logical_not(mask, None, wanted).unwrap();
    let to = addresses(&mut assembly, pointers, true);
    assembly.builder.masked_scatter_intel(gathered, to, 4, wanted).unwrap();
    let sums = assembly.builder.i_add(words, None, gathered, gathered).unwrap();
    assembly.builder.masked_scatter_intel(sums, to, 4, unwanted).unwrap();
    assembly.end()
}

/// The addresses of the words of the work-item, from the last one where they are read. Those that are not to be accessed lead to nothing.
fn addresses(assembly: &mut Assembly, pointers: Word, are_written: bool) -> Word {
    let (base, long) = (if are_written { assembly.to } else { assembly.from }, assembly.u64);
    let (count, index) = (assembly.constant64(COUNT), assembly.index);
    let first = assembly.builder.i_mul(long, None, index, count).unwrap();
    let components: Vec<Word> = (0..COUNT)
        .map(|place| {
            let place = assembly.constant64(if are_written { place } else { COUNT - 1 - place });
            let at = assembly.builder.i_add(long, None, first, place).unwrap();
            let pointer = assembly.global;
            assembly.builder.in_bounds_ptr_access_chain(pointer, None, base, at, []).unwrap()
        })
        .collect();
    assembly.builder.composite_construct(pointers, None, components).unwrap()
}

#[test]
fn numbers_are_gathered_and_scattered_where_a_mask_says_so() {
    let from: Vec<u32> = (0..(ITEMS * COUNT as usize) as u32).map(|number| 1000 + number).collect();
    let result = run(&reversing(), &from, from.len(), 32, 2);
    for (item, (own, result)) in from.chunks(COUNT as usize).zip(result.chunks(COUNT as usize)).enumerate() {
        for (place, &word) in result.iter().enumerate() {
            let is_wanted = item >> place & 1 == 1;
            let expected = if is_wanted { own[COUNT as usize - 1 - place] } else { 2 * FILL };
            assert_eq!(word, expected, "component {place} of work-item {item}");
        }
    }
}

#[test]
fn what_the_mask_does_not_have_is_not_accessed() {
    let extensions = ["SPV_INTEL_masked_gather_scatter"];
    let mut assembly = Assembly::new(&[Capability::MaskedGatherScatterINTEL], &extensions);
    let (pointer, word, boolean) = (assembly.global, assembly.u32, assembly.bool);
    let [pointers, words, mask] = [pointer, word, boolean].map(|ty| assembly.builder.type_vector(ty, 2));
    let (null, fill) = (assembly.builder.constant_null(pointer), assembly.constant(FILL));
    let fill = assembly.builder.constant_composite(words, [fill; 2]);
    let (is, is_not) = (assembly.builder.constant_true(boolean), assembly.builder.constant_false(boolean));
    let wanted = assembly.builder.constant_composite(mask, [is, is_not]);
    assembly.begin();
    let (from, to) = (assembly.from, assembly.to);
    let from = assembly.builder.composite_construct(pointers, None, [from, null]).unwrap();
    let to = assembly.builder.composite_construct(pointers, None, [to, null]).unwrap();
    let gathered = assembly.builder.masked_gather_intel(words, None, from, 4, wanted, fill).unwrap();
    assembly.builder.masked_scatter_intel(gathered, to, 4, wanted).unwrap();
    let other = assembly.builder.composite_extract(word, None, gathered, [1]).unwrap();
    assembly.store(0, 1, other);
    assert_eq!(run(&assembly.end(), &[7], 2, 1, 1), [7, FILL]);
}

#[test]
fn vectors_that_do_not_fit_are_refused() {
    let extensions = ["SPV_INTEL_masked_gather_scatter"];
    let mut assembly = Assembly::new(&[Capability::MaskedGatherScatterINTEL], &extensions);
    let long = assembly.u64;
    let other = assembly.builder.type_pointer(None, StorageClass::CrossWorkgroup, long);
    let (word, boolean) = (assembly.u32, assembly.bool);
    let [pointers, words, mask] = [other, word, boolean].map(|ty| assembly.builder.type_vector(ty, 2));
    let (null, fill) = (assembly.builder.constant_null(pointers), assembly.builder.constant_null(words));
    let wanted = assembly.builder.constant_null(mask);
    assembly.begin();
    assembly.builder.masked_gather_intel(words, None, null, 8, wanted, fill).unwrap();
    let error = Gpu::new().module(&assembly.end()).unwrap_err();
    assert!(error.contains("there is a number for each address (OpMaskedGatherINTEL"), "{error}");
}
