/* SPDX-License-Identifier: BSD-3-Clause */
/* See mpi_option.h. */
#include "cli/mpi_option.h"

#include <string.h>

bool mpi_option_parse(const char *text, MpiFlavour *flavour, Err *err)
{
    if (!text)
        *flavour = MPI_FLAVOUR_NONE;
    else if (strcmp(text, "openmpi") == 0)
        *flavour = MPI_FLAVOUR_OPENMPI;
    else if (strcmp(text, "mpich") == 0)
        *flavour = MPI_FLAVOUR_MPICH;
    else if (strcmp(text, "smpi") == 0)
        *flavour = MPI_FLAVOUR_SMPI;
    else
        return err_set(err, ERR_USAGE, "--mpi: `%s` isn't known; there are openmpi, mpich and smpi", text);
    return true;
}
