#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds DMTCP, which saves and restores MPI jobs without root, in a folder of its own. Changes nothing in the system.
#   tools/dmtcp.sh [PREFIX]     default: ~/.local; `make dmtcp` puts it into build/dmtcp, where firma finds it
# It clones the sources from URL at COMMIT. firma's tests have been run with this commit. Both can be set in the environment:
#   DMTCP_URL=/a/clone DMTCP_COMMIT=HEAD tools/dmtcp.sh
set -eu

prefix=${1:-$HOME/.local}
url=${DMTCP_URL:-https://github.com/dmtcp/dmtcp.git}
commit=${DMTCP_COMMIT:-2bef5cf8}

fail() {
    echo "dmtcp.sh: $1" >&2
    [ $# -lt 2 ] || echo "  hint: $2" >&2
    exit 1
}

# "dmtcp_launch (DMTCP) 5.0" -> true from version 5.0 on
is_new_enough() {
    version=$("$1" --version 2>/dev/null | sed -n 's/.*(DMTCP) *\([^ ]*\).*/\1/p')
    [ -n "$version" ] && [ "$(printf '%s\n5.0\n' "$version" | sort -V | head -n 1)" = 5.0 ]
}

if [ -x "$prefix/bin/dmtcp_launch" ] && is_new_enough "$prefix/bin/dmtcp_launch"; then
    echo "DMTCP $version is in $prefix"
    exit 0
fi
for tool in git make g++; do
    command -v $tool >/dev/null || fail "no $tool here" "apt-get install git make g++"
done
mkdir -p "$prefix" || fail "cannot make $prefix"
prefix=$(cd "$prefix" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

quietly() {
    what=$1
    shift
    "$@" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        fail "$what failed"
    }
}

echo "getting DMTCP $commit from $url"
quietly "git clone" git clone --quiet "$url" "$work/dmtcp"
cd "$work/dmtcp"
quietly "git checkout" git checkout --quiet "$commit"
echo "building it, which takes some minutes"
quietly "configure" ./configure --prefix="$prefix"
quietly "make" make -j "$(nproc)"
quietly "make install" make install
is_new_enough "$prefix/bin/dmtcp_launch" || fail "what was built doesn't run here"
echo "DMTCP $version is in $prefix"
