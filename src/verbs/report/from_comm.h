/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement of messages tells a report. */
#pragma once

#include "model/comm.h"
#include "model/machine.h"
#include <jansson.h>

/* The document "communication": comm.json without what no picture shows, and what libraries cost over the system. Of a
 * machine model, which may be NULL, also what it says of each series of messages. */
json_t *from_comm(const CommMeasurement *measurement, const MachineModel *machine, Arena *arena);
