/* SPDX-License-Identifier: BSD-3-Clause */
/* From which size on messages wait for their receivers (rendezvous), by what messages cost. Shorter ones are sent at
 * once (eager). docs/METHOD.md, section 12. */
#pragma once

#include "model/machine.h"

/* The size from which on messages wait, if the path's costs show it. False: they don't. */
bool rendezvous_find(const MachinePath *path, uint64_t *bytes);

/* SMPI's own. */
enum { RENDEZVOUS_DEFAULT_BYTES = 65536 };
