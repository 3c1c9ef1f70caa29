// What `as_chunks` gives instead of a slice of arrays: the elements, of which each chunk is copied when it is looked at.

#[derive(Clone, Copy)]
struct ArrayChunks<'a, T, const N: usize> {
    elements: &'a [T],
}

impl<'a, T, const N: usize> ArrayChunks<'a, T, N> {
    fn len(&self) -> usize {
        self.elements.len() / N
    }

    fn is_empty(&self) -> bool {
        self.elements.len() == 0
    }

    fn get(&self, index: usize) -> Option<&'a [T; N]> {
        if index < self.len() { Some(&self[index]) } else { None }
    }

    fn first(&self) -> Option<&'a [T; N]> {
        self.get(0)
    }

    fn last(&self) -> Option<&'a [T; N]> {
        self.get(self.len().wrapping_sub(1))
    }

    fn iter(&self) -> impl Iterator<Item = &'a [T; N]> {
        let elements = self.elements;
        (0..elements.len() / N).map(move |index| elements.__as_array(index * N, N))
    }
}

impl<'a, T, const N: usize> std::ops::Index<usize> for ArrayChunks<'a, T, N> {
    type Output = [T; N];

    fn index(&self, index: usize) -> &[T; N] {
        let len = self.len();
        if index >= len {
            panic!("index out of bounds: the len is {len} but the index is {index}");
        }
        self.elements.__as_array(index * N, N)
    }
}

impl<'a, T, const N: usize> IntoIterator for ArrayChunks<'a, T, N> {
    type Item = &'a [T; N];

    fn into_iter(self) -> impl Iterator<Item = &'a [T; N]> {
        self.iter()
    }
}
