/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's MPI library, found at run time. The recorder library must load into any process,
 * with or without MPI. So it may have no undefined symbols of MPI, not even for data such as
 * ompi_mpi_comm_world. */
#pragma once

#include "trace/recorder/middleware.h"
#include "trace/recorder/recorder.h"
#include <mpi.h>

/* A handle as a number: a pointer in Open MPI, an int in MPICH. */
#define HANDLE(value) ((uint64_t)(uintptr_t)(value))
#define HANDLE_AT(place) ((place) ? HANDLE(*(place)) : NO_HANDLE)
#define NO_HANDLE UINT64_MAX
#define COMM_OF(handle) ((MPI_Comm)(uintptr_t)(handle))

/* The functions of MPI that the recorder calls itself. None of them communicates. */
#define MPI_QUERIES(QUERY)                                                                                             \
    QUERY(Cart_shift)                                                                                                  \
    QUERY(Cartdim_get)                                                                                                 \
    QUERY(Comm_get_parent)                                                                                             \
    QUERY(Comm_group)                                                                                                  \
    QUERY(Comm_rank)                                                                                                   \
    QUERY(Comm_remote_group)                                                                                           \
    QUERY(Comm_size)                                                                                                   \
    QUERY(Comm_test_inter)                                                                                             \
    QUERY(Dist_graph_neighbors)                                                                                        \
    QUERY(Dist_graph_neighbors_count)                                                                                  \
    QUERY(Error_class)                                                                                                 \
    QUERY(Get_elements_x)                                                                                              \
    QUERY(Get_library_version)                                                                                         \
    QUERY(Graph_neighbors)                                                                                             \
    QUERY(Graph_neighbors_count)                                                                                       \
    QUERY(Group_free)                                                                                                  \
    QUERY(Group_rank)                                                                                                  \
    QUERY(Group_size)                                                                                                  \
    QUERY(Group_translate_ranks)                                                                                       \
    QUERY(Query_thread)                                                                                                \
    QUERY(Test_cancelled)                                                                                              \
    QUERY(Topo_test)                                                                                                   \
    QUERY(Type_size_x)                                                                                                 \
    QUERY(Win_get_group)

#define DECLARE_QUERY(name) __typeof__(&PMPI_##name) name;

typedef struct Mpi {
    MPI_QUERIES(DECLARE_QUERY)
    MPI_Comm comm_world, comm_self, comm_null;
    MPI_Request request_null;
    MPI_Message message_null, message_no_process;
    MPI_Datatype byte;
    MPI_Op no_op;
} Mpi;

/* library_load() fills it in. */
extern Mpi mpi;

/* The functions behind ours, per call: the next MPI_X, or the next PMPI_X. */
typedef void AnyFunction(void);
extern AnyFunction *library_functions[CALL_NAMES][CALL_LIMIT];
AnyFunction *library_find(CallName name, uint16_t call);

/* The next function with the name that was called. A tool may define MPI_X and call PMPI_X, so that
 * neither name stands for the other. The lookup happens at the first use, which may come before the
 * constructors of this library. */
static inline AnyFunction *library_next(CallName name, uint16_t call)
{
    AnyFunction *function = __atomic_load_n(&library_functions[name][call], __ATOMIC_RELAXED);
    return function ? function : library_find(name, call);
}
