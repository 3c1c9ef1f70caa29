//! Stable matchings by Gale and Shapley, with assignments of students to schools that have places.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::array;
    use core::iter;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Proposer(usize);

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Reviewer(usize);

    #[derive(Debug, Clone)]
    pub struct Preferences<const N: usize> {
        proposers: [[Reviewer; N]; N],
        rank: [[usize; N]; N],
    }

    impl<const N: usize> Preferences<N> {
        pub fn new(proposers: [[Reviewer; N]; N], reviewers: [[Proposer; N]; N]) -> Self {
            let rank = reviewers.map(|list| {
                let mut rank = [N; N];
                list.iter().enumerate().for_each(|(place, &Proposer(p))| rank[p] = place);
                rank
            });
            Preferences { proposers, rank }
        }

        fn prefers(&self, Reviewer(r): Reviewer, new: Proposer, old: Option<Proposer>) -> bool {
            old.map_or(true, |old| self.rank[r][new.0] < self.rank[r][old.0])
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Matching<const N: usize> {
        of_reviewer: [Option<Proposer>; N],
        proposals: u32,
    }

    impl<const N: usize> Matching<N> {
        pub fn stable(preferences: &Preferences<N>) -> Self {
            let mut of_reviewer = [None; N];
            let mut next = [0; N];
            let mut proposals = 0;
            for first in (0..N).map(Proposer) {
                let mut free = Some(first);
                while let Some(p) = free {
                    let Some(&r) = preferences.proposers[p.0].get(next[p.0]) else { break };
                    next[p.0] += 1;
                    proposals += 1;
                    let held: &mut Option<Proposer> = &mut of_reviewer[r.0];
                    if preferences.prefers(r, p, *held) {
                        free = held.replace(p);
                    }
                }
            }
            Matching { of_reviewer, proposals }
        }

        pub fn pairs(&self) -> impl Iterator<Item = (Proposer, Reviewer)> + '_ {
            self.of_reviewer.iter().zip(0..).filter_map(|(p, r)| Some(((*p)?, Reviewer(r))))
        }

        pub fn partner(&self, p: Proposer) -> Option<Reviewer> {
            self.pairs().find_map(|(q, r)| (p == q).then_some(r))
        }

        pub fn blocking_pair(&self, preferences: &Preferences<N>) -> Option<(Proposer, Reviewer)> {
            (0..N).map(Proposer).find_map(|p| {
                let partner = self.partner(p)?;
                preferences.proposers[p.0]
                    .iter()
                    .take_while(|&&r| r != partner)
                    .find(|&&r| preferences.prefers(r, p, self.of_reviewer[r.0]))
                    .map(|&r| (p, r))
            })
        }
    }

    #[derive(Debug, Clone, Copy)]
    struct School<const CAP: usize> {
        admitted: [Option<(u8, usize)>; CAP],
    }

    impl<const CAP: usize> School<CAP> {
        /// Admits a student with a score, and returns who has to leave.
        fn admit(&mut self, score: u8, student: usize) -> Result<(), usize> {
            if let Some(free) = self.admitted.iter_mut().find(|slot| slot.is_none()) {
                *free = Some((score, student));
                return Ok(());
            }
            let worst = self.admitted.iter_mut().flatten().min_by_key(|(score, student)| (*score, *student));
            match worst {
                Some((s, old)) if *s < score => {
                    let out = core::mem::replace(old, student);
                    *s = score;
                    Err(out)
                }
                _ => Err(student),
            }
        }
    }

    fn shuffled<const N: usize>(seed: &mut u32) -> [usize; N] {
        let mut order: [usize; N] = array::from_fn(core::convert::identity);
        for i in (1..N).rev() {
            *seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            order.swap(i, (*seed >> 16) as usize % (i + 1));
        }
        order
    }

    pub fn run(i: u32) -> u64 {
        let mut seed = i;
        let proposers: [[Reviewer; 5]; 5] = array::from_fn(|_| shuffled(&mut seed).map(Reviewer));
        let reviewers = array::from_fn(|_| shuffled::<5>(&mut seed).map(Proposer));
        let preferences = Preferences::new(proposers, reviewers);
        let matching = Matching::stable(&preferences);
        let blocked = matching.blocking_pair(&preferences).is_some() as u64;
        let mut h = matching
            .pairs()
            .fold(matching.proposals as u64, |h, (Proposer(p), Reviewer(r))| h * 25 + (p * 5 + r) as u64);
        let mut worse = matching;
        worse.of_reviewer.swap(0, i as usize % 5);
        if let Some((Proposer(p), Reviewer(r))) = worse.blocking_pair(&preferences) {
            h = h << 6 | (p * 8 + r) as u64;
        }
        let mut schools = [School { admitted: [None; 2] }; 3];
        let scores = iter::successors(Some(i as u8 | 1), |&s| Some(s.wrapping_mul(29).wrapping_add(7)));
        for (student, score) in scores.enumerate().take(7) {
            let mut who = student;
            let mut score = score;
            for school in schools.iter_mut() {
                match school.admit(score, who) {
                    Ok(()) => break,
                    Err(out) if out == who => score = score.saturating_sub(1),
                    Err(out) => who = out,
                }
            }
        }
        let admitted = schools.iter().flat_map(|s| s.admitted.iter().flatten());
        admitted
            .fold(h << 1 | blocked, |h, &(score, s)| h.wrapping_mul(31) ^ u64::from(score) ^ (s as u64) << 8)
    }
}

#[kernel]
pub fn stable_matching(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&STABLE_MATCHING, program::run)
}
