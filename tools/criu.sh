#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Gets a CRIU that can save MPI jobs (4.2 or later), for a Debian that has an older one or none. Puts it into a folder of its
# own. Changes nothing in the system, and needs no root.
#   tools/criu.sh [PREFIX]     default: ~/.cache/firma/criu, where firma finds it; `make criu` puts it into build/criu
# The packages come from Debian's sid, through the mirror that this machine's apt uses; apt checks their signatures. They
# bring the C library that they need: PREFIX/criu is a script that runs CRIU with this library.
set -eu

prefix=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/firma/criu}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
    echo "criu.sh: $1" >&2
    [ $# -lt 2 ] || echo "  hint: $2" >&2
    exit 1
}

# "Version: 4.2.1" -> true from version 4.2 on
is_new_enough() {
    version=$("$1" --version 2>/dev/null | sed -n 's/^Version: *//p')
    [ -n "$version" ] && [ "$(printf '%s\n4.2\n' "$version" | sort -V | head -n 1)" = 4.2 ]
}

if [ -x "$prefix/criu" ] && is_new_enough "$prefix/criu"; then
    echo "CRIU $version is in $prefix"
    exit 0
fi
if [ -e "$prefix" ] && [ ! -x "$prefix/criu" ] && ! rmdir "$prefix" 2>/dev/null; then
    fail "$prefix: is there, and isn't a CRIU" "name another folder"
fi
for tool in apt-get apt-cache dpkg-deb; do
    command -v $tool >/dev/null || fail "no $tool here" "install CRIU 4.2 or later, and name it in FIRMA_CRIU"
done
[ -r $keyring ] || fail "no $keyring: packages couldn't be checked" "apt-get install debian-archive-keyring"

# Finds Debian's mirror in this machine's own sources, but not the mirror of security updates.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
    sed -n -e '/[Ss]ecurity/d' -e 's/^\([^ ]*\) Debian$/\1/p' -e 's/^\([^ ]*\/debian\/\) *$/\1/p' | head -n 1)
[ -n "$mirror" ] || fail "this machine's apt knows no Debian mirror" "see /etc/apt/sources.list"

mkdir -p "$(dirname "$prefix")" || fail "cannot make $(dirname "$prefix")"
prefix=$(cd "$(dirname "$prefix")" && pwd)/$(basename "$prefix")
work=$(mktemp -d)
trap 'rm -rf "$work" "$prefix.part"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$work" # because apt downloads as its own user
mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
cat >"$work/sources/sid.sources" <<END
Types: deb
URIs: $mirror
Suites: sid
Components: main
Signed-By: $keyring
END
if [ "$(id -u)" -eq 0 ] && id _apt >/dev/null 2>&1; then
    chown -R _apt "$work/lists" "$work/cache" "$work/packages"
fi

quietly() {
    "$@" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        fail "apt could not get CRIU from $mirror" "is the network there? CRIU 4.2 or later from elsewhere: FIRMA_CRIU names it"
    }
}
apt_of_sid() {
    tool=$1
    shift
    "$tool" -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources" -o "Dir::State::lists=$work/lists" \
        -o "Dir::Cache=$work/cache" -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=20 \
        -o Acquire::https::Timeout=20 "$@"
}

echo "getting CRIU from $mirror"
quietly apt_of_sid apt-get -o APT::Update::Error-Mode=any update
packages=$(apt_of_sid apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances criu | grep -E '^(criu|lib[a-z0-9.+-]*)$' | grep -v '^libc-gconv-modules' | sort -u)
[ -n "$packages" ] || fail "sid has no CRIU"
cd "$work/packages"
# shellcheck disable=SC2086 # each package is a word
quietly apt_of_sid apt-get download $packages

rm -rf "$prefix.part"
mkdir "$prefix.part"
for package in ./*.deb; do
    dpkg-deb -x "$package" "$prefix.part/root"
done
rm -rf "$prefix.part/root/usr/share/doc" "$prefix.part/root/usr/share/man"
cat >"$prefix.part/criu" <<'END'
#!/bin/sh
# Runs this folder's CRIU with the C library that it needs. The folder can be moved.
root=$(dirname "$(readlink -f "$0")")/root
for loader in "$root"/usr/lib64/ld-linux-*.so.* "$root"/usr/lib/ld-linux-*.so.*; do
    [ -x "$loader" ] || continue
    libraries=$(dirname "$(echo "$root"/usr/lib/*/libc.so.6)")
    exec "$loader" --library-path "$libraries" "$root/usr/sbin/criu" "$@"
done
echo "$root: no loader in it" >&2
exit 127
END
chmod 755 "$prefix.part/criu"
is_new_enough "$prefix.part/criu" || fail "sid's CRIU doesn't run here: $("$prefix.part/criu" --version 2>&1 | head -n 1)"
rm -rf "$prefix"
mv "$prefix.part" "$prefix"
echo "CRIU $version is in $prefix"
