//! What caches are told: the translator must read it into LLVM IR and write the same again.

use super::tools::Tools;
use super::{Module, validate};
use crate::workspace;
use rspirv::binary::Assemble;
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::Decoration;
use std::fs;
use std::path::PathBuf;

/// Checks that what each pointer is decorated with comes back from LLVM IR as it was.
pub(super) fn check(module: &Module, written: &dr::Module, tools: &Tools) -> Result<(), String> {
    let [bitcode, back] = ["caches.bc", "caches.spv"].map(|name| module.file.with_extension(name));
    let mut read = tools.translator();
    // Only in this form of LLVM IR are decorations kept.
    read.args(["-r", "--spirv-target-env=SPV-IR"]).arg(&module.file).arg("-o").arg(&bitcode);
    workspace::capture(&mut read)?;
    workspace::capture(tools.translator().arg(&bitcode).arg("-o").arg(&back))?;
    let words = validate::words_of(&back)?;
    let again = dr::load_words(words).map_err(|state| format!("{state:?}"))?;
    let [written, again] = [written, &again].map(told);
    if written == again { Ok(()) } else { Err(format!("{written:?} became {again:?}")) }
}

/// What caches are told of each pointer, in order, whichever ids the pointers have.
fn told(module: &dr::Module) -> Vec<Vec<String>> {
    let mut pointers: Vec<(&Operand, Vec<String>)> = Vec::new();
    for decoration in module.annotations.iter().filter(|one| level(one).is_some()) {
        let pointer = &decoration.operands[0];
        let details = decoration.operands[1..].iter().map(ToString::to_string);
        let details = details.collect::<Vec<_>>().join(" ");
        match pointers.iter_mut().find(|(known, _)| *known == pointer) {
            Some((_, told)) => told.push(details),
            None => pointers.push((pointer, vec![details])),
        }
    }
    let mut told: Vec<_> = pointers.into_iter().map(|(_, told)| told).collect();
    told.iter_mut().for_each(|told| told.sort());
    told.sort();
    told
}

/// The level of cache that a decoration is about.
fn level(decoration: &Instruction) -> Option<u32> {
    match decoration.operands[..] {
        [
            _,
            Operand::Decoration(Decoration::CacheControlLoadINTEL | Decoration::CacheControlStoreINTEL),
            Operand::LiteralBit32(level),
            _,
        ] => Some(level),
        _ => None,
    }
}

/// Copies of a module for the validator, each with what one level of cache is told: it takes a second such decoration of a pointer for an
/// error, which the extension allows ("Validation Rules").
pub(super) fn by_level(module: &Module, written: &dr::Module) -> Result<Vec<PathBuf>, String> {
    let levels = written.annotations.iter().filter_map(level).max().unwrap_or_default();
    let copy = |kept: u32| {
        let mut copy = written.clone();
        copy.annotations.retain(|decoration| level(decoration).is_none_or(|level| level == kept));
        let file = module.file.with_extension(format!("level{kept}.spv"));
        let bytes: Vec<u8> = copy.assemble().into_iter().flat_map(u32::to_ne_bytes).collect();
        fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    };
    (0..=levels).map(copy).collect()
}
