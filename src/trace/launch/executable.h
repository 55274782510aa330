/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the MPI that an executable file is linked with. Private to trace/. */
#pragma once

#include "trace/launch.h"

typedef enum Linkage {
    LINKAGE_MPI,
    LINKAGE_WITHOUT_MPI, /* linked only with other shared libraries */
    LINKAGE_STATIC,
    LINKAGE_SCRIPT /* no ELF file */
} Linkage;

/* How an executable holds PVM's static library, libpvm3.a. */
typedef enum StaticPvm { STATIC_PVM_NONE, STATIC_PVM_ALONE, STATIC_PVM_WITH_RECORDER } StaticPvm;

StaticPvm executable_static_pvm(const char *path, Arena *arena);

Linkage executable_linkage(const char *path, Arena *arena);

/* The MPI that the file is linked with, and its library's name; MPI_FLAVOUR_NONE: no MPI. */
MpiFlavour executable_flavour(const char *path, Arena *arena, const char **library);
