#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Gets the programs of a cluster for tests/cluster: Slurm, munge, OpenSSH's server, and libfaketime. Unpacks Debian's packages into a folder,
# and installs nothing: installed packages would start their services on this machine. Changes nothing in the system, and needs
# no root.
#   tools/cluster.sh FOLDER     `make check` puts them into build/cluster
# Packages that this machine lacks come from its own apt sources, which checks their signatures.
set -eu

packages="openssh-server slurmctld slurmd slurm-client munge libfaketime"

fail() {
    echo "cluster.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
folder=$1
if [ -x "$folder/usr/sbin/slurmd" ]; then
    echo "the cluster's programs are in $folder"
    exit 0
fi
for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || fail "no $tool here"
done

mkdir -p "$(dirname "$folder")"
folder=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work" "$folder.part"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$work" # because apt downloads as its own user
mkdir -p "$work/lists/partial" "$work/archives/partial"
if [ "$(id -u)" -eq 0 ] && id _apt >/dev/null 2>&1; then
    chown -R _apt "$work"
fi

# Packages that are installed already are fetched too, so that the folder is complete. What they depend on comes with them
# only if this machine lacks it. Arguments: further options of apt.
get() {
    apt-get -q -y "$@" -o Debug::NoLocking=1 -o "Dir::Cache::archives=$work/archives" -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 --no-install-recommends --reinstall --download-only \
        install $packages >"$work/log" 2>&1 # each is a word
}
get_with_new_lists() {
    apt-get -q -o Debug::NoLocking=1 -o "Dir::State::lists=$work/lists" -o Acquire::Languages=none \
        -o APT::Update::Error-Mode=any -o Acquire::http::Timeout=20 update >"$work/log" 2>&1 &&
        get -o "Dir::State::lists=$work/lists"
}

echo "getting $packages for tests"
# The machine's own lists of packages may be out of date, or absent.
if ! get && ! get_with_new_lists; then
    tail -n 5 "$work/log" >&2
    fail "apt could not get them; is the network there?"
fi

rm -rf "$folder.part"
mkdir "$folder.part"
for package in "$work"/archives/*.deb; do
    dpkg-deb -x "$package" "$folder.part"
done
# What Debian's alternatives would do at the installation.
for program in slurmctld slurmd slurmstepd; do
    ln -s "$program-wlm" "$folder.part/usr/sbin/$program"
done
# Of other places than /usr, tests have files of their own, or need none.
find "$folder.part" -mindepth 1 -maxdepth 1 ! -name usr -exec rm -rf {} +
rm -rf "$folder.part/usr/share" "$folder.part/usr/lib/systemd"
rm -rf "$folder"
mv "$folder.part" "$folder"
echo "the cluster's programs are in $folder"
