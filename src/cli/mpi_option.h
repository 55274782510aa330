/* SPDX-License-Identifier: BSD-3-Clause */
/* --mpi, the same in every verb that starts a launcher. */
#ifndef FIRMA_CLI_MPI_OPTION_H
#define FIRMA_CLI_MPI_OPTION_H

#include "base/err.h"
#include "trace/segment.h"
#include <popt.h>

#define MPI_OPTION(text)                                                                                               \
    {                                                                                                                  \
        "mpi", 0, POPT_ARG_STRING, (text), 0, "which MPI the program uses, where it can't be found out",               \
            "openmpi|mpich|smpi"                                                                                       \
    }

/* NULL is "find out". */
bool mpi_option_parse(const char *text, MpiFlavour *flavour, Err *err);

#endif
