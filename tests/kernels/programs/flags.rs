//! Sets of flags, in the style of `bitflags`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
#[allow(
    clippy::suspicious_arithmetic_impl,
    clippy::suspicious_op_assign_impl,
    reason = "a difference of sets is written as one of numbers"
)]
mod flags {
    use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

    macro_rules! bitflags {
        (
            $(#[$outer:meta])*
            pub struct $name:ident: $ty:ty {
                $(const $flag:ident = $value:expr;)*
            }
        ) => {
            $(#[$outer])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub struct $name {
                bits: $ty,
            }

            impl $name {
                $(pub const $flag: Self = Self { bits: $value };)*

                const ALL: &'static [Self] = &[$(Self::$flag),*];

                pub const fn empty() -> Self {
                    Self { bits: 0 }
                }

                pub const fn all() -> Self {
                    Self { bits: 0 $(| $value)* }
                }

                pub const fn bits(&self) -> $ty {
                    self.bits
                }

                pub const fn from_bits(bits: $ty) -> Option<Self> {
                    if bits & !Self::all().bits == 0 { Some(Self { bits }) } else { None }
                }

                pub const fn from_bits_truncate(bits: $ty) -> Self {
                    Self { bits: bits & Self::all().bits }
                }

                pub const fn is_empty(&self) -> bool {
                    self.bits == 0
                }

                pub const fn contains(&self, other: Self) -> bool {
                    self.bits & other.bits == other.bits
                }

                pub const fn intersects(&self, other: Self) -> bool {
                    self.bits & other.bits != 0
                }

                pub fn insert(&mut self, other: Self) {
                    self.bits |= other.bits;
                }

                pub fn remove(&mut self, other: Self) {
                    self.bits &= !other.bits;
                }

                pub fn toggle(&mut self, other: Self) {
                    self.bits ^= other.bits;
                }

                pub fn set(&mut self, other: Self, value: bool) {
                    if value { self.insert(other) } else { self.remove(other) }
                }

                pub fn iter(self) -> Iter {
                    Iter { left: self, at: 0 }
                }
            }

            impl BitOr for $name {
                type Output = Self;
                fn bitor(self, other: Self) -> Self {
                    Self { bits: self.bits | other.bits }
                }
            }

            impl BitOrAssign for $name {
                fn bitor_assign(&mut self, other: Self) {
                    *self = *self | other;
                }
            }

            impl BitAnd for $name {
                type Output = Self;
                fn bitand(self, other: Self) -> Self {
                    Self { bits: self.bits & other.bits }
                }
            }

            impl BitAndAssign for $name {
                fn bitand_assign(&mut self, other: Self) {
                    self.bits &= other.bits;
                }
            }

            impl BitXor for $name {
                type Output = Self;
                fn bitxor(self, other: Self) -> Self {
                    Self { bits: self.bits ^ other.bits }
                }
            }

            impl Sub for $name {
                type Output = Self;
                fn sub(self, other: Self) -> Self {
                    Self { bits: self.bits & !other.bits }
                }
            }

            impl SubAssign for $name {
                fn sub_assign(&mut self, other: Self) {
                    self.remove(other);
                }
            }

            impl Not for $name {
                type Output = Self;
                fn not(self) -> Self {
                    Self::from_bits_truncate(!self.bits)
                }
            }

            impl FromIterator<$name> for $name {
                fn from_iter<I: IntoIterator<Item = $name>>(iter: I) -> Self {
                    let mut all = Self::empty();
                    for one in iter {
                        all.insert(one);
                    }
                    all
                }
            }

            impl Extend<$name> for $name {
                fn extend<I: IntoIterator<Item = $name>>(&mut self, iter: I) {
                    for one in iter {
                        self.insert(one);
                    }
                }
            }

            pub struct Iter {
                left: $name,
                at: usize,
            }

            impl Iterator for Iter {
                type Item = $name;

                fn next(&mut self) -> Option<$name> {
                    while let Some(&flag) = $name::ALL.get(self.at) {
                        self.at += 1;
                        if self.left.contains(flag) {
                            self.left -= flag;
                            return Some(flag);
                        }
                    }
                    None
                }
            }

            impl IntoIterator for $name {
                type Item = $name;
                type IntoIter = Iter;
                fn into_iter(self) -> Iter {
                    self.iter()
                }
            }
        };
    }

    bitflags! {
        /// What may be done with a file.
        #[derive(Default)]
        pub struct Permissions: u16 {
            const READ = 1;
            const WRITE = 1 << 1;
            const EXECUTE = 1 << 2;
            const OWNER = 1 << 8;
            const ANY = Self::READ.bits | Self::WRITE.bits | Self::EXECUTE.bits;
        }
    }

    pub fn summary(bits: u16) -> [u16; 6] {
        let mut p = Permissions::from_bits_truncate(bits);
        let exact = Permissions::from_bits(bits).is_some();
        let before = p;
        p.toggle(Permissions::WRITE | Permissions::OWNER);
        p.set(Permissions::EXECUTE, bits % 3 == 0);
        let count = p.iter().count() as u16;
        let joined: Permissions = before.into_iter().filter(|f| *f != Permissions::READ).collect();
        let mut extended = Permissions::default();
        extended.extend(p);
        let mut codes = 0;
        for flag in p {
            codes = codes * 4
                + match flag {
                    Permissions::READ => 1,
                    Permissions::WRITE => 2,
                    Permissions::EXECUTE => 3,
                    _ => 0,
                };
        }
        [
            p.bits(),
            count + exact as u16 * 100,
            joined.bits(),
            (!p).bits() + extended.bits() * 2,
            codes,
            (before > p) as u16
                + (p & before).is_empty() as u16 * 2
                + (p ^ before).intersects(Permissions::ANY) as u16 * 4
                + (p - before).contains(Permissions::OWNER) as u16 * 8,
        ]
    }
}

#[kernel]
pub fn permissions(x: &[u16], y: &mut [[u16; 6]]) {
    let i = global_id(0);
    y[i] = flags::summary(x[i]);
}

pub fn case() -> Case {
    let x: Vec<u16> = (0..16).chain([256, 257, 263, 511, 65535, 300]).collect();
    let y = map(&x, flags::summary);
    Case::of(&PERMISSIONS).input(&x).output(&y).items([y.len()])
}
