/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the numbers by which OTF2's definitions refer to each other to values. Private to trace/. */
#pragma once

#include "base/map.h"

#define NOT_FOUND UINT32_MAX

/* Numbers may be arbitrary, but are dense in practice. */
typedef struct RefTable {
    uint32_t *dense; /* [n_dense] value, or NOT_FOUND */
    uint32_t n_dense;
    Map sparse; /* numbers from n_dense on: value + 1 */
} RefTable;

void ref_table_put(RefTable *table, uint64_t ref, uint32_t value);
uint32_t ref_table_get_sparse(const RefTable *table, uint64_t ref);
void ref_table_free(RefTable *table);

static inline uint32_t ref_table_get(const RefTable *table, uint64_t ref)
{
    return ref < table->n_dense ? table->dense[ref] : ref_table_get_sparse(table, ref);
}
