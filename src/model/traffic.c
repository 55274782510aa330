/* SPDX-License-Identifier: BSD-3-Clause */
/* See traffic.h. */
#include "model/traffic.h"
#include <assert.h>

Traffic *traffic_between(TrafficTable *table, uint32_t from, uint32_t to)
{
    bool is_new;
    uint64_t *number = map_put(&table->number_of, (MapKey){from, to}, &is_new);
    if (is_new) {
        *number = table->pairs.count;
        *vec_push(&table->pairs) = (Traffic){from, to, 0, 0};
    }
    assert(*number < table->pairs.count);
    return &table->pairs.items[*number];
}

void traffic_free(TrafficTable *table)
{
    map_free(&table->number_of);
    vec_free(&table->pairs);
}
