#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages that are missing for a purpose: build, check, demo. Prints their names, and uses sudo only if
# needed. Without apt, it prints what is needed, and the build finds out whether it is there.
set -eu

build="gcc libc6-dev meson ninja-build pkgconf python3 curl ca-certificates libopen-trace-format2-dev libjansson-dev libgsl-dev libflint-dev libpopt-dev libcsv-dev libelf-dev libxxhash-dev
       libprotobuf-c-dev protobuf-c-compiler
       libhwloc-dev libscotch-dev libclang-19-dev llvm libopenmpi-dev openmpi-bin libmpich-dev mpich"
check="libcmocka-dev protobuf-compiler scotch gfortran python3-mpi4py otf2-tools man-db libsimgrid-dev simgrid pvm pvm-dev iproute2 iputils-ping openssh-client procps openjdk-17-jdk-headless"
demo="lammps"

case "${1:-}" in
build) packages=$build ;;
check) packages="$build $check" ;;
demo) packages="$build $demo" ;;
*)
    echo "usage: $0 build|check|demo" >&2
    exit 2
    ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system; firma needs what these packages hold:" $packages
    exit 0
fi

# pkgconf and pkg-config replace each other.
is_installed() {
    case $1 in
    pkgconf) command -v pkg-config >/dev/null ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    esac
}

missing=
for package in $packages; do
    is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "firma ($1) needs these Debian packages, which are missing:$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install them as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
    echo "installing them asks for sudo"
fi

export DEBIAN_FRONTEND=noninteractive
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}
# Fetch the lists of packages only if a package is missing there, or is out of date.
if ! apt-cache show $missing >/dev/null 2>&1 || ! install; then
    $as_root apt-get update
    install
fi
