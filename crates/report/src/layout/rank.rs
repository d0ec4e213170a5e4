//! Which layer an object belongs to, and which references run upwards.

use std::collections::{BTreeMap, BTreeSet};

use crate::picture::Picture;
use crate::shape::{Key, key_of};

/// The edges that lead back to an object on the way of a depth-first search.
pub(super) fn turned_edges(
    picture: &Picture,
    members: &[usize],
    edges: &[usize],
) -> BTreeSet<usize> {
    let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut entered = BTreeSet::new();
    for &edge in edges {
        let reference = &picture.edges[edge];
        leaving.entry(reference.from).or_default().push(edge);
        entered.insert(reference.to);
    }
    let mut starts: Vec<usize> = members.to_vec();
    starts.sort_by_key(|object| entered.contains(object));
    let mut turned = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut on_the_way = BTreeSet::new();
    let none = Vec::new();
    for start in starts {
        if !seen.insert(start) {
            continue;
        }
        on_the_way.insert(start);
        let mut stack = vec![(start, 0)];
        while let Some((object, next)) = stack.last_mut() {
            let Some(&edge) = leaving.get(object).unwrap_or(&none).get(*next) else {
                on_the_way.remove(object);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = picture.edges[edge].to;
            if on_the_way.contains(&to) {
                turned.insert(edge);
            } else if seen.insert(to) {
                on_the_way.insert(to);
                stack.push((to, 0));
            }
        }
    }
    turned
}

/// The layer of every object: the length of the longest path to it.
pub(super) fn longest_paths(
    picture: &Picture,
    members: &[usize],
    edges: &[usize],
    turned: &BTreeSet<usize>,
) -> BTreeMap<usize, usize> {
    let directed: Vec<(usize, usize)> = (edges.iter())
        .map(|edge| {
            let reference = &picture.edges[*edge];
            if turned.contains(edge) {
                (reference.to, reference.from)
            } else {
                (reference.from, reference.to)
            }
        })
        .collect();
    let mut waiting: BTreeMap<usize, usize> = members.iter().map(|object| (*object, 0)).collect();
    let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(from, to) in &directed {
        *waiting.entry(to).or_default() += 1;
        leaving.entry(from).or_default().push(to);
    }
    let mut layers: BTreeMap<usize, usize> = members.iter().map(|object| (*object, 0)).collect();
    let mut ready: Vec<usize> = (members.iter().copied())
        .filter(|object| waiting[object] == 0)
        .collect();
    while let Some(object) = ready.pop() {
        let below = layers[&object] + 1;
        for to in leaving.get(&object).into_iter().flatten() {
            if let (Some(layer), Some(count)) = (layers.get_mut(to), waiting.get_mut(to)) {
                *layer = below.max(*layer);
                *count -= 1;
                if *count == 0 {
                    ready.push(*to);
                }
            }
        }
    }
    layers
}

/// The fields that lead upwards more often than downwards: null goes with them.
pub(super) fn upward_fields(
    picture: &Picture,
    edges: &[usize],
    turned: &BTreeSet<usize>,
) -> BTreeSet<Key> {
    let mut balance: BTreeMap<Key, i64> = BTreeMap::new();
    for edge in edges {
        let key = key_of(picture, &picture.edges[*edge]);
        *balance.entry(key).or_default() += if turned.contains(edge) { 1 } else { -1 };
    }
    balance.retain(|_, count| *count > 0);
    balance.into_keys().collect()
}
