/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI calls an executable can make, told from its symbols and those of the libraries that it needs; nothing of it
 * is run. A symbol says what can be called, not what is. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <stddef.h>
#include <stdint.h>

/* What firma does with a call. In the order of how much it matters to the user. */
typedef enum CallClass {
    CLASS_UNKNOWN,       /* not in firma's table: runs as without firma, and nothing is known of it */
    CLASS_COUNTED,       /* communicates, but is counted by name only */
    CLASS_WITHOUT_EVENT, /* its time is kept, and its number, but it has no place in the logical order */
    CLASS_IO,            /* a file operation: computation, and its number */
    CLASS_RECORDED,      /* an event, or what makes events understood */
    CLASS_LOCAL,         /* doesn't communicate */
    CLASS_COUNT
} CallClass;

const char *call_class_name(CallClass class); /* "unknown", "counted", …: part of the JSON form */

typedef enum BinaryLinkage {
    BINARY_WITHOUT_MPI,
    BINARY_SHARED_MPI,     /* what the recorder is made for */
    BINARY_STATIC_MPI,     /* MPI is in the executable itself: a preloaded library isn't asked */
    BINARY_STATIC_STRIPPED /* static, and without symbols: it may hold MPI or not */
} BinaryLinkage;

typedef struct BinaryCall {
    const char *name; /* in C: "MPI_Send", however the program spells it */
    CallClass class;
    uint32_t n_importers;
    const char *const *importers; /* [n_importers] base names: the program, its libraries */
} BinaryCall;

typedef struct Binary {
    const char *path;
    BinaryLinkage linkage;
    MpiFlavour flavour;      /* of the shared MPI; NONE: a kind that firma doesn't know, or not found here */
    const char *mpi_library; /* its path, or the name that is missing here; "" without */
    uint32_t n_calls;
    const BinaryCall *calls; /* by class, then name */
    uint32_t n_missing;
    const char *const *missing; /* [n_missing] names of needed libraries that aren't found on this machine */
    bool followed;              /* its libraries were looked at too; false: it's for another kind of machine */
} Binary;

/* ERR_INPUT: not there, a script, no ELF file, broken. */
bool binary_read(const char *path, Arena *arena, Binary *binary, Err *err);

/* How many of its calls are of a class. */
uint32_t binary_count_calls(const Binary *binary, CallClass class);
