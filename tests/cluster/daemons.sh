#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Starts a node's daemons, when the node is made (node.sh), or after all its processes were killed.
#
#   daemons.sh DIRECTORY NAME
set -eu

name=$2 log=$1/$2.log

munged --force --num-threads=1 --key-file=/etc/munge/munge.key --pid-file=/run/munge/pid --seed-file=/run/munge/seed \
    --log-file="$log.munged" 2>>"$log"
/usr/sbin/sshd -E "$log.sshd"
[ "$name" != hosta ] || slurmctld -L "$log.slurmctld" 2>>"$log"
slurmd -N "$name" -L "$log.slurmd" 2>>"$log"
