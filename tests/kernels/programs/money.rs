//! Money of several currencies, rates and the schedule of a loan.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Money of several currencies, rates and the schedule of a loan.
    use std::cmp::Ordering;
    use std::fmt::{self, Display, Formatter};
    use std::marker::PhantomData;
    use std::ops::{Add, AddAssign, Mul, Sub};

    pub trait Currency: Copy {
        const CODE: &'static str;
        const DIGITS: u32;
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Eur;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Jpy;

    impl Currency for Eur {
        const CODE: &'static str = "EUR";
        const DIGITS: u32 = 2;
    }
    impl Currency for Jpy {
        const CODE: &'static str = "JPY";
        const DIGITS: u32 = 0;
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Money<C> {
        minor: i64,
        currency: PhantomData<C>,
    }

    impl<C: Currency> Money<C> {
        pub const ZERO: Self = Self { minor: 0, currency: PhantomData };

        pub fn from_minor(minor: i64) -> Self {
            Money { minor, currency: PhantomData }
        }

        pub fn major(self) -> i64 {
            self.minor / 10i64.pow(C::DIGITS)
        }

        pub fn convert<D: Currency>(self, rate: Rate<C, D>) -> Money<D> {
            let scaled =
                self.minor as i64 * rate.millionths as i64 * 10i64.pow(D::DIGITS) / 10i64.pow(C::DIGITS);
            Money::from_minor((scaled / 1_000_000) as i64)
        }
    }

    pub struct Rate<From, To> {
        millionths: u64,
        _pair: PhantomData<fn(From) -> To>,
    }

    impl<C> PartialEq for Money<C> {
        fn eq(&self, other: &Self) -> bool {
            self.minor == other.minor
        }
    }
    impl<C> Eq for Money<C> {}
    impl<C> PartialOrd for Money<C> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    impl<C> Ord for Money<C> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.minor.cmp(&other.minor)
        }
    }
    impl<C: Currency> Add for Money<C> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            Self::from_minor(self.minor + rhs.minor)
        }
    }
    impl<C: Currency> Sub for Money<C> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self::Output {
            Self::from_minor(self.minor - rhs.minor)
        }
    }
    impl<C: Currency> AddAssign for Money<C> {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs
        }
    }
    impl<C: Currency> Mul<i64> for Money<C> {
        type Output = Self;
        fn mul(self, n: i64) -> Self {
            Self::from_minor(self.minor * n)
        }
    }
    impl<C: Currency> Display for Money<C> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write!(f, "{} {}", self.major(), C::CODE)
        }
    }
    impl<C: Currency> std::iter::Sum for Money<C> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::ZERO, Add::add)
        }
    }

    /// Payments of a loan until it is paid back.
    pub struct Schedule {
        balance: Money<Eur>,
        payment: Money<Eur>,
        rate_bp: i64,
    }

    impl Iterator for Schedule {
        type Item = (Money<Eur>, Money<Eur>);
        fn next(&mut self) -> Option<Self::Item> {
            if self.balance <= Money::ZERO {
                return None;
            }
            let interest = Money::from_minor(self.balance.minor * self.rate_bp / 120_000);
            let principal = (self.payment - interest).min(self.balance);
            self.balance = self.balance - principal;
            Some((interest, principal))
        }
    }

    pub fn check(seed: u32) -> u32 {
        let balance = Money::from_minor(100_000 + i64::from(seed) * 1000);
        let schedule = || Schedule { balance, payment: Money::from_minor(9_000), rate_bp: 525 };
        let months = schedule().count();
        let interest: Money<Eur> = schedule().map(|(interest, _)| interest).sum();
        let (early, _) = schedule().take(3).fold((Money::ZERO, 0), |(sum, n), (i, _)| (sum + i * 2, n + 1));
        let yen: Money<Jpy> = interest.convert(Rate { millionths: 163_250_000, _pair: PhantomData });
        let code = Eur::CODE.len() + usize::from(Jpy::CODE == "JPY");
        let best = interest.max(early);
        (months as u32) << 20 ^ yen.minor as u32 ^ best.minor as u32 ^ (code as u32) << 28
    }
}

#[kernel]
pub fn money(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&MONEY, program::check)
}
