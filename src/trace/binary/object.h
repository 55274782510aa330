/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to binary/: what one ELF file, executable or library, says of MPI. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(const char *) Names; /* texts in the arena */

typedef struct Object {
    const char *path;
    bool is_dynamic;           /* has a dynamic section */
    bool is_own_machine;       /* of the kind that firma itself is */
    bool has_symbols;          /* any symbol table at all */
    Names imported;            /* undefined symbols that can be MPI calls */
    Names defined;             /* functions, the same; of the executable's static symbol table too */
    Names needed;              /* DT_NEEDED */
    bool is_openmpi, is_mpich; /* defines what only this MPI does */
} Object;

/* ERR_INPUT: no ELF file, broken. Free in any case. */
bool object_read(const char *path, Arena *arena, Object *object, Err *err);
void object_free(Object *object);

bool names_have(const Names *names, const char *name);
