#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does a PVM program do, and where should its tasks run? A ring of four tasks (ring.c) is
# recorded as it is, in a virtual machine that firma starts for it. Its task graph is mapped onto
# the hosts of this virtual machine, and the program spawns its tasks where the mapping says. Here,
# that is one host, so PVM has no choice; on several hosts, start your virtual machine first.
. "$(dirname "$0")/../begin.sh"

run cc -O2 "$here/ring.c" -o ring -lpvm3
run firma trace -o ring.trace -- ./ring 4 100
run firma show --matrix ring.trace
run firma graph ring.trace -o ring.ttig
run firma map ring.ttig -o ring
run firma trace -o mapped.trace -- ./ring 4 100 1000 "$PWD/ring.slurm-hosts"
run firma diff ring.trace mapped.trace
finish
