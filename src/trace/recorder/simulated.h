/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that differ in SimGrid's SMPI. There, all ranks live in one process. Each rank has its own
 * copy of the program and of this library, which is linked into the program because preloading
 * doesn't work there. */
#pragma once

#include "trace/recorder/library.h"

/* Replaces queries that SMPI only declares, and that would end the program. */
void simulated_replace_queries(Mpi *queries);

/* The simulated host of this rank. */
void simulated_host(char *host, size_t size_bytes);

/* Sets the program's executable and command line. Those of the process itself are the
 * simulator's. */
void simulated_find_program(ProcessFile *file);
