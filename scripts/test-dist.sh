#!/bin/sh
# Whether the archive of `make dist` works where nothing is installed: it is unpacked into a bare
# Debian of this release and of the next one, made by debootstrap, and generates tests there. The
# tests have to be, byte for byte, those that it generates here.
#
# The files of a JDK are mounted to be read, since Java code is tested together with the JDK's;
# nothing of it can run there, and no package is installed. Releases that cannot be had are skipped
# by name. Needs root, for chroot and mounts.
set -eu
cd "$(dirname "$0")/.."

archive=$1
roots=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/debian
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
most=40000000

fail() {
    printf '%s\n' "test-dist: $*" >&2
    exit 1
}

size=$(wc -c <"$archive")
[ "$size" -lt "$most" ] || fail "the archive has $size bytes; it may have $most"

if [ "$(id -u)" -ne 0 ]; then
    printf '%s\n' "skipped: bookworm and trixie (needs root)"
    exit 0
fi
if ! command -v debootstrap >/dev/null 2>&1; then
    printf '%s\n' "skipped: bookworm and trixie (debootstrap is not installed)"
    exit 0
fi
javac=$(command -v javac) || fail "javac was not found"
jdk=$(dirname "$(dirname "$(readlink -f "$javac")")")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is tested: a Java class without a specification, one with, and a program of ImpL.
mkdir -p "$work/in/classes" "$work/in/impl"
"$javac" -g --release 17 -d "$work/in/classes" examples/tutorial/*.java \
    subjects/java/src/subjects/bst/*.java
cp subjects/java/specs/BinarySearchTree.sl "$work/in"
cp examples/impl/tree_remove.* "$work/in/impl"
cat >"$work/in/run.sh" <<'END'
set -eu
heapwright=$1 jdk=$2 out=$3
cd "$(dirname "$0")"
"$heapwright" --version
"$heapwright" generate impl/tree_remove.impl#remove --out "$out/impl"
"$heapwright" generate subjects.bst.BinarySearchTree -c classes --jdk "$jdk" --no-spec --out "$out/java"
"$heapwright" generate subjects.bst.BinarySearchTree#insert -c classes --jdk "$jdk" \
    --spec BinarySearchTree.sl --out "$out/spec"
END

mkdir "$work/here"
tar -C "$work/here" -xzf "$archive" --strip-components=1
sh "$work/in/run.sh" "$work/here/bin/heapwright" "$jdk" "$work/expected" >"$work/expected.txt"

for suite in bookworm trixie; do
    if [ ! -d "$roots/$suite" ]; then
        mkdir -p "$roots"
        rm -rf "$roots/$suite.new"
        if ! debootstrap --variant=minbase "$suite" "$roots/$suite.new" "$mirror" \
            >"$work/debootstrap.log" 2>&1; then
            printf '%s\n' "skipped: $suite ($(tail -n 1 "$work/debootstrap.log"))"
            continue
        fi
        mv "$roots/$suite.new" "$roots/$suite"
    fi
    root=$work/$suite
    cp -a "$roots/$suite" "$root"
    ! [ -e "$root"/usr/lib/*/libz3.so* ] || fail "$suite has Z3 installed"
    mkdir -p "$root/root/.local" "$root/opt/jdk" "$root/work"
    tar -C "$root/root/.local" -xzf "$archive" --strip-components=1
    cp -a "$work/in/." "$root/work"
    began=$(date +%s)
    unshare --mount sh -eu -c '
        mount --make-rprivate /
        mount --bind "$1" "$2/opt/jdk"
        mount -o remount,bind,ro "$2/opt/jdk"
        # The loader reads there where the binary is, from which the way to the library starts.
        mount -t proc proc "$2/proc"
        chroot "$2" /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin LC_ALL=C.UTF-8 \
            sh /work/run.sh /root/.local/bin/heapwright /opt/jdk /work/out
    ' sh "$jdk" "$root" >"$work/$suite.txt" || fail "does not run in $suite"
    ended=$(date +%s)
    diff -r "$work/expected" "$root/work/out" || fail "other tests in $suite"
    diff "$work/expected.txt" "$work/$suite.txt" >"$work/differences" || {
        # The folder that is written to has another name, and nothing else differs.
        sed "s#$work/expected#/work/out#g" "$work/expected.txt" | diff - "$work/$suite.txt" ||
            fail "another output in $suite"
    }
    tests=$(grep -rc '@Test' "$root/work/out/java" | awk -F: '{ sum += $NF } END { print sum }')
    [ "$tests" -gt 3 ] || fail "only $tests tests in $suite"
    printf '%s\n' "$suite: $(head -n 1 "$work/$suite.txt"), $tests tests of a Java class, $((ended - began)) s"
done
printf '%s\n' "$(basename "$archive"): $size bytes"
