/* SPDX-License-Identifier: BSD-3-Clause */
/* See ref_table.h. */
#include "trace/reader/ref_table.h"

#include "base/arena.h"
#include <stdlib.h>

enum { DENSE_LIMIT = 1 << 22 };

void ref_table_put(RefTable *table, uint64_t ref, uint32_t value)
{
    if (ref >= table->n_dense && ref < DENSE_LIMIT && ref < 2 * (uint64_t)table->n_dense + 1024) {
        uint32_t grown = (uint32_t)(2 * ref + 16);
        table->dense = memory_resize(table->dense, grown * sizeof *table->dense);
        for (uint32_t i = table->n_dense; i < grown; i++)
            table->dense[i] = ref_table_get_sparse(table, i);
        table->n_dense = grown;
    }
    if (ref < table->n_dense)
        table->dense[ref] = value;
    else
        *map_put(&table->sparse, (MapKey){0, ref}, NULL) = (uint64_t)value + 1;
}

uint32_t ref_table_get_sparse(const RefTable *table, uint64_t ref)
{
    uint64_t *value = map_get(&table->sparse, (MapKey){0, ref});
    return value ? (uint32_t)(*value - 1) : NOT_FOUND;
}

void ref_table_free(RefTable *table)
{
    free(table->dense);
    map_free(&table->sparse);
    *table = (RefTable){0};
}
