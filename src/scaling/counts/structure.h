/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes of a phase do, without numbers: neither partners nor volumes nor how often. Private to the
 * folder. */
#pragma once

#include "model/signature.h"

/* The different sequences of calls of its processes, sorted: "allreduce; send allreduce". Equal calls in a row count as
 * one. In the arena. */
const char *structure_text(const Phase *phase, uint32_t n_processes, Arena *arena);
