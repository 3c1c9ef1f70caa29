use kernel_runtime::atomic::{AtomicU32, Ordering, Scope, Scoped, fence, fence_in};
use kernel_runtime::Memory;
use kernel_runtime::prelude::*;

#[kernel]
fn panics_in_rust(x: &[AtomicU32]) {
    x[0].load(Ordering::Release);
    x[0].load(Ordering::AcqRel);
    x[0].store(1, Ordering::Acquire);
    x[0].store(1, Ordering::AcqRel);
    let _ = x[0].compare_exchange(0, 1, Ordering::SeqCst, Ordering::Release);
    let _ = x[0].compare_exchange_weak(0, 1, Ordering::SeqCst, Ordering::AcqRel);
    let _ = x[0].fetch_update(Ordering::SeqCst, Ordering::Release, |old| Some(old + 1));
    fence(Ordering::Relaxed);
    fence_in(Scope::WorkGroup, Ordering::Relaxed);
}

#[device]
fn by_argument(x: &AtomicU32, scope: Scope) {
    x.scope(scope).fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn not_written(x: &[AtomicU32], early: bool) {
    let order = if early { 1 } else { 2 };
    x[0].fetch_add(1, order);
}

#[kernel]
fn without_access(x: &[AtomicU32]) {
    let shared = x[0].scope(Scope::WorkGroup);
    shared.fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn scope_in_a_variable(x: &[AtomicU32], own: bool) {
    let scope = if own { Scope::WorkGroup } else { Scope::Device };
    x[0].scope(scope).fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn ordering_in_a_variable(x: &[AtomicU32]) {
    let order = Ordering::AcqRel;
    x[0].fetch_add(1, order);
}

#[kernel]
fn memory_in_a_variable() {
    let memory = Memory::LOCAL;
    work_group::barrier_in(Scope::WorkGroup, memory);
}

#[kernel]
fn of_what_is_not_there() {
    let count = AtomicU32::new(0);
    count.fetch_add(1, Ordering::Relaxed);
}

fn main() {}
