//! Options priced by binomial trees that a builder makes.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::fmt;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OptionType {
        Call,
        Put,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Exercise {
        #[default]
        European,
        American,
        Bermudan {
            every: u32,
        },
    }

    impl fmt::Display for OptionType {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Call => write!(f, "call"),
                Self::Put => write!(f, "put"),
            }
        }
    }

    pub trait Payoff {
        fn payoff(&self, spot: f64) -> f64;
    }

    #[derive(Clone, Debug)]
    pub struct Vanilla {
        kind: OptionType,
        strike: f64,
    }

    impl Payoff for Vanilla {
        fn payoff(&self, spot: f64) -> f64 {
            let intrinsic = match self.kind {
                OptionType::Call => spot - self.strike,
                OptionType::Put => self.strike - spot,
            };
            intrinsic.max(0.)
        }
    }

    pub struct Straddle(Vanilla, Vanilla);
    impl Payoff for Straddle {
        fn payoff(&self, spot: f64) -> f64 {
            self.0.payoff(spot) + self.1.payoff(spot)
        }
    }

    impl<F> Payoff for F
    where
        F: Fn(f64) -> f64,
    {
        fn payoff(&self, spot: f64) -> f64 {
            self(spot)
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Market {
        spot: f64,
        up: f64,
        rate: f64,
    }

    #[derive(Default)]
    pub struct TreeBuilder {
        steps: Option<usize>,
        exercise: Exercise,
        market: Option<Market>,
    }

    #[derive(Debug, PartialEq)]
    pub enum BuildError {
        MissingMarket,
        TooManySteps(usize),
        Arbitrage,
    }

    impl TreeBuilder {
        pub fn new() -> Self {
            Self::default()
        }
        #[must_use]
        pub fn steps(mut self, steps: usize) -> Self {
            self.steps = Some(steps);
            self
        }
        #[must_use]
        pub fn exercise(self, exercise: Exercise) -> Self {
            Self { exercise, ..self }
        }
        #[must_use]
        pub fn market(mut self, market: Market) -> Self {
            self.market.replace(market);
            self
        }
        pub fn build(self) -> Result<Tree, BuildError> {
            let market = self.market.ok_or(BuildError::MissingMarket)?;
            let steps = match self.steps.unwrap_or(8) {
                n @ 1..=MAX_STEPS => n,
                n => return Err(BuildError::TooManySteps(n)),
            };
            let down = 1.0 / market.up;
            let probability = (market.rate - down) / (market.up - down);
            if !(0.0..1.0).contains(&probability) {
                return Err(BuildError::Arbitrage);
            }
            Ok(Tree { steps, probability, down, market, exercise: self.exercise })
        }
    }

    const MAX_STEPS: usize = 24;

    pub struct Tree {
        steps: usize,
        probability: f64,
        down: f64,
        market: Market,
        exercise: Exercise,
    }

    impl Tree {
        fn spot(&self, step: usize, ups: usize) -> f64 {
            let Market { spot, up, .. } = self.market;
            spot * up.powi(ups as i32) * self.down.powi((step - ups) as i32)
        }

        pub fn price<P: Payoff + ?Sized>(&self, contract: &P) -> f64 {
            let mut values = [0.0; MAX_STEPS + 1];
            for (ups, value) in values.iter_mut().enumerate().take(self.steps + 1) {
                *value = contract.payoff(self.spot(self.steps, ups));
            }
            for step in (0..self.steps).rev() {
                for ups in 0..=step {
                    let hold = (self.probability * values[ups + 1] + (1.0 - self.probability) * values[ups])
                        / self.market.rate;
                    let may_exercise = match self.exercise {
                        Exercise::European => false,
                        Exercise::American => true,
                        Exercise::Bermudan { every: 0 } => false,
                        Exercise::Bermudan { every } => step as u32 % every == 0,
                    };
                    values[ups] =
                        if may_exercise { hold.max(contract.payoff(self.spot(step, ups))) } else { hold };
                }
            }
            values[0]
        }

        pub fn delta(&self, contract: &impl Payoff, bump: f64) -> f64 {
            let bumped = |by: f64| {
                let market = Market { spot: self.market.spot + by, ..self.market };
                Tree { market, ..*self }.price(contract)
            };
            (bumped(bump) - bumped(-bump)) / (2.0 * bump)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let market =
            Market { spot: 90.0 + (seed % 21) as f64, up: 1.0 + (seed % 8) as f64 / 64.0, rate: 1.005 };
        let put = Vanilla { kind: OptionType::Put, strike: 100.0 };
        let call = Vanilla { kind: OptionType::Call, ..put.clone() };
        let exercise = match seed % 4 {
            0 => Exercise::default(),
            1 => Exercise::American,
            n => Exercise::Bermudan { every: n - 2 },
        };
        let tree = TreeBuilder::new().steps(seed as usize % 26).exercise(exercise).market(market).build();
        let tree = match tree {
            Ok(tree) => tree,
            Err(error) => {
                let code = match error {
                    BuildError::MissingMarket => 1,
                    BuildError::TooManySteps(n) => 100 + n as u32,
                    BuildError::Arbitrage => 3,
                };
                return [code; 8];
            }
        };
        let binary = |spot: f64| if spot > 100.0 { 1.0 } else { 0.0 };
        let missing = TreeBuilder::new().build().err() == Some(BuildError::MissingMarket);
        let prices = [
            tree.price(&put),
            tree.price(&call),
            tree.price(&binary),
            tree.price(&Straddle(call.clone(), put)),
            tree.delta(&call, 0.5),
        ];
        let mut out = [0; 8];
        for (slot, price) in out.iter_mut().zip(prices.iter()) {
            *slot = (price.to_bits() >> 16) as u32;
        }
        out[6] = missing.into();
        out[7] = (exercise == Exercise::European) as u32;
        out
    }
}

#[kernel]
pub fn options_priced(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&OPTIONS_PRICED, program::run)
}
