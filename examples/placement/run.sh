#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which process should go where? Eight processes exchange large faces with one neighbour and small
# faces with two others (cube.c). The platform has four nodes of two processors. A message costs 50
# µs and 125 MB/s between nodes, and 1 µs and 5 GB/s within one.
. "$(dirname "$0")/../begin.sh"

# Open MPI starts more processes than there are processors only if one of these is set: the first
# for version 4, the second from version 5 on.
export OMPI_MCA_rmaps_base_oversubscribe=true PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

run mpicc -O2 "$here/cube.c" -o cube
run firma trace -- mpirun -n 8 ./cube 50
run firma graph cube.trace -o cube.ttig
run firma map cube.ttig --platform 4x2:50us,125MB/s:1us,5GB/s -o cube
run cat cube.rankfile
finish
