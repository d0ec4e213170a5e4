#!/bin/sh
# Fetches JUnit and JaCoCo, with which generated Java tests are verified, through Maven into the
# user's cache. The versions are in jvm-tools.xml. Does nothing when they are there already; with
# --check it only says, by its exit code, whether they are.
set -eu
cd "$(dirname "$0")"

plugin=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright
target=$cache/jvm

# The copy of jvm-tools.xml is written last: where it is, the rest is complete.
if cmp -s jvm-tools.xml "$target/jvm-tools.xml"; then
    exit 0
fi
[ "${1-}" != --check ] || exit 1

command -v mvn >/dev/null 2>&1 || {
    printf '%s\n' "setup: mvn was not found. Install Maven and run this again." >&2
    exit 1
}
printf '%s\n' "setup: fetching JUnit and JaCoCo" >&2
mkdir -p "$target"
fetched=$(mktemp -d "$cache/jvm-fetched.XXXXXX")
trap 'rm -rf "$fetched"' EXIT
mvn --quiet --batch-mode -Dstyle.color=never --file jvm-tools.xml "$plugin:copy-dependencies" \
    -DoutputDirectory="$fetched" -Dmdep.stripVersion=true -DexcludeTransitive=true >&2
mv "$fetched"/*.jar "$target"
# A driver that was compiled against other versions is of no use.
rm -rf "$target"/driver-*
cp jvm-tools.xml "$target/jvm-tools.xml.new"
mv "$target/jvm-tools.xml.new" "$target/jvm-tools.xml"
