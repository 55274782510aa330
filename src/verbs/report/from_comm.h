/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement of messages tells a report. */
#pragma once

#include "model/comm.h"
#include <jansson.h>

/* The document "communication": comm.json without what no picture shows, and what libraries cost over the system. */
json_t *from_comm(const CommMeasurement *measurement, Arena *arena);
