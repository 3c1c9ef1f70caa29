//! What the work-items of a group do together.

/// Who does something together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The work-items of a work-group.
    WorkGroup,
    /// The work-items of a subgroup.
    Subgroup,
}

/// Of whom something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Among {
    /// Of the work-items of the launch.
    Launch,
    /// Of the work-items of each work-group.
    WorkGroup,
}

/// What a group does together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Whether a `bool` is true for all.
    All,
    /// Whether a `bool` is true for any.
    Any,
    /// The first operand of the work-item with the number that the second one is, a `usize` that is the same for all and less than the
    /// size of the group.
    Broadcast,
    /// The first operand of the work-item of the subgroup with the number that the second one is, a `usize` less than the size of the
    /// subgroup. It may be a vector of 2, 4, 8 or 16 numbers of 32 bits too.
    Shuffle,
    /// The operand of several work-items, combined.
    Fold(Combine, Extent),
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Their sum.
    Add,
    /// Their product.
    Mul,
    /// The less.
    Min,
    /// The greater.
    Max,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
}

impl Combine {
    /// Returns whether SPIR-V has it for groups; what it has not, lowering makes of others.
    #[must_use]
    pub const fn is_instruction(self) -> bool {
        matches!(self, Self::Add | Self::Min | Self::Max)
    }
}

/// Whose values are combined for a work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Those of the whole group.
    All,
    /// Those of the work-items up to this one.
    Inclusive,
    /// Those of the work-items before this one.
    Exclusive,
}
