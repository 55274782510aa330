/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI's own Fortran bindings call MPI inside its library, where a recorder that is linked into the program isn't
 * seen. These call it from the program. simulate.py links them with programs in Fortran. */
#include <smpi/mpi.h>

void mpi_init_(int *error);
void mpi_finalize_(int *error);
void mpi_send_(void *data, int *count, int *type, int *peer, int *tag, int *comm, int *error);
void mpi_recv_(void *data, int *count, int *type, int *peer, int *tag, int *comm, MPI_Status *status, int *error);
void mpi_sendrecv_(void *out, int *out_count, int *out_type, int *to, int *out_tag, void *in, int *in_count,
                   int *in_type, int *from, int *in_tag, int *comm, MPI_Status *status, int *error);
void mpi_allreduce_(void *out, void *in, int *count, int *type, int *operation, int *comm, int *error);
void smpi_init_fortran_types(void);

void mpi_init_(int *error)
{
    smpi_init_fortran_types();
    *error = MPI_Init(NULL, NULL);
}

void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}

void mpi_send_(void *data, int *count, int *type, int *peer, int *tag, int *comm, int *error)
{
    *error = MPI_Send(data, *count, MPI_Type_f2c(*type), *peer, *tag, MPI_Comm_f2c(*comm));
}

/* The programs here ignore all statuses. */
void mpi_recv_(void *data, int *count, int *type, int *peer, int *tag, int *comm, MPI_Status *status, int *error)
{
    (void)status;
    *error = MPI_Recv(data, *count, MPI_Type_f2c(*type), *peer, *tag, MPI_Comm_f2c(*comm), MPI_STATUS_IGNORE);
}

void mpi_sendrecv_(void *out, int *out_count, int *out_type, int *to, int *out_tag, void *in, int *in_count,
                   int *in_type, int *from, int *in_tag, int *comm, MPI_Status *status, int *error)
{
    (void)status;
    *error = MPI_Sendrecv(out, *out_count, MPI_Type_f2c(*out_type), *to, *out_tag, in, *in_count,
                          MPI_Type_f2c(*in_type), *from, *in_tag, MPI_Comm_f2c(*comm), MPI_STATUS_IGNORE);
}

void mpi_allreduce_(void *out, void *in, int *count, int *type, int *operation, int *comm, int *error)
{
    *error = MPI_Allreduce(out, in, *count, MPI_Type_f2c(*type), MPI_Op_f2c(*operation), MPI_Comm_f2c(*comm));
}
