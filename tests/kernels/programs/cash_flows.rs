//! Loans and investments: schedules of payments in cents, the internal rate of return, and days counted by conventions.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod finance {
    use core::fmt::Debug;
    use core::iter::Sum;
    use core::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Cents(pub i64);

    macro_rules! forward {
        ($($op:ident $method:ident $sign:tt),*) => {$(
            impl $op for Cents {
                type Output = Cents;
                fn $method(self, other: Cents) -> Cents { Cents(self.0 $sign other.0) }
            }
            impl<'a> $op<&'a Cents> for Cents {
                type Output = Cents;
                fn $method(self, other: &'a Cents) -> Cents { self $sign *other }
            }
        )*};
    }
    forward!(Add add +, Sub sub -);

    impl Neg for Cents {
        type Output = Cents;
        fn neg(self) -> Cents {
            Cents(-self.0)
        }
    }

    impl Mul<f64> for Cents {
        type Output = Cents;
        fn mul(self, rate: f64) -> Cents {
            Cents((self.0 as f64 * rate).round() as i64)
        }
    }

    impl Sum for Cents {
        fn sum<I: Iterator<Item = Cents>>(iter: I) -> Cents {
            iter.fold(Cents(0), Add::add)
        }
    }

    impl<'a> Sum<&'a Cents> for Cents {
        fn sum<I: Iterator<Item = &'a Cents>>(iter: I) -> Cents {
            iter.copied().sum()
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Payment {
        pub month: u32,
        pub interest: Cents,
        pub principal: Cents,
        pub balance: Cents,
    }

    #[derive(Clone, Debug)]
    pub struct Schedule {
        balance: Cents,
        instalment: Cents,
        rate: f64,
        month: u32,
    }

    impl Schedule {
        pub fn annuity(amount: Cents, yearly: f64, months: u32) -> Option<Self> {
            if months == 0 || amount <= Cents(0) {
                return None;
            }
            let rate = yearly / 12.;
            let factor = if rate == 0. {
                1. / months as f64
            } else {
                rate / (1. - (1. + rate).powi(-(months as i32)))
            };
            Some(Schedule { balance: amount, instalment: amount * factor, rate, month: 0 })
        }
    }

    impl Iterator for Schedule {
        type Item = Payment;
        fn next(&mut self) -> Option<Payment> {
            if self.balance.0 <= 0 {
                return None;
            }
            self.month += 1;
            let interest = self.balance * self.rate;
            let principal = (self.instalment - interest).clamp(Cents(1), self.balance);
            self.balance = self.balance - principal;
            Some(Payment { month: self.month, interest, principal, balance: self.balance })
        }
    }

    pub fn npv<'a, I>(rate: f64, flows: I) -> f64
    where
        I: IntoIterator<Item = &'a Cents>,
        I::IntoIter: DoubleEndedIterator,
    {
        flows.into_iter().rev().fold(0.0, |value, flow| value / (1.0 + rate) + flow.0 as f64)
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum SolveError {
        NoBracket { low: f64, high: f64 },
        TooManySteps(u32),
    }

    pub fn bisect<F>(f: F, mut low: f64, mut high: f64, tolerance: f64) -> Result<f64, SolveError>
    where
        F: Fn(f64) -> f64,
    {
        let mut at_low = f(low);
        if at_low.is_sign_positive() == f(high).is_sign_positive() {
            return Err(SolveError::NoBracket { low, high });
        }
        for _ in 0..60 {
            let middle = low + (high - low) / 2.0;
            if high - low < tolerance {
                return Ok(middle);
            }
            let value = f(middle);
            if value.is_sign_positive() == at_low.is_sign_positive() {
                (low, at_low) = (middle, value);
            } else {
                high = middle;
            }
        }
        Err(SolveError::TooManySteps(60))
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Date {
        pub year: i32,
        pub month: u8,
        pub day: u8,
    }

    pub trait DayCount: Copy + Debug {
        const BASIS: f64;
        fn days(&self, from: Date, to: Date) -> i32;
        fn fraction(&self, from: Date, to: Date) -> f64 {
            f64::from(self.days(from, to)) / Self::BASIS
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Thirty360;
    #[derive(Clone, Copy, Debug)]
    pub struct Actual365 {
        pub leap: bool,
    }

    impl DayCount for Thirty360 {
        const BASIS: f64 = 360.0;
        fn days(&self, Date { year: y1, month: m1, day: d1 }: Date, to: Date) -> i32 {
            let (d1, d2) = (d1.min(30), if d1 >= 30 { to.day.min(30) } else { to.day });
            360 * (to.year - y1) + 30 * (i32::from(to.month) - i32::from(m1)) + (d2 as i32 - d1 as i32)
        }
    }

    impl DayCount for Actual365 {
        const BASIS: f64 = 365.0;
        fn days(&self, from: Date, to: Date) -> i32 {
            let number = |Date { year, month, day }: Date| {
                const BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
                let is_leap = |y: i32| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
                let leaps = if self.leap { (1900..year).filter(|&y| is_leap(y)).count() as i32 } else { 0 };
                let bonus = i32::from(self.leap && month > 2 && is_leap(year));
                365 * (year - 1900)
                    + leaps
                    + bonus
                    + i32::from(BEFORE[usize::from(month) - 1])
                    + i32::from(day)
            };
            number(to) - number(from)
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use finance::*;
    let amount = Cents(i64::from(seed % 90_000) + 10_000);
    let Some(schedule) = Schedule::annuity(amount, f64::from(seed % 9) / 100.0, 6 + seed % 7) else {
        return [0; 5];
    };
    let interest: Cents = schedule.clone().map(|p| p.interest).sum();
    let last = schedule.clone().last().map_or(0, |p| p.month << 20 | p.principal.0 as u32);
    let mut flows = [Cents(0); 8];
    for (flow, payment) in flows[1..].iter_mut().zip(schedule) {
        *flow = payment.interest + payment.principal + &Cents(25);
    }
    flows[0] = -amount + Cents((seed % 5) as i64 * 1000);
    let total: Cents = flows.iter().sum();
    let irr = match bisect(|rate| npv(rate, &flows), -0.5, 0.5, 1e-9) {
        Ok(rate) => (rate * 1e6) as i32 as u32,
        Err(SolveError::NoBracket { low, .. }) => low.to_bits() as u32 ^ 77,
        Err(SolveError::TooManySteps(n)) => n,
    };
    let from = Date { year: 1999, month: 1 + (seed % 12) as u8, day: 31 };
    let to = Date { year: 2004 + (seed % 3) as i32, month: 3, day: 31 };
    let days =
        Thirty360.days(from, to) as u32 ^ (Actual365 { leap: seed & 1 == 0 }.fraction(from, to) * 1e5) as u32;
    [interest.0 as u32, last, total.0 as u32, irr, days]
}

#[kernel]
pub fn cash_flows(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&CASH_FLOWS, program)
}
