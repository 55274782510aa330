/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes that the program makes. Only their sizes matter. */
#include "cost/source/mpi/run.h"

#include <math.h>

static bool argument_size(const MpiCall *call, size_t i, int64_t *bytes)
{
    const Handle *type = handle_find(call->run, amount_of(call->scope, call->call->operands[i]));
    if (!type || type->kind != HANDLE_DATATYPE)
        return run_fail(call->run, &call->call->place, "the datatype of %s isn't known", call->call->name);
    *bytes = type->bytes;
    return true;
}

static void store_datatype(const MpiCall *call, size_t argument, int64_t bytes)
{
    Place place;
    Amount value = handle_add(call->run, (Handle){.kind = HANDLE_DATATYPE, .number = NAN, .bytes = bytes});
    if (place_pointed_to(call->scope, call->call->operands[argument], &place))
        place_set(call->scope, &place, value);
}

/* The product of the counts at the positions, times the old datatype's size. */
static void make(const MpiCall *call, const size_t *counts, size_t n_counts, size_t old, size_t made)
{
    int64_t bytes, count;
    if (!argument_size(call, old, &bytes))
        return;
    for (size_t i = 0; i < n_counts; i++) {
        if (!argument_whole(call, counts[i], "count", &count))
            return;
        bytes *= count;
    }
    store_datatype(call, made, bytes);
}

static void make_subarray(const MpiCall *call)
{
    int64_t n, bytes, size;
    if (!argument_whole(call, 0, "number of dimensions", &n) || !argument_size(call, 5, &bytes))
        return;
    for (int64_t i = 0; i < n; i++) {
        if (!argument_element(call, 2, i, "sizes", &size))
            return;
        bytes *= size;
    }
    store_datatype(call, 6, bytes);
}

static void tell_size(const MpiCall *call)
{
    int64_t bytes;
    if (argument_size(call, 0, &bytes))
        argument_set(call, 1, bytes);
}

bool call_datatype(const MpiCall *call)
{
    const char *name = call->call->name;
    if (strcmp(name, "MPI_Type_commit") == 0 || strcmp(name, "MPI_Type_free") == 0)
        return true;
    if (strcmp(name, "MPI_Type_contiguous") == 0)
        make(call, (size_t[]){0}, 1, 1, 2);
    else if (strcmp(name, "MPI_Type_vector") == 0 || strcmp(name, "MPI_Type_create_hvector") == 0)
        make(call, (size_t[]){0, 1}, 2, 3, 4);
    else if (strcmp(name, "MPI_Type_create_resized") == 0)
        make(call, NULL, 0, 0, 3);
    else if (strcmp(name, "MPI_Type_create_subarray") == 0)
        make_subarray(call);
    else if (strcmp(name, "MPI_Type_size") == 0)
        tell_size(call);
    else
        return false;
    return true;
}
