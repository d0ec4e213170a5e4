//! Heaps, paths and specifications in words and in pictures of characters.
//!
//! Everything that a person reads about a heap comes from here: a heap in one line ([`compact`]) or
//! drawn ([`picture`]), the condition of a branch as the source has it ([`condition`]), a decision
//! of the search or the end of a run ([`words`]), a symbolic heap in sentences ([`meaning`]). What a
//! language shows in its own way comes through [`Labels`].

pub mod access;
pub mod compact;
pub mod condition;
pub mod contexts;
pub mod contracts;
pub mod contradiction;
pub mod disjuncts;
mod labels;
pub mod loose;
pub mod meaning;
pub mod picture;
pub mod source;
pub mod words;

pub use labels::{Collection, Labels, PlainLabels, short_texts, texts_of_values};
