#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What do messages cost? All that is installed (the operating system, Open MPI, MPICH, PVM) is
# measured for 20 seconds on this machine, and becomes a machine model, machine.json.
. "$(dirname "$0")/../begin.sh"

run firma comm -t 20s -o here
run firma machine show here/machine.json
finish
