//! Which values are the same in all lanes.

use super::{Block, Preset, Value};

/// Marks the values that depend on nothing but constants, arguments and group-wide ids, through pure
/// instructions.
///
/// Such a value is the same in every lane at any time, whatever the masks were, so an executor may keep and
/// compute it once for a subgroup. Phis and loads count as varying: what they hold depends on when a lane
/// passed.
pub(crate) fn uniform_values(blocks: &mut [Block], presets: &[(Value, Preset)], values: usize) -> Vec<bool> {
    let mut uniform = vec![false; values];
    for &(value, preset) in presets {
        uniform[value.0 as usize] = match preset {
            Preset::BuiltIn(built_in) => built_in.is_group_uniform(),
            Preset::Private { .. } => false,
            Preset::Constant(_)
            | Preset::Argument(_)
            | Preset::Local(_)
            | Preset::LocalArgument(_)
            | Preset::ModuleData(_) => true,
        };
    }
    // Definitions come before uses in reverse post-order, so one pass finds them all.
    for inst in blocks.iter_mut().flat_map(|block| &mut block.insts) {
        if !inst.is_pure() {
            continue;
        }
        let mut all = true;
        inst.visit_operands(&mut |operand| all &= uniform[operand.0 as usize]);
        if let Some(result) = inst.result() {
            uniform[result.0 as usize] = all;
        }
    }
    uniform
}
