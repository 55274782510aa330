#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a host of tests/links a node of a cluster, inside the host's own mount namespace; the machine's files don't change.
#
#   node.sh DIRECTORY NAME PROGRAMS [SHARED …]
#
# The node gets
#   /usr   with the programs of the folder PROGRAMS/usr beside the machine's own
#   /etc   with the files of DIRECTORY/etc before the machine's own
#   /tmp   of its own, in which the folders SHARED are those of all nodes
#   /run   of its own
# and the daemons of munge and ssh, and of Slurm: slurmd, and slurmctld on the first node (daemons.sh).
set -eu

directory=$1 name=$2 programs=$3
shift 3
[ "$programs" = / ] || mount -t overlay overlay -o "lowerdir=$programs/usr:/usr" /usr
mount -t overlay overlay -o "lowerdir=$directory/etc:/etc" /etc
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -m 755 /run/munge /run/sshd /run/slurm

own=/run/tmp
mkdir "$own"
mount -t tmpfs -o mode=1777,size=256m tmpfs "$own"
for shared; do
    case $shared in
    /tmp/*)
        mkdir -p "$own/${shared#/tmp/}"
        mount --bind "$shared" "$own/${shared#/tmp/}"
        ;;
    esac
done
mount --rbind "$own" /tmp
cd /
exec "$directory/daemons.sh" "$directory" "$name"
