/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines and workers of `firma cost predict` and `firma cost run`: --machine, --kinds, --workers. */
#pragma once

#include "verbs/cost/kinds_option.h"

#define COST_WORKERS_LIMIT 1000000

/* The machine model of -m; usage error if there's no -m. */
bool cost_load_machine(Arena *arena, MachineModel **machine, Err *err);

/* All choices of --kinds or --workers; without either, one worker. --workers choose machines of the
 * model's only kind, or of this host's kind. */
bool cost_find_choices(const MachineModel *machine, Arena *arena, size_t *n, const MachineChoices **choices, Err *err);

/* The kind that `--workers` means: the only one, or this host's. */
bool cost_find_local_kind(const MachineModel *machine, const char **kind, Err *err);

/* The numbers of --workers, if there is no machine model. */
bool cost_find_workers(uint64_t most, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err);
