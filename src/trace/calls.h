/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the calls in calls.def. The implementation is made from the table by recorder/gen_calls.py. */
#ifndef FIRMA_TRACE_CALLS_H
#define FIRMA_TRACE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* The name of a call by its number ("MPI_Send"); NULL: there is no such number. */
const char *call_name(uint16_t call);

/* Call numbers are below it. */
uint16_t call_count(void);

/* The number of a call by its name; false: not in the table, or local. */
bool call_find(const char *name, uint16_t *call);

#endif
