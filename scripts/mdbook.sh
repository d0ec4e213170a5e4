#!/bin/sh
# Prints where mdBook is, which makes the site of the documentation (`make docs`).
#
# One that is installed is used. Otherwise this version is compiled from crates.io into the user's
# cache, once, without its web server and without what watches files; PyPI has none ready-made.
set -eu

version=0.5.4
folder=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/mdbook-$version

if command -v mdbook >/dev/null 2>&1; then
    command -v mdbook
    exit
fi

if [ ! -x "$folder/bin/mdbook" ]; then
    printf '%s\n' "docs: compiling mdBook $version, once" >&2
    # The products of the compilation go away; those of this project are not touched.
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
    CARGO_TARGET_DIR=$build cargo install --quiet --locked --root "$folder" --version "$version" \
        --no-default-features --features search mdbook >&2 || {
        printf '%s\n' "docs: mdBook could not be compiled. Run this again with a network, or: cargo install --locked mdbook" >&2
        exit 1
    }
fi
printf '%s\n' "$folder/bin/mdbook"
