/* SPDX-License-Identifier: BSD-3-Clause */
/* How addresses of elements and fields move from one iteration of a loop to the next, by the text of the source alone.
 * Private to this folder. */
#pragma once

#include "cost/compiled/regions.h"

typedef enum StrideKind {
    STRIDE_NONE,   /* it doesn't move */
    STRIDE_STEADY, /* by `elements` */
    STRIDE_FAR,    /* by a distance that isn't a number in the source, such as a row's length */
    STRIDE_DATA    /* data tell where it moves */
} StrideKind;

typedef struct Stride {
    StrideKind kind;
    double elements;
} Stride;

/* The assignments of all variables. */
typedef struct Strides Strides;
Strides *strides_new(const SourceProgram *program, const CompiledRegions *regions, Arena *arena);

/* The loop or function from which the function with this region is called most often; -1: none. */
int strides_caller(const Strides *strides, int function);

/* Of the address of an element, a dereferenced pointer or a field, over the iterations of a loop around it, maybe of
 * a function that calls its own. Of a field, in elements that are its structure. */
Stride strides_of_address(const Strides *strides, const SourceExpression *expression, int loop);

/* Text that is the same for addresses that differ by a constant alone: a[i], a[i - 1]. */
const char *strides_key(const SourceExpression *expression, Arena *arena);
