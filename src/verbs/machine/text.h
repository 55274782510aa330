/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine model as text. */
#ifndef FIRMA_VERBS_MACHINE_TEXT_H
#define FIRMA_VERBS_MACHINE_TEXT_H

#include "base/arena.h"
#include "model/machine.h"

/* Hosts, what messages cost between them segment by segment, what collectives cost. */
const char *machine_text(const MachineModel *machine, bool color, Arena *arena);

#endif
