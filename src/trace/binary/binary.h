/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the MPI calls that an executable can make, by its symbols and those of the libraries that
 * it needs. Nothing of the program runs. A symbol shows what the program can call, not what it does
 * call. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <stddef.h>
#include <stdint.h>

/* What firma does with a call; the first class matters most to the user. */
typedef enum CallClass {
    CLASS_UNKNOWN,       /* not in firma's table: it runs as without firma, and nothing about it is recorded */
    CLASS_COUNTED,       /* communicates, but firma only counts it */
    CLASS_WITHOUT_EVENT, /* firma records its time and counts it, but it has no place in the logical order */
    CLASS_IO,            /* a file operation: counts as computation, and is counted */
    CLASS_RECORDED,      /* firma records its events, or needs it to interpret other events */
    CLASS_LOCAL,         /* doesn't communicate */
    CLASS_COUNT
} CallClass;

const char *call_class_name(CallClass class); /* "unknown", "counted", …: part of the JSON form */

typedef enum BinaryLinkage {
    BINARY_WITHOUT_MPI,
    BINARY_SHARED_MPI,     /* the recorder can be preloaded */
    BINARY_STATIC_MPI,     /* MPI is part of the executable, so a preloaded library has no effect */
    BINARY_STATIC_STRIPPED /* static, and without symbols; it may or may not contain MPI */
} BinaryLinkage;

typedef struct BinaryCall {
    const char *name; /* name in C, such as "MPI_Send", in whatever language the program calls it */
    CallClass class;
    uint32_t n_importers;
    const char *const *importers; /* [n_importers] base names of the program and its libraries that import it */
} BinaryCall;

typedef struct Binary {
    const char *path;
    BinaryLinkage linkage;
    MpiFlavour flavour;      /* of the shared MPI; NONE: firma doesn't know this kind, or the library isn't here */
    const char *mpi_library; /* path of this library, or its name if it isn't here; "" without a shared MPI */
    uint32_t n_calls;
    const BinaryCall *calls; /* by class, then name */
    uint32_t n_missing;
    const char *const *missing; /* [n_missing] names of needed libraries that aren't found on this machine */
    bool followed;              /* its libraries were read, too; false: it is for another kind of machine */
} Binary;

/* Reads an executable. ERR_INPUT: it doesn't exist, is a script, isn't an ELF file, or is broken. */
bool binary_read(const char *path, Arena *arena, Binary *binary, Err *err);

/* The number of its calls of one class. */
uint32_t binary_count_calls(const Binary *binary, CallClass class);
