// What `as_chunks_mut` gives instead of a slice of arrays that change: the elements.

struct ArrayChunksMut<'a, T, const N: usize> {
    elements: &'a mut [T],
}

impl<'a, T, const N: usize> ArrayChunksMut<'a, T, N> {
    fn len(&self) -> usize {
        self.elements.len() / N
    }

    fn is_empty(&self) -> bool {
        self.elements.len() == 0
    }

    fn get_mut(&mut self, index: usize) -> Option<&mut [T; N]> {
        if index < self.len() { Some(self.elements.__as_array_mut(index * N, N)) } else { None }
    }

    fn first_mut(&mut self) -> Option<&mut [T; N]> {
        self.get_mut(0)
    }

    fn last_mut(&mut self) -> Option<&mut [T; N]> {
        let last = self.len().wrapping_sub(1);
        self.get_mut(last)
    }

    fn iter(&self) -> impl Iterator<Item = &[T; N]> {
        let elements = &*self.elements;
        (0..elements.len() / N).map(move |index| elements.__as_array(index * N, N))
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut [T; N]> {
        self.elements.chunks_exact_mut(N).map(|chunk| chunk.__as_array_mut(0, N))
    }
}

impl<'a, T, const N: usize> std::ops::Index<usize> for ArrayChunksMut<'a, T, N> {
    type Output = [T; N];

    fn index(&self, index: usize) -> &[T; N] {
        let len = self.len();
        if index >= len {
            panic!("index out of bounds: the len is {len} but the index is {index}");
        }
        self.elements.__as_array(index * N, N)
    }
}

impl<'a, T, const N: usize> std::ops::IndexMut<usize> for ArrayChunksMut<'a, T, N> {
    fn index_mut(&mut self, index: usize) -> &mut [T; N] {
        let len = self.len();
        if index >= len {
            panic!("index out of bounds: the len is {len} but the index is {index}");
        }
        self.elements.__as_array_mut(index * N, N)
    }
}

impl<'a, T, const N: usize> IntoIterator for ArrayChunksMut<'a, T, N> {
    type Item = &'a mut [T; N];

    fn into_iter(self) -> impl Iterator<Item = &'a mut [T; N]> {
        self.elements.chunks_exact_mut(N).map(|chunk| chunk.__as_array_mut(0, N))
    }
}
