/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the messages that tasks send to each other and receive:
 *     TrafficTable table = {0};  traffic_between(&table, 0, 1)->sent++;  traffic_free(&table); */
#pragma once

#include "base/map.h"
#include "base/vec.h"

typedef struct Traffic {
    uint32_t from, to;
    uint64_t sent, received;
} Traffic;

typedef struct TrafficTable {
    Map number_of; /* from, to -> index in `pairs` */
    VEC(Traffic) pairs;
} TrafficTable;

/* The counts for a pair of tasks; 0 for a new pair. The pointer is valid until the next call. */
Traffic *traffic_between(TrafficTable *table, uint32_t from, uint32_t to);

void traffic_free(TrafficTable *table);
