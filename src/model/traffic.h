/* SPDX-License-Identifier: BSD-3-Clause */
/* How many messages tasks have sent to each other, and received:  TrafficTable table = {0};
 * traffic_between(&table, 0, 1)->sent++;  traffic_free(&table); */
#pragma once

#include "base/map.h"
#include "base/vec.h"

typedef struct Traffic {
    uint32_t from, to;
    uint64_t sent, received;
} Traffic;

typedef struct TrafficTable {
    Map number_of; /* from, to -> number in pairs */
    VEC(Traffic) pairs;
} TrafficTable;

/* From one task to another, at first nothing. The pointer holds until the next call. */
Traffic *traffic_between(TrafficTable *table, uint32_t from, uint32_t to);

void traffic_free(TrafficTable *table);
