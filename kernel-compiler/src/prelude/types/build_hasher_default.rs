// `std::hash::BuildHasherDefault`, whose hashers are the default ones of a type.

#[derive(Clone, Copy, Debug)]
struct BuildHasherDefault<H>;

impl<H> BuildHasherDefault<H> {
    fn new() -> BuildHasherDefault<H> {
        BuildHasherDefault
    }
}

impl<H> Default for BuildHasherDefault<H> {
    fn default() -> BuildHasherDefault<H> {
        BuildHasherDefault
    }
}

impl<H> std::hash::BuildHasher for BuildHasherDefault<H> {
    type Hasher = H;

    fn build_hasher(&self) -> H {
        H::default()
    }
}
