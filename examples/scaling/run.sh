#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How far does it scale? First from run times on 1 to 32 processes (runs.csv), then from a formula
# of the run time.
. "$(dirname "$0")/../begin.sh"

run firma scale "$here/runs.csv" --predict 64,128

# n × n cells on p processes, by rows or by blocks. A cell costs 1 ns. A message costs 50 µs, and 8
# ns a byte. Each process sends two messages of a row, or four of a block's edge. From where on are
# blocks faster?
run firma scale model "rows = tc*n^2/p + 2*(ts + tw*8*n)" \
    "blocks = tc*n^2/p + 4*(ts + tw*8*n/sqrt(p))" \
    --set tc=1e-9 --set ts=50e-6 --set tw=8e-9 --sizes 1000,10000 -n 1:64x2
finish
