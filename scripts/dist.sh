#!/bin/sh
# Makes an archive that people unpack and use: the stripped binary, the Z3 library, completions,
# pages of the manual, licences. With a binary as argument it packs that one; otherwise it builds.
#
# The layout is that of a prefix: unpacked into ~/.local it puts `heapwright` on the path, and
# unpacked anywhere else it works from there, since the binary looks for the library beside itself.
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
folder=${DIST:-$target/dist}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=heapwright-$version-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')

fail() {
    printf '%s\n' "dist: $*" >&2
    exit 1
}

# $ORIGIN is for the loader, not for the shell.
# shellcheck disable=SC2016
origin='$ORIGIN/../lib/heapwright'
[ "$(uname -s)" = Linux ] || fail "archives are made on Linux only; docs/INSTALL.md says how to build elsewhere"

if [ $# -gt 0 ]; then
    binary=$1
else
    cargo rustc --release --locked --package heapwright-cli --features cluster --bin heapwright -- \
        -C strip=symbols -C "link-arg=-Wl,-rpath,$origin"
    binary=$target/release/heapwright
fi

library=$(ldd "$binary" | sed -n 's/^[[:space:]]*libz3\.so[^ ]* => \(\/[^ ]*\).*/\1/p')
[ -n "$library" ] || fail "$binary does not use a libz3 that the loader finds"
soname=$(ldd "$binary" | sed -n 's/^[[:space:]]*\(libz3\.so[^ ]*\) => .*/\1/p')

mkdir -p "$folder"
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/$name
share=$root/share
mkdir -p "$root/bin" "$root/lib/heapwright" "$share/man/man1" "$share/doc/heapwright" \
    "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cp "$binary" "$root/bin/heapwright"
cp "$(readlink -f "$library")" "$root/lib/heapwright/$soname"
"$binary" completions bash >"$share/bash-completion/completions/heapwright"
"$binary" completions zsh >"$share/zsh/site-functions/_heapwright"
"$binary" completions fish >"$share/fish/vendor_completions.d/heapwright.fish"
"$binary" man --out "$share/man/man1" >/dev/null
cp LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md docs/INSTALL.md "$share/doc/heapwright"
python3 scripts/licences.py "$library" >"$share/doc/heapwright/THIRD-PARTY.txt"

# The same files give the same archive.
archive=$folder/$name.tar.gz
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" \
    -C "$work" -cf - "$name" | gzip -9n >"$archive.new"
mv "$archive.new" "$archive"
(cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s\n' "$archive"
