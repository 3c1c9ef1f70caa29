//! Computes what is the same only once in a block.

use super::ssa::Form;
use super::{Anchor, Class, Code, How, Inst, MAX_OPERANDS, Var};
use crate::native::hashing::Map;

/// What an instruction computes: the number of its row, its own number, what it reads, and the constant that it reads.
type Key = (u16, i32, [(u32, u8); MAX_OPERANDS], Option<(u32, bool)>);

/// Drops each instruction on vectors or masks that computes what another one before it in the block has.
pub(super) fn share(form: &mut Form) {
    let mut stands_for: Vec<Var> = (0..form.classes.len() as u32).map(Var).collect();
    for block in &mut form.blocks {
        let mut known: Map<Key, Var> = Map::default();
        block.insts.retain_mut(|inst| {
            for op in inst.operands_mut().iter_mut().filter(|op| op.how.is_use()) {
                op.var = stands_for[op.var.0 as usize];
            }
            let Some((key, result)) = computed(inst, &form.classes) else { return true };
            match known.get(&key) {
                Some(&same) => stands_for[result.0 as usize] = same,
                None => drop(known.insert(key, result)),
            }
            stands_for[result.0 as usize] == result
        });
    }
    for block in &mut form.blocks {
        let test = if let super::End::Branch { test, .. } = &mut block.end { Some(test) } else { None };
        for op in block.insts.iter_mut().chain(test).flat_map(Inst::operands_mut) {
            op.var = stands_for[op.var.0 as usize];
        }
        for arg in block.args.iter_mut().flatten() {
            *arg = stands_for[arg.0 as usize];
        }
    }
}

/// What an instruction computes, and its result; none if it does more, or less, or is cheap to do again.
fn computed(inst: &Inst, classes: &[Class]) -> Option<(Key, Var)> {
    let Code::Row(row) = inst.code else { return None };
    let constant = match inst.place {
        None => None,
        Some(place) => match place.anchor {
            Anchor::Constant(start) => Some((start, place.broadcast)),
            _ => return None,
        },
    };
    let mut results = inst.operands().iter().filter(|op| !op.how.is_use());
    let result = results.next()?;
    let only = results.next().is_none() && !inst.effect && classes[result.var.0 as usize] != Class::General;
    let fixed = inst.operands().iter().any(|op| matches!(op.how, How::UseFixed(_) | How::DefFixed(_)));
    if !only || fixed {
        return None;
    }
    let mut reads = [(u32::MAX, 0); MAX_OPERANDS];
    for (read, op) in reads.iter_mut().zip(inst.operands().iter().filter(|op| op.how.is_use())) {
        *read = (op.var.0, op.role as u8);
    }
    Some(((row.number, inst.immediate, reads, constant), result.var))
}

#[cfg(test)]
mod tests {
    use super::super::{Constants, End, Function, Place};
    use super::*;
    use crate::native::encode as rows;
    use crate::native::target::Target;
    use iced_x86::{Decoder, DecoderOptions, Mnemonic};

    #[test]
    fn a_sum_is_computed_once_and_others_on_their_own() {
        let mut function = Function::default();
        let start = function.block(false);
        function.stand(start);
        function.end(start, End::Return);
        let [x, y, first, second, other, product, all] = std::array::from_fn(|_| function.var(Class::Vector));
        let context = |at| Place::at(Anchor::Context, at);
        for inst in [
            Inst::row(rows::MOVDQU32).def(x).at(context(64)),
            Inst::row(rows::MOVDQU32).def(y).at(context(64)),
            Inst::row(rows::PADDD).def(first).second(x).last(y),
            Inst::row(rows::PADDD).def(second).second(x).last(y),
            Inst::row(rows::PADDD).def(other).second(y).last(y),
            Inst::row(rows::PMULLD).def(product).second(first).last(second),
            Inst::row(rows::PMULLD).def(all).second(product).last(other),
            Inst::row(rows::MOVDQU32_STORE).register(all).at(context(128)).effect(),
        ] {
            function.push(start, inst);
        }
        let code = function
            .finish(Target::Avx512, &mut Constants::default(), 0, 0, &[super::super::Effort::FAST])
            .unwrap();
        let instructions = Decoder::with_ip(64, &code.bytes, 0, DecoderOptions::NONE);
        let names: Vec<Mnemonic> = instructions.into_iter().map(|inst| inst.mnemonic()).collect();
        let count = |wanted| names.iter().filter(|&&name| name == wanted).count();
        // What is loaded twice may differ.
        assert_eq!((count(Mnemonic::Vpaddd), count(Mnemonic::Vpmulld)), (2, 2));
        assert_eq!(count(Mnemonic::Vmovdqu32), 3);
    }
}
