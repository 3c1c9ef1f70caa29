//! A limit order book of an exchange: price and time priority, partial fills, cancellation.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod book {
    use core::cmp::{Ordering, Reverse};
    use core::num::NonZeroU32;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Side {
        Bid,
        Ask,
    }

    impl core::ops::Not for Side {
        type Output = Side;
        fn not(self) -> Side {
            match self {
                Side::Bid => Side::Ask,
                Side::Ask => Side::Bid,
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Price(pub u32);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct OrderId(NonZeroU32);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Order {
        pub id: OrderId,
        pub side: Side,
        pub price: Price,
        pub quantity: u32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Trade {
        pub taker: OrderId,
        pub maker: OrderId,
        pub price: Price,
        pub quantity: u32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BookError {
        Full { capacity: usize },
        ZeroQuantity,
        UnknownOrder(OrderId),
    }

    /// One side, the best order first.
    #[derive(Debug, Clone)]
    struct Half<const N: usize> {
        orders: [Option<Order>; N],
        len: usize,
    }

    impl<const N: usize> Half<N> {
        const EMPTY: Self = Self { orders: [None; N], len: 0 };

        fn priority(order: &Order) -> impl Ord {
            match order.side {
                Side::Ask => (order.price, Reverse(Price(0))),
                Side::Bid => (Price(0), Reverse(order.price)),
            }
        }

        fn insert(&mut self, order: Order) -> Result<(), BookError> {
            if self.len == N {
                return Err(BookError::Full { capacity: N });
            }
            let at = self.orders[..self.len]
                .partition_point(|o| o.as_ref().is_some_and(|o| Self::priority(o) <= Self::priority(&order)));
            self.orders[at..=self.len].rotate_right(1);
            self.orders[at] = Some(order);
            self.len += 1;
            Ok(())
        }

        fn best(&self) -> Option<&Order> {
            self.orders.first()?.as_ref()
        }

        fn best_mut(&mut self) -> Option<&mut Order> {
            self.orders.first_mut().and_then(Option::as_mut)
        }

        fn remove(&mut self, at: usize) -> Option<Order> {
            let removed = self.orders[at].take();
            self.orders[at..self.len].rotate_left(1);
            self.len -= 1;
            removed
        }

        fn iter(&self) -> impl Iterator<Item = &Order> + '_ {
            self.orders.iter().flatten()
        }
    }

    pub struct OrderBook<const N: usize> {
        bids: Half<N>,
        asks: Half<N>,
        next: NonZeroU32,
    }

    impl<const N: usize> Default for OrderBook<N> {
        fn default() -> Self {
            Self { bids: Half::EMPTY, asks: Half::EMPTY, next: NonZeroU32::MIN }
        }
    }

    impl<const N: usize> OrderBook<N> {
        pub fn submit(
            &mut self,
            side: Side,
            price: Price,
            quantity: u32,
            mut on_trade: impl FnMut(Trade),
        ) -> Result<(OrderId, u32), BookError> {
            if quantity == 0 {
                return Err(BookError::ZeroQuantity);
            }
            let id = OrderId(self.next);
            self.next = self.next.saturating_add(1);
            let mut left = quantity;
            let (own, other) = match side {
                Side::Bid => (&mut self.bids, &mut self.asks),
                Side::Ask => (&mut self.asks, &mut self.bids),
            };
            while left > 0 {
                let Some(maker) = other.best_mut() else { break };
                let crosses = match side {
                    Side::Bid => maker.price <= price,
                    Side::Ask => maker.price >= price,
                };
                if !crosses {
                    break;
                }
                let quantity = left.min(maker.quantity);
                maker.quantity -= quantity;
                left -= quantity;
                let trade = Trade { taker: id, maker: maker.id, price: maker.price, quantity };
                if maker.quantity == 0 {
                    other.remove(0);
                }
                on_trade(trade);
            }
            if left > 0 {
                own.insert(Order { id, side, price, quantity: left })?;
            }
            Ok((id, quantity - left))
        }

        pub fn cancel(&mut self, id: OrderId) -> Result<Order, BookError> {
            for half in [&mut self.bids, &mut self.asks] {
                let found = half.iter().position(|o| o.id == id);
                if let Some(at) = found {
                    return half.remove(at).ok_or(BookError::UnknownOrder(id));
                }
            }
            Err(BookError::UnknownOrder(id))
        }

        pub fn spread(&self) -> Option<u32> {
            let (bid, ask) = self.bids.best().zip(self.asks.best())?;
            ask.price.0.checked_sub(bid.price.0)
        }

        pub fn depth(&self, side: Side) -> u32 {
            let half = match side {
                Side::Bid => &self.bids,
                Side::Ask => &self.asks,
            };
            half.iter().map(|o| o.quantity).sum()
        }

        pub fn compare_depth(&self) -> Ordering {
            self.depth(Side::Bid).cmp(&self.depth(!Side::Bid))
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use book::{BookError, OrderBook, Price, Side};
    let mut book = OrderBook::<6>::default();
    let (mut volume, mut notional, mut errors) = (0u32, 0u32, 0u32);
    let mut state = seed | 1;
    let mut last = None;
    for step in 0..24 {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        let side = if state >> 31 == 0 { Side::Bid } else { Side::Ask };
        let price = Price(95 + (state >> 8) % 10);
        let result = book.submit(side, price, (state >> 16) % 6, |trade| {
            volume += trade.quantity;
            notional += trade.quantity * trade.price.0;
        });
        match result {
            Ok((id, filled)) if filled == 0 => last = Some(id),
            Ok(_) => {}
            Err(BookError::Full { capacity }) => errors += capacity as u32,
            Err(BookError::ZeroQuantity) => errors += 100,
            Err(BookError::UnknownOrder(_)) => unreachable!(),
        }
        if step % 7 == 6 {
            if let Some(Err(_)) = last.take().map(|id| book.cancel(id)) {
                errors += 1000;
            }
        }
    }
    let order = book.compare_depth() as i8;
    [
        volume,
        notional,
        errors,
        book.spread().unwrap_or(u32::MAX),
        (book.depth(Side::Bid) << 2) | (order + 1) as u32,
    ]
}

#[kernel]
pub fn order_book(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&ORDER_BOOK, program)
}
