/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI calls an executable can make, as text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "trace/binary/binary.h"

typedef struct BinaryView {
    const char *mpi_name; /* "Open MPI"; "" if firma doesn't know this MPI */
    const char *recorder; /* path of the recorder for this MPI; NULL: there is none */
    bool holds_recorder;  /* firma's recorder for PVM is linked into the program */
    bool all;             /* a line for every call, not only for those that firma doesn't record */
    bool color;
} BinaryView;

const char *binary_text(const Binary *binary, const BinaryView *view, Arena *arena);
extern const FieldList binary_fields;
json_t *binary_json(const Binary *binary, const BinaryView *view);
