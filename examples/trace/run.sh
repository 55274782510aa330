#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does a program do when it runs? Two short runs of examples/jacobi are recorded, shown, and
# compared.
. "$(dirname "$0")/../begin.sh"

run mpicc -O2 "$here/../jacobi/jacobi.c" -o jacobi -lm
run firma check ./jacobi
run firma trace -o short.trace -- mpirun -n 2 ./jacobi 200 100
run firma trace -o long.trace -- mpirun -n 2 ./jacobi 200 120

run firma show short.trace
run firma show short.trace --ticks 10:19 --no-receives
run firma show short.trace --matrix

# The runs differ in the number of steps: the answer is no, and the exit status 1.
run firma diff short.trace long.trace || echo
finish
