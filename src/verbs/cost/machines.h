/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines and workers of `firma cost predict` and `firma cost run`: --machine, --kinds, --workers. */
#pragma once

#include "verbs/cost/kinds_option.h"

#define COST_WORKERS_LIMIT 1000000

/* The machine model of -m; usage error if there's no -m. */
bool cost_load_machine(Arena *arena, MachineModel **machine, Err *err);

/* All choices of --kinds or --workers; if neither is given, one worker. --workers are on the model's only kind, or
 * on that of this host. */
bool cost_find_choices(const MachineModel *machine, Arena *arena, size_t *n, const MachineChoices **choices, Err *err);

/* --workers alone, where there's no machine model. */
bool cost_find_workers(uint64_t most, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err);
