/* SPDX-License-Identifier: BSD-3-Clause */
/* What is otherwise inside SimGrid's SMPI, where all ranks are one process: each has its own copy of the program, and
 * of this library, which is linked into it, as nothing that is preloaded is seen there. */
#pragma once

#include "trace/recorder/library.h"

/* Stands in for queries that SMPI declares, and ends the program at. */
void simulated_replace_queries(Mpi *queries);

/* The simulated host of this rank. */
void simulated_host(char *host, size_t size_bytes);

/* The process's executable and command line are the simulator's: makes them the program's. */
void simulated_find_program(ProcessFile *file);
