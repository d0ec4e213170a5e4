//! Pictures of heaps.
