//! How objects of the JDK are made: collections by adding to them, others by a factory.

/// How a class of the JDK is made.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// By the constructor of this class without parameters, and by calls of a method with one
    /// parameter for each argument of the type.
    Filled(&'static str, &'static str),
    /// By a static method of a class, with this descriptor.
    Factory(&'static str, &'static str, &'static str),
    /// By a constructor of a class, with this descriptor. Parameters that are any object are the
    /// arguments of the type.
    Constructor(&'static str, &'static str),
    /// By a method of an object of this class, which takes nothing else. Both have the same
    /// arguments.
    Of(&'static str, &'static str),
}

use Way::{Constructor, Factory, Filled, Of};

const ADD: &str = "add";
const PUT: &str = "put";

/// The types, each with the ways.
const WAYS: [(&[&str], &[Way]); 34] = [
    (
        &[
            "java.util.List",
            "java.util.Collection",
            "java.lang.Iterable",
            "java.util.AbstractList",
            "java.util.AbstractCollection",
            "java.util.ArrayList",
        ],
        &[Filled("java.util.ArrayList", ADD)],
    ),
    (
        &["java.util.LinkedList", "java.util.AbstractSequentialList"],
        &[Filled("java.util.LinkedList", ADD)],
    ),
    (
        &["java.util.Deque", "java.util.Queue", "java.util.ArrayDeque"],
        &[Filled("java.util.ArrayDeque", ADD)],
    ),
    (
        &["java.util.PriorityQueue", "java.util.AbstractQueue"],
        &[Filled("java.util.PriorityQueue", ADD)],
    ),
    (&["java.util.Vector"], &[Filled("java.util.Vector", ADD)]),
    (&["java.util.Stack"], &[Filled("java.util.Stack", ADD)]),
    (
        &[
            "java.util.Set",
            "java.util.HashSet",
            "java.util.AbstractSet",
        ],
        &[Filled("java.util.HashSet", ADD)],
    ),
    (
        &["java.util.LinkedHashSet"],
        &[Filled("java.util.LinkedHashSet", ADD)],
    ),
    (
        &[
            "java.util.SortedSet",
            "java.util.NavigableSet",
            "java.util.TreeSet",
        ],
        &[Filled("java.util.TreeSet", ADD)],
    ),
    (
        &[
            "java.util.Map",
            "java.util.HashMap",
            "java.util.AbstractMap",
        ],
        &[Filled("java.util.HashMap", PUT)],
    ),
    (
        &["java.util.LinkedHashMap"],
        &[Filled("java.util.LinkedHashMap", PUT)],
    ),
    (
        &[
            "java.util.SortedMap",
            "java.util.NavigableMap",
            "java.util.TreeMap",
        ],
        &[Filled("java.util.TreeMap", PUT)],
    ),
    (&["java.util.Iterator"], &[Of("java.util.List", "iterator")]),
    (
        &["java.util.ListIterator"],
        &[Of("java.util.List", "listIterator")],
    ),
    (
        &["java.util.Map$Entry", "java.util.AbstractMap$SimpleEntry"],
        &[Constructor(
            "java.util.AbstractMap$SimpleEntry",
            "(Ljava/lang/Object;Ljava/lang/Object;)V",
        )],
    ),
    (
        &["java.util.Comparator"],
        &[
            Factory(
                "java.util.Comparator",
                "naturalOrder",
                "()Ljava/util/Comparator;",
            ),
            Factory(
                "java.util.Comparator",
                "reverseOrder",
                "()Ljava/util/Comparator;",
            ),
        ],
    ),
    (
        &["java.util.Optional"],
        &[
            Factory(
                "java.util.Optional",
                "of",
                "(Ljava/lang/Object;)Ljava/util/Optional;",
            ),
            Factory("java.util.Optional", "empty", "()Ljava/util/Optional;"),
        ],
    ),
    (
        &["java.util.OptionalInt"],
        &[
            Factory("java.util.OptionalInt", "of", "(I)Ljava/util/OptionalInt;"),
            Factory(
                "java.util.OptionalInt",
                "empty",
                "()Ljava/util/OptionalInt;",
            ),
        ],
    ),
    (
        &["java.util.OptionalLong"],
        &[Factory(
            "java.util.OptionalLong",
            "of",
            "(J)Ljava/util/OptionalLong;",
        )],
    ),
    (
        &["java.util.OptionalDouble"],
        &[Factory(
            "java.util.OptionalDouble",
            "of",
            "(D)Ljava/util/OptionalDouble;",
        )],
    ),
    (
        &["java.lang.StringBuilder", "java.lang.Appendable"],
        &[Constructor(
            "java.lang.StringBuilder",
            "(Ljava/lang/String;)V",
        )],
    ),
    (
        &["java.lang.StringBuffer"],
        &[Constructor(
            "java.lang.StringBuffer",
            "(Ljava/lang/String;)V",
        )],
    ),
    (
        &["java.math.BigInteger"],
        &[Factory(
            "java.math.BigInteger",
            "valueOf",
            "(J)Ljava/math/BigInteger;",
        )],
    ),
    (
        &["java.math.BigDecimal"],
        &[Factory(
            "java.math.BigDecimal",
            "valueOf",
            "(J)Ljava/math/BigDecimal;",
        )],
    ),
    (
        &["java.time.LocalDate"],
        &[Factory(
            "java.time.LocalDate",
            "ofEpochDay",
            "(J)Ljava/time/LocalDate;",
        )],
    ),
    (
        &["java.time.Duration"],
        &[Factory(
            "java.time.Duration",
            "ofSeconds",
            "(J)Ljava/time/Duration;",
        )],
    ),
    (
        &["java.time.Instant"],
        &[Factory(
            "java.time.Instant",
            "ofEpochSecond",
            "(J)Ljava/time/Instant;",
        )],
    ),
    (
        &["java.util.concurrent.atomic.AtomicInteger"],
        &[Constructor(
            "java.util.concurrent.atomic.AtomicInteger",
            "(I)V",
        )],
    ),
    (
        &["java.util.concurrent.atomic.AtomicLong"],
        &[Constructor(
            "java.util.concurrent.atomic.AtomicLong",
            "(J)V",
        )],
    ),
    (
        &["java.util.BitSet"],
        &[Constructor("java.util.BitSet", "()V")],
    ),
    (
        &[
            "java.lang.RuntimeException",
            "java.lang.Exception",
            "java.lang.Throwable",
        ],
        &[Constructor(
            "java.lang.RuntimeException",
            "(Ljava/lang/String;)V",
        )],
    ),
    (
        &["java.util.UUID"],
        &[Constructor("java.util.UUID", "(JJ)V")],
    ),
    (
        &["java.util.Random"],
        &[Constructor("java.util.Random", "(J)V")],
    ),
    (
        &["java.util.StringJoiner"],
        &[Constructor(
            "java.util.StringJoiner",
            "(Ljava/lang/CharSequence;)V",
        )],
    ),
];

/// How objects of a class of the JDK are made. Nothing if that is not known.
pub fn ways(class: &str) -> &'static [Way] {
    let known = WAYS.iter().find(|(classes, _)| classes.contains(&class));
    known.map_or(&[], |(_, ways)| ways)
}

/// Classes of the JDK whose objects are told by their text.
pub const TOLD_BY_TEXT: [&str; 16] = [
    "java.util.Collection",
    "java.util.Map",
    "java.util.Map$Entry",
    "java.util.Optional",
    "java.util.OptionalInt",
    "java.util.OptionalLong",
    "java.util.OptionalDouble",
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
    "java.math.BigInteger",
    "java.math.BigDecimal",
    "java.time.LocalDate",
    "java.time.Duration",
    "java.time.Instant",
    "java.util.BitSet",
    "java.util.StringJoiner",
];
