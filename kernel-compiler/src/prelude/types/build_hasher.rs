// `std::hash::BuildHasher`: what it provides besides `build_hasher`.

trait BuildHasher {
    type Hasher;

    fn build_hasher(&self) -> Self::Hasher;

    fn hash_one<T>(&self, value: T) -> u64 {
        let mut hasher = self.build_hasher();
        value.hash(&mut hasher);
        hasher.finish()
    }
}
