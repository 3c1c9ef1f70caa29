//! What makes native code faster, to be left out in tests: the environment variable `KERNEL_CPU_NATIVE_OFF` names some, with commas between them.
//!
//! To add one, add its row below, and ask [`Switches::has`] where it is decided whether to do it.

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        /// Something that code is as right without.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::native) enum Switch {
            $($(#[$doc])* $name,)*
        }

        impl Switch {
            const ALL: &[(Self, &str)] = &[$((Self::$name, $text),)*];
        }
    };
}

switches! {
    /// Local ids of first lanes that are the same for all subgroups are constants.
    FirstLanes "first-lanes"
    /// Local memory that subgroups only read until they stop is loaded once for all of them.
    Steady "steady"
    /// Values that differ by the same from lane to lane are scalars, and memory at such addresses is accessed as a whole.
    Strides "strides"
    /// Values that are the same in all lanes are scalars, and branches on them take all lanes along.
    Uniform "uniform"
    /// Phis keep the lanes that do not come only where others may wait.
    Overwrite "overwrite"
    /// Where no lanes wait for a block, what its phis were is forgotten.
    Forget "forget"
    /// A block to which all lanes of another come has its mask.
    SameMask "same-mask"
    /// A branch compares for itself.
    Fuse "fuse"
    /// Local memory at places that are known to be within it needs no check.
    Ranges "ranges"
    /// Memory of the work-item at known places needs no check.
    Private "private"
    /// Copies of arrays element by element become loops in large programs.
    Roll "roll"
    /// Blocks that only follow each other become one.
    Straighten "straighten"
    /// Branches around a little arithmetic become choices.
    Flatten "flatten"
    /// What is constant or computed twice is replaced.
    Fold "fold"
    /// Memory of the work-item at known places is kept in registers.
    Promote "promote"
    /// Short loops are unrolled.
    Unroll "unroll"
    /// Lanes take turns in loops in which each would gather memory of its own.
    Serial "serial"
    /// They do only where it is likely to be faster, rather than wherever they can.
    SerialCost "serial-cost"
    /// What is the same in each pass of a loop is computed before it, and what is computed twice once.
    Hoist "hoist"
    /// What one way of a branch needs is computed there.
    Sink "sink"
    /// Sums that are addresses are added up by the instructions that access memory there.
    Sums "sums"
    /// What is in memory of the stack already is not written there again.
    Slots "slots"
    /// What loops are left for stands behind them, and who goes round one asks at its end whether to.
    Layout "layout"
    /// Code is made twice where lanes may have parted: for all lanes, and for some.
    Wholes "wholes"
    /// What several blocks need is in registers from block to block, unless there is too much of it.
    Registers "registers"
    /// Accesses at fixed distances from each other are checked together.
    Together "together"
    /// So are those whose indices of 32 bits are the same sum but for a number.
    Neighbours "neighbours"
    /// Accesses to neighbouring numbers of each lane are to whole vectors, which are shuffled.
    Bundles "bundles"
    /// Loads are of all lanes, whoever is here, where all of them may be read.
    LoadAll "load-all"
    /// Where loops go through memory in steps that are not known, the lines for the next subgroup are fetched meanwhile.
    Prefetch "prefetch"
    /// What all lanes may read at known distances is loaded number by number rather than gathered.
    Apart "apart"
    /// Where a check of all lanes fails, the first and the last lane that are here are looked at.
    Ends "ends"
    /// Where the first and the last lane show where all lanes go, no others are looked at.
    BothEnds "both-ends"
    /// Of conditions that are all to hold, or one of them, those that are the same for all lanes are asked first.
    Parts "parts"
    /// Where an address of 32 bits wraps between lanes, those that are here are asked for theirs.
    Wraps "wraps"
    /// Where addresses are a base and indices of 32 bits, the indices are compared, and memory is gathered by them.
    Indices "indices"
    /// Numbers of 8 and 16 bits are accessed lane by lane where they are apart.
    Small "small"
    /// Memory of the work-item at places that are not known is checked and accessed without the interpreter.
    PrivateIndices "private-indices"
    /// Memory of the work-item that only loads and stores access has what lanes have at one place side by side.
    Lines "lines"
    /// Of numbers of 8 and 16 bits too, as numbers of 32.
    SmallLines "small-lines"
    /// What a few steps make of what the group starts with is made again after a barrier.
    Remake "remake"
    /// What subgroups execute between barriers has code for each barrier, in which they follow each other.
    Regions "regions"
    /// Loops that go over barriers ask there whether the launch has to stop, once for the group.
    Polls "polls"
    /// Subgroups that cannot stop at different places are not asked where they did.
    Alike "alike"
    /// Work-groups follow each other in the code.
    Groups "groups"
    /// What the subgroups of a group agree on is kept for all of them, rather than for each.
    Agreed "agreed"
    /// What the subgroups of a group have handed over is combined once for all of them.
    Ahead "ahead"
    /// The limits of what arguments point to are known from the start.
    Arguments "arguments"
    /// Indices from where arguments point are compared, rather than addresses.
    Counts "counts"
    /// What all lanes do to one place atomically, for no results, is done at once.
    Combine "combine"
    /// What all lanes do to local memory atomically has an instruction for each of them.
    EachLane "each-lane"
    /// Texels of common formats are accessed without the interpreter.
    Images "images"
    /// Memory is accessed without the interpreter.
    Memory "memory"
    /// Everything but memory and control flow is done without the interpreter.
    Arithmetic "arithmetic"
}

/// What is switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Switches(u64);

impl Switches {
    /// Those that are on unless they are named, with commas between them; or the first name that is none.
    pub(crate) fn without(names: &str) -> Result<Self, &str> {
        let mut off = 0;
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let (switch, _) = Switch::ALL.iter().find(|(_, text)| *text == name).ok_or(name)?;
            off |= 1 << *switch as u32;
        }
        Ok(Self(off))
    }

    /// The names that there are.
    pub(crate) fn names() -> Vec<&'static str> {
        Switch::ALL.iter().map(|(_, text)| *text).collect()
    }

    pub(in crate::native) fn has(self, switch: Switch) -> bool {
        self.0 >> switch as u32 & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_on_unless_they_are_named() {
        let off = |names| {
            Switches::without(names)
                .map(|switches| Switch::ALL.iter().filter(|(switch, _)| !switches.has(*switch)).count())
        };
        assert_eq!(off(""), Ok(0));
        assert_eq!(off("fuse, memory"), Ok(2));
        assert_eq!(off("fuse,fuse"), Ok(1));
        assert_eq!(off("fuse,none"), Err("none"));
        let all: Vec<&str> = Switch::ALL.iter().map(|(_, text)| *text).collect();
        assert_eq!(off(&all.join(",")), Ok(all.len()));
    }
}
