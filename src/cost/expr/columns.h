/* SPDX-License-Identifier: BSD-3-Clause */
/* Terms of a sum, many at once: the values of each atom for COLUMN_ROWS successive indexes stand in a
 * column of 64-bit numbers. Private to this folder. */
#pragma once

#include "cost/expr/evaluate.h"

enum { COLUMN_ROWS = 256 };

/* The columns of a loop's products. NULL: a product isn't made of floor, step, max and the like alone. */
typedef struct Columns Columns;
Columns *columns_new(const SumLoop *loop, Arena *arena);
void columns_end(Columns *columns); /* NULL is fine */

/* Evaluates what doesn't depend on the index. *is_fine: all of it is exact and not too long. */
bool columns_begin(Columns *columns, Evaluation *evaluation, Value from, Value step, bool *is_fine);

/* Adds the terms first … first + n - 1 to the totals of the loop's parts; n <= COLUMN_ROWS. False: a number
 * isn't whole or is beyond 64 bits, and no total has changed. */
bool columns_add(Columns *columns, RationalPool *pool, SumLoop *loop, uint64_t first, size_t n);
