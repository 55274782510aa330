/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine model as text. */
#pragma once

#include "base/arena.h"
#include "model/machine.h"

/* Hosts, what messages cost between them segment by segment, what collectives cost. */
const char *machine_text(const MachineModel *machine, bool color, Arena *arena);
