/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what one ELF file, an executable or a library, tells about MPI. Private to binary/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(const char *) Names; /* texts in the arena */

typedef struct Object {
    const char *path;
    bool is_dynamic;           /* has a dynamic section */
    bool is_own_machine;       /* built for the same kind of machine as firma itself */
    bool has_symbols;          /* has a symbol table of any kind */
    Names imported;            /* undefined symbols that can be MPI calls */
    Names defined;             /* functions that can be MPI calls; also those of an executable's static symbol table */
    Names needed;              /* DT_NEEDED */
    bool is_openmpi, is_mpich; /* defines symbols that only this MPI defines */
} Object;

/* Reads an ELF file. ERR_INPUT: no ELF file, or broken. Call object_free() in any case. */
bool object_read(const char *path, Arena *arena, Object *object, Err *err);
void object_free(Object *object);

bool names_have(const Names *names, const char *name);
