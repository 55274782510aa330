#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Gets the grammar with which firma reads Java sources, tree-sitter-java from npm, into a folder; nothing of the system is
# changed. Meson runs it when it configures a build folder; without a network firma is built without Java.
#   tools/tree_sitter_java.sh FOLDER
# What comes is checked: the package's SHA-256 is below.
set -eu

version=0.23.5
checksum=6b6c1b62605f9d8bb80efd2ebe5951a87b182faafa3eeb67c460a667818551b6
archive=tree-sitter-java-$version.tgz
url=https://registry.npmjs.org/tree-sitter-java/-/$archive

fail() {
    echo "tree_sitter_java.sh: $1" >&2
    [ $# -lt 2 ] || echo "  hint: $2" >&2
    exit 1
}

[ $# -eq 1 ] || fail "which folder?" "tools/tree_sitter_java.sh FOLDER"
folder=$1
if [ "$(cat "$folder/checksum" 2>/dev/null)" = $checksum ] && [ -f "$folder/src/parser.c" ]; then
    echo "tree-sitter-java $version is in $folder"
    exit 0
fi
if [ -e "$folder" ] && [ ! -e "$folder/checksum" ] && ! rmdir "$folder" 2>/dev/null; then
    fail "$folder: is there, and isn't a grammar" "name another folder"
fi
for tool in sha256sum tar; do
    command -v $tool >/dev/null || fail "no $tool here"
done

mkdir -p "$(dirname "$folder")" || fail "cannot make $(dirname "$folder")"
folder=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work" "$folder.part"' EXIT
trap 'exit 130' INT TERM HUP

# npm knows of mirrors and proxies that are set for it; the others ask the registry itself.
with_npm() {
    command -v npm >/dev/null && (cd "$work" && npm pack --silent --prefer-offline --fetch-retries=0 --fetch-timeout=20000 "tree-sitter-java@$version")
}
with_curl() {
    command -v curl >/dev/null && curl -fsSL --connect-timeout 10 --max-time 60 -o "$work/$archive" "$url"
}
with_wget() {
    command -v wget >/dev/null && wget -q --tries=1 --timeout=20 -O "$work/$archive" "$url"
}
is_right() {
    [ -f "$work/$archive" ] && echo "$checksum  $work/$archive" | sha256sum --check --status
}

for way in with_npm with_curl with_wget; do
    $way >"$work/log" 2>&1 || continue
    is_right && break
done
if ! is_right; then
    [ -s "$work/$archive" ] && fail "$archive: its SHA-256 isn't $checksum" "what came isn't the package that firma knows"
    tail -n 3 "$work/log" >&2
    fail "could not get $archive with npm, curl or wget" "is the network there? firma is built without Java then"
fi
tar -xzf "$work/$archive" -C "$work"
rm -rf "$folder.part"
mkdir "$folder.part"
mv "$work/package/src" "$work/package/LICENSE" "$folder.part/"
echo $checksum >"$folder.part/checksum"
rm -rf "$folder"
mv "$folder.part" "$folder"
echo "tree-sitter-java $version is in $folder"
