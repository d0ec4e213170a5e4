//! The front end for ImpL, the small imperative language of the constraint-based paper.
