//! Whether trying something pays, as far as it did up to now.

/// How many attempts are judged together.
const WINDOW: u32 = 8;

/// How many occasions are passed over if no attempt ever pays.
const MOST_SKIPPED: u32 = 64;

/// Passes over more and more occasions to try something that fails.
#[derive(Default)]
pub struct Backoff {
    tried: u32,
    succeeded: u32,
    skip: u32,
    skipped: u32,
}

impl Backoff {
    /// Whether this occasion is to be taken.
    pub fn wanted(&mut self) -> bool {
        self.skipped += 1;
        if self.skipped <= self.skip {
            return false;
        }
        self.skipped = 0;
        true
    }

    /// Takes down how it went.
    pub fn learn(&mut self, succeeded: bool) {
        self.tried += 1;
        self.succeeded += u32::from(succeeded);
        if self.tried == WINDOW {
            self.skip = match self.succeeded {
                0 => (2 * self.skip + WINDOW).min(MOST_SKIPPED),
                _ => self.skip / 4,
            };
            self.tried = 0;
            self.succeeded = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn what_fails_is_tried_seldom_and_again_when_it_works() {
        let mut backoff = Backoff::default();
        let mut tried = |succeeds: bool| {
            let wanted = |_: &u32| {
                let wanted = backoff.wanted();
                if wanted {
                    backoff.learn(succeeds);
                }
                wanted
            };
            (0..10_000).filter(wanted).count()
        };
        assert!(tried(true) == 10_000);
        assert!(tried(false) < 250);
        assert!(tried(true) > 9_000);
    }
}
