#!/bin/sh
# Checks the workspace with the oldest Rust that `Cargo.toml` promises.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

if ! rustup toolchain list 2>/dev/null | grep -q "^$version"; then
    printf '%s\n' "msrv: Rust $version is missing. Run: rustup toolchain install $version --profile minimal --no-self-update" >&2
    exit 1
fi
# In a folder of its own, so that two compilers do not undo each other's work.
exec cargo "+$version" check --workspace --locked --target-dir "$CARGO_TARGET_DIR/msrv"
