/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of MPICH and SMPI (rules.h). */
#include "placement/graph/rules.h"

/* MPICH 4.0's rules for processes of which it doesn't know nodes: its file
 * maint/tuning/coll/mpir/generic.json (4.0.2), for blocking calls and predefined operations.
 * Libraries that are made of MPICH have much the same limits. Limits count what Open MPI's do
 * (rules_openmpi.c), but all parts together in allgather(v) and reduce_scatter(_block). */
const CollectiveRule mpich_rules[] = {
    {COLLECTIVE_BARRIER, 2, {{0, &dissemination_barrier}}},
    {COLLECTIVE_BCAST, 2, {{0, &binomial_bcast}}},
    {COLLECTIVE_BCAST, 8, {{0, &binomial_bcast}, {12289, &scatter_ring_bcast}}},
    {COLLECTIVE_BCAST,
     8 | POWERS_OF_TWO,
     {{0, &binomial_bcast}, {12289, &scatter_doubling_bcast}, {524289, &scatter_ring_bcast}}},
    {COLLECTIVE_GATHER, 2, {{0, &binomial_gather}}},
    {COLLECTIVE_GATHERV, 2, {{0, &star_gatherv}}},
    {COLLECTIVE_SCATTER, 2, {{0, &binomial_scatter}}},
    {COLLECTIVE_SCATTERV, 2, {{0, &star_scatterv}}},
    {COLLECTIVE_ALLGATHER, 2, {{0, &bruck_allgather}, {81920, &ring_allgather}}},
    {COLLECTIVE_ALLGATHER, 2 | POWERS_OF_TWO, {{0, &doubling_allgather}, {524288, &ring_allgather}}},
    {COLLECTIVE_ALLGATHERV, 2, {{0, &bruck_allgather}, {81920, &ring_allgather}}},
    {COLLECTIVE_ALLGATHERV, 2 | POWERS_OF_TWO, {{0, &doubling_allgather}, {524288, &ring_allgather}}},
    {COLLECTIVE_ALLTOALL, 2, {{0, &scattered_alltoall}, {32769, &mutual_alltoall}}},
    {COLLECTIVE_ALLTOALL, 8, {{0, &bruck_alltoall}, {257, &scattered_alltoall}, {32769, &mutual_alltoall}}},
    {COLLECTIVE_ALLTOALLV, 2, {{0, &scattered_alltoall}}},
    {COLLECTIVE_ALLTOALLW, 2, {{0, &scattered_alltoall}}},
    {COLLECTIVE_ALLREDUCE, 2, {{0, &doubling_allreduce}, {9, &halving_allreduce}}},
    {COLLECTIVE_REDUCE, 2, {{0, &binomial_reduce}, {2049, &halving_reduce}}},
    {COLLECTIVE_REDUCE_SCATTER, 2, {{0, &halving_reduce_scatter}, {524288, &pairwise_reduce_scatter}}},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 2, {{0, &halving_reduce_scatter}, {524288, &pairwise_reduce_scatter}}},
    {COLLECTIVE_SCAN, 2, {{0, &doubling_scan}}},
    {COLLECTIVE_EXSCAN, 2, {{0, &doubling_scan}}},
    {COLLECTIVE_CREATE_HANDLE, 2, {{0, &dissemination_barrier}}},
    {COLLECTIVE_DESTROY_HANDLE, 2, {{0, &nothing}}},
    {.collective = COLLECTIVE_COUNT},
};

/* SMPI's own selector, `default` (SimGrid 3.32: src/smpi/colls/smpi_default_selector.cpp and
 * smpi_nbc_impl.cpp): mostly all at once. */
const CollectiveRule smpi_rules[] = {
    {COLLECTIVE_BARRIER, 2, {{0, &star_barrier}}},
    {COLLECTIVE_BCAST, 2, {{0, &binomial_bcast}}},
    {COLLECTIVE_GATHER, 2, {{0, &star_gather}}},
    {COLLECTIVE_GATHERV, 2, {{0, &star_gatherv}}},
    {COLLECTIVE_SCATTER, 2, {{0, &star_scatter}}},
    {COLLECTIVE_SCATTERV, 2, {{0, &star_scatterv}}},
    {COLLECTIVE_ALLGATHER, 2, {{0, &pairs_allgather}}},
    {COLLECTIVE_ALLGATHERV, 2, {{0, &pairs_allgather}}},
    {COLLECTIVE_ALLTOALLV, 2, {{0, &scattered_alltoall}}},
    {COLLECTIVE_ALLTOALLW, 2, {{0, &scattered_alltoall}}},
    {COLLECTIVE_ALLREDUCE, 2, {{0, &reduce_bcast_allreduce}}},
    {COLLECTIVE_REDUCE, 2, {{0, &star_reduce}}},
    {COLLECTIVE_REDUCE_SCATTER, 2, {{0, &reduce_scatterv}}},
    {COLLECTIVE_REDUCE_SCATTER, 2 | UNEVEN_PARTS, {{0, &doubling_reduce_scatter}, {524288, &pairwise_reduce_scatter}}},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 2, {{0, &reduce_scatterv}}},
    {COLLECTIVE_SCAN, 2, {{0, &pairs_scan}}},
    {COLLECTIVE_EXSCAN, 2, {{0, &pairs_scan}}},
    {COLLECTIVE_CREATE_HANDLE, 2, {{0, &dissemination_barrier}}},
    {COLLECTIVE_DESTROY_HANDLE, 2, {{0, &nothing}}},
    {.collective = COLLECTIVE_COUNT},
};
