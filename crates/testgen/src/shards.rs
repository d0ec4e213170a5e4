//! Parts of the targets, for several runs that have nobody to talk to.

use std::str::FromStr;

use heapwright_store::Fingerprint;
use thiserror::Error;

/// One of so many parts. Which part a target is in depends on its name alone, so it stays there when
/// others come and go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Counted from 0.
    index: u64,
    count: u64,
}

/// What is no shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write K/N, as in 3/16 for the third of sixteen parts")]
pub struct ShardError;

impl Shard {
    /// Whether what goes by a name is in this part.
    pub fn has(&self, name: &str) -> bool {
        let Fingerprint(bytes) = Fingerprint::of(name.as_bytes());
        let first = bytes.iter().take(8);
        let number = first.fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        number % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| ShardError);
        let (index, count) = (number(index)?, number(count)?);
        match index {
            0 => Err(ShardError),
            _ if index > count => Err(ShardError),
            _ => Ok(Shard {
                index: index - 1,
                count,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_in_one_part() {
        let shards: Vec<Shard> = (1..=7)
            .map(|index| format!("{index}/7").parse().expect("a shard"))
            .collect();
        let mut sizes = [0; 7];
        for number in 0..700 {
            let name = format!("pkg.Class{number}");
            let own: Vec<usize> = (0..7).filter(|&at| shards[at].has(&name)).collect();
            assert_eq!(own.len(), 1, "{name}");
            sizes[own[0]] += 1;
        }
        assert!(
            sizes.iter().all(|size| (60..140).contains(size)),
            "{sizes:?}"
        );
    }

    #[test]
    fn only_parts_of_a_whole_are_shards() {
        for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/4/2"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }
}
