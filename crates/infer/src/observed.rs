//! What the learner is given, as front ends tell it.

pub use heapwright_testgen::observation::{KEYS_FROM, Observed, State, key};
