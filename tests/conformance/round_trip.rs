//! What is embedded is read back as what was written. `cargo xtask conformance` does the same by way of text.

use crate::cases;
use rspirv::binary::Assemble;
use rspirv::dr::load_words;
use rspirv::spirv::Op;
use std::collections::BTreeMap;

/// The word of a module that says who has made it, and what rspirv says.
const GENERATOR: usize = 2;
const RSPIRV: u32 = 15 << 16;

#[test]
fn every_module_is_read_back_as_it_was_written() {
    let kernels: BTreeMap<_, _> =
        cases().into_iter().map(|case| (case.kernel.spirv.bytes().as_ptr(), case.kernel)).collect();
    assert!(kernels.len() > 150, "all kernels have cases");
    for kernel in kernels.into_values() {
        let (name, words) = (kernel.name, kernel.spirv.words());
        // Some cases are of kernels that another compiler has made, which says so there.
        if words[GENERATOR] != RSPIRV {
            continue;
        }
        let module = load_words(words).unwrap_or_else(|state| panic!("{name}: {state:?}"));
        assert_eq!(module.assemble(), words, "{name}");
        // Nothing is between the parts that the parser knows.
        let lengths = module.all_inst_iter().map(|instruction| instruction.assemble().len());
        assert_eq!(5 + lengths.sum::<usize>(), words.len(), "{name}");
        let ends = module.all_inst_iter().filter(|instruction| instruction.class.opcode == Op::FunctionEnd);
        assert_eq!(ends.count(), module.functions.len(), "{name}");
    }
}
