// What `Hash` of slices writes to a hasher.

fn hash_bytes<H>(this: &[u8], state: &mut H) {
    state.write_usize(this.len());
    state.write(this);
}

fn hash_elements<T, H>(this: &[T], state: &mut H) {
    state.write_usize(this.len());
    for element in this {
        element.hash(state);
    }
}

fn hash_integers<T, const N: usize, const SIZE: usize, const BYTES: usize, H>(this: &[T], state: &mut H) {
    let bytes: [u8; BYTES] = std::array::from_fn(|index| this[index / SIZE].to_ne_bytes()[index % SIZE]);
    state.write_usize(N);
    state.write(&bytes);
}
