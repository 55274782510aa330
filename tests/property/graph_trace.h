/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace that running a task graph leaves, as a program would: computation before each event, nothing else. */
#pragma once

#include "memory_trace.h"
#include "model/tfg.h"

/* A second of the graph takes unit_ns. */
MemoryTrace *trace_of_graph(const TaskGraph *graph, int64_t unit_ns);
