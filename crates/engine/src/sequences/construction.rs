//! A sequence that builds a given heap.
