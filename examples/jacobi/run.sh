#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long does a run take? `firma study` runs the program twice under its recorder, finds the phases
# that repeat, times a few percent of the run, and predicts. --verify runs the program once more in
# full, to compare.
. "$(dirname "$0")/../begin.sh"

run mpicc -O2 "$here/jacobi.c" -o jacobi -lm
run firma study --verify -- mpirun -n 2 ./jacobi 1000 3000

# The same in steps. The last two could run on another machine.
run firma trace -- mpirun -n 2 ./jacobi 1000 3000
run firma phases jacobi.trace -o jacobi.firma
run firma measure jacobi.firma -- mpirun -n 2 ./jacobi 1000 3000
run firma predict jacobi.firma times.json
finish
