/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI for one process, which serial programs are linked with. It has no PMPI names, and its
 * functions call each other. */
#include <mpi.h>
#include <string.h>

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    *provided = required;
    return MPI_SUCCESS;
}

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    (void)datatype;
    (void)op;
    (void)root;
    (void)comm;
    memcpy(out, in, (size_t)count * sizeof(int));
    return MPI_SUCCESS;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    (void)buffer;
    (void)count;
    (void)datatype;
    (void)root;
    (void)comm;
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const int result = MPI_Reduce(in, out, count, datatype, op, 0, comm);
    return result ? result : MPI_Bcast(out, count, datatype, 0, comm);
}

int MPI_Finalize(void)
{
    return MPI_SUCCESS;
}
