/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace of a program that executes a task graph: computation before each event, and nothing
 * else. */
#pragma once

#include "memory_trace.h"
#include "model/tfg.h"

/* A second of the graph takes unit_ns. */
MemoryTrace *trace_of_graph(const TaskGraph *graph, int64_t unit_ns);
