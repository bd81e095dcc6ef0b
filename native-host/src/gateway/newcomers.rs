//! Connections that have shown no token yet: few at once, and the oldest goes first when more come.

use std::collections::BTreeMap;

use tokio::task::{AbortHandle, Id};

use super::caller::Caller;

/// Of one user. A browser opens a few at once, when many of its tabs come back.
pub(super) const MOST_OF_A_CALLER: usize = 64;
/// Of everybody.
const MOST: usize = 256;

/// In the order in which they came.
#[derive(Debug)]
pub(super) struct Newcomers<T = AbortHandle> {
    list: Vec<(Caller, Id, T)>,
}

impl<T> Newcomers<T> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// One more came. Returns whom to let go: the oldest of this caller when it has too many, else, when all together
    /// have, the oldest of whoever has the most. Nobody loses a connection to one who has more.
    pub(super) fn add(&mut self, caller: Caller, id: Id, connection: T) -> Option<T> {
        self.list.push((caller, id, connection));
        let mut counts: BTreeMap<Caller, usize> = BTreeMap::new();
        for (caller, ..) in &self.list {
            *counts.entry(*caller).or_default() += 1;
        }
        let too_many = if counts.get(&caller).is_some_and(|count| *count > MOST_OF_A_CALLER) {
            Some(caller)
        } else if self.list.len() > MOST {
            counts.into_iter().max_by_key(|(_, count)| *count).map(|(caller, _)| caller)
        } else {
            None
        };
        let oldest = self.list.iter().position(|(caller, ..)| Some(*caller) == too_many)?;
        Some(self.list.remove(oldest).2)
    }

    /// One was let in, or has gone.
    pub(super) fn remove(&mut self, id: Id) {
        self.list.retain(|(_, other, _)| *other != id);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Ids are tasks' alone.
    async fn id() -> Id {
        tokio::spawn(async { tokio::task::id() }).await.unwrap()
    }

    #[tokio::test]
    async fn a_user_who_has_too_many_loses_its_oldest_and_nobody_elses() {
        let mut newcomers: Newcomers<u32> = Newcomers::new();
        assert_eq!(newcomers.add(Caller::User(1), id().await, 0), None);
        let mut gone = Vec::new();
        for number in 1..=200 {
            gone.extend(newcomers.add(Caller::User(2), id().await, number));
        }
        assert_eq!(gone, (1..=200 - 64).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn of_all_together_who_has_the_most_loses_its_oldest() {
        let mut newcomers: Newcomers<u32> = Newcomers::new();
        for user in 0..4 {
            for _ in 0..MOST_OF_A_CALLER {
                assert_eq!(newcomers.add(Caller::User(user), id().await, user), None);
            }
        }
        let (first, last) = (id().await, id().await);
        let gone = newcomers.add(Caller::User(9), first, 9);
        assert!(gone.is_some_and(|user| user < 4), "{gone:?}");
        newcomers.remove(first);
        assert_eq!(newcomers.add(Caller::User(9), last, 9), None, "one has gone");
    }
}
