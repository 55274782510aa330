/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs on which this process may run. */
#pragma once

#include "base/err.h"
#include <jansson.h>

bool processors_bind(unsigned cpu, Err *err);

/* An array of their numbers. */
json_t *processors_list(void);
