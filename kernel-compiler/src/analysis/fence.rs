//! Which barriers have to order accesses to global memory.
//!
//! A barrier orders what work-items of a group did to memory before it and do after it. That matters where one of them may see what another
//! one did: where an element of a slice in global memory that can be written to is loaded anywhere in the kernel, or where such elements
//! are stored to both before and after the barrier, in the order of the text or in another pass of a loop around both. An atomic access is
//! a store, and a load too if anybody looks at what was there.

use crate::ir::{
    Atomic, AtomicAccess, Base, Block, BlockAccess, Fence, Handle, Module, Op, Place, Space, Statement, Type,
    Value,
};

/// Relieves the barriers of ordering accesses to global memory where nothing can be seen of that.
pub fn relax_barriers(module: &mut Module) {
    let mut order = Order { uses: module.count_uses(), ..Order::default() };
    order.block(module, &module.body);
    let mut position = 0;
    order.relax(&mut module.body, &mut position);
}

/// Statements in the order of the text, by their positions.
#[derive(Default)]
struct Order {
    position: usize,
    /// Whether anything is loaded from global memory that can be written to.
    loads: bool,
    /// How often each value is read, by its position.
    uses: Vec<u32>,
    /// The stores to global memory, and the atomic accesses to it.
    stores: Vec<usize>,
    /// The outermost loops, each as the positions from which and to which it goes.
    loops: Vec<(usize, usize)>,
    /// How many loops are around the current statement.
    depth: usize,
}

impl Order {
    fn block(&mut self, module: &Module, block: &Block) {
        for statement in &block.statements {
            self.position += 1;
            match statement {
                Statement::Evaluate(value) => match &module.values[*value].op {
                    Op::Load(place) => self.loads |= is_shared(module, place),
                    Op::Atomic(Atomic { place, access, .. }) if is_shared(module, place) => {
                        let is_seen = *access == AtomicAccess::Load || self.uses[value.index()] > 0;
                        self.loads |= is_seen;
                        self.stores.push(self.position);
                    }
                    // It may do anything to global memory.
                    Op::Call(_) => {
                        self.loads = true;
                        self.stores.push(self.position);
                    }
                    Op::GroupCopy(copy) => {
                        if is_shared_slice(module, copy.to) {
                            self.stores.push(self.position);
                        }
                        self.loads |= is_shared_slice(module, copy.from);
                    }
                    Op::BlockAccess(BlockAccess { place, stored }) if is_shared(module, place) => {
                        match stored {
                            Some(_) => self.stores.push(self.position),
                            None => self.loads = true,
                        }
                    }
                    _ => {}
                },
                Statement::Store { place, .. } if is_shared(module, place) => self.stores.push(self.position),
                Statement::Store { .. } | Statement::ImageWrite(_) => {}
                Statement::If { accept, reject, .. } => {
                    self.block(module, accept);
                    self.block(module, reject);
                }
                Statement::Loop { body, continuing, .. } => self.repeat(module, [body, continuing]),
                Statement::Barrier(..)
                | Statement::Order(..)
                | Statement::AssertUniform(..)
                | Statement::Wait(..)
                | Statement::Print { .. } => {}
            }
        }
    }

    fn repeat(&mut self, module: &Module, blocks: [&Block; 2]) {
        let from = self.position;
        self.depth += 1;
        for block in blocks {
            self.block(module, block);
        }
        self.depth -= 1;
        if self.depth == 0 {
            self.loops.push((from, self.position));
        }
    }

    /// Returns whether a barrier at this position has to order accesses to global memory.
    fn is_seen(&self, barrier: usize) -> bool {
        // What is in a loop with the barrier comes before it and after it.
        let around = self.loops.iter().find(|(from, to)| (*from..=*to).contains(&barrier));
        let is_around = |store: usize| around.is_some_and(|(from, to)| (*from..=*to).contains(&store));
        let before = self.stores.iter().any(|&store| store < barrier || is_around(store));
        let after = self.stores.iter().any(|&store| store > barrier || is_around(store));
        self.loads || (before && after)
    }

    /// Goes through the same statements again, counting as before.
    fn relax(&self, block: &mut Block, position: &mut usize) {
        for statement in &mut block.statements {
            *position += 1;
            match statement {
                Statement::If { accept: one, reject: other, .. }
                | Statement::Loop { body: one, continuing: other, .. } => {
                    self.relax(one, position);
                    self.relax(other, position);
                }
                Statement::Barrier(_, _, fence @ Fence::LocalAndGlobal) if !self.is_seen(*position) => {
                    *fence = Fence::Local;
                }
                Statement::Barrier(..)
                | Statement::Order(..)
                | Statement::AssertUniform(..)
                | Statement::Wait(..)
                | Statement::Print { .. }
                | Statement::Evaluate(_)
                | Statement::Store { .. }
                | Statement::ImageWrite(_) => {}
            }
        }
    }
}

/// Returns whether a place is in global memory that can be written to.
fn is_shared(module: &Module, place: &Place) -> bool {
    match place.base {
        Base::Slice(slice) => is_shared_slice(module, slice),
        // Others may store through pointers of their own to where a raw one points.
        Base::Pointer(pointer) => !matches!(
            module.types[module.values[pointer].ty],
            Type::Pointer { mutable: false, raw: false, .. }
        ),
        Base::Variable(_) | Base::Local(_) | Base::Table(_) | Base::Parameter(_) => false,
    }
}

fn is_shared_slice(module: &Module, slice: Handle<Value>) -> bool {
    matches!(module.types[module.values[slice].ty], Type::Slice { space: Space::Global, mutable: true, .. })
}
