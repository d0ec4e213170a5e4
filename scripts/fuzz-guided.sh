#!/bin/sh
# `fuzz-guided.sh SECONDS` runs every coverage-guided fuzz target of `fuzz/` for so many seconds.
#
# What is found interesting is kept in the user's cache, and the next run goes on from there. An
# input that ends a target is written below `fuzz/artifacts`.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/fuzz

missing=""
rustup toolchain list 2>/dev/null | grep -q '^nightly' || missing="$missing; rustup toolchain install nightly --no-self-update"
command -v cargo-fuzz >/dev/null 2>&1 || missing="$missing; cargo install --locked cargo-fuzz"
if [ -n "$missing" ]; then
    printf '%s\n' "fuzz-guided: not everything is there. Run: ${missing#; }" >&2
    exit 1
fi

# Each target with the folders that it begins with.
fuzz() {
    target=$1
    shift
    mkdir -p "$cache/$target"
    cargo +nightly fuzz run --fuzz-dir fuzz --target-dir "$CARGO_TARGET_DIR/fuzz" "$target" \
        "$cache/$target" "$@" -- -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048
}

# Without a JDK, class files have to be found from nothing.
mkdir -p "$cache/seeds"
if command -v javac >/dev/null 2>&1; then
    javac -g -d "$cache/seeds" crates/fuzz/seeds/*.java
fi

fuzz class_file "$cache/seeds"
fuzz specification library examples crates/spec/tests/data/sl
fuzz pred crates/spec/tests/data/starfinder
fuzz smtlib crates/spec/tests/data/smtlib
