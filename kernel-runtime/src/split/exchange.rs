//! What parts hold of their neighbours, brought up to date.

use crate::error::Result;
use crate::split::Split;
use crate::split::buffer::SplitBuffer;
use kernel_core::Element;

impl Split {
    /// Copies what each part holds of its neighbours from there ([`halo`](Self::halo)), after all that was enqueued before, and returns without waiting. What is enqueued later sees it.
    ///
    /// From device to device where one [can access](crate::Device::can_access) the other, and else through the host, which waits then.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if the buffer is cut otherwise, and those of [`Queue::copy`](crate::Queue::copy).
    pub fn exchange<T: Element>(&self, buffer: &mut SplitBuffer<T>) -> Result<()> {
        self.check(buffer)?;
        for part in 0..self.cuts.count() {
            for from in (0..self.cuts.count()).filter(|&from| from != part) {
                let elements = self.cuts.borrowed(part, from);
                if elements.is_empty() {
                    continue;
                }
                let Ok([of_other, own]) = buffer.parts_mut().get_disjoint_mut([from, part]) else {
                    unreachable!("two parts of the split")
                };
                let source = of_other.slice(self.cuts.within(from, elements.clone()));
                let mut target = own.slice_mut(self.cuts.within(part, elements));
                self.queues[part].copy(&source, &mut target)?;
            }
        }
        Ok(())
    }
}
