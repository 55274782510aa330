#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What do traces of other tools say? jacobi.prv is what Extrae 5.1.2 recorded of examples/jacobi, with
# two ranks and 20 steps. stencil.txt is a time-independent trace, written by `smpirun -trace-ti` of
# SimGrid 3.32: two ranks of a ring.
. "$(dirname "$0")/../begin.sh"

run firma trace --convert "$here/jacobi.prv" -o jacobi.trace
run firma show jacobi.trace
run firma phases jacobi.trace

# It holds no times, but flops: here, each process computes 10^9 of them in a second.
run firma trace --convert "$here/stencil.txt" --flop-rate 1e9 -o stencil.trace
run firma show stencil.trace --events 0:9 --rank 0
finish
