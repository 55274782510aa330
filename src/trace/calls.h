/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the calls in calls.def. recorder/gen_calls.py generates the implementation from this
 * table. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The name of the call with this number ("MPI_Send"), or NULL. */
const char *call_name(uint16_t call);

/* What the recorder does with a call. */
typedef enum CallTreatment {
    CALL_RECORDED, /* records the call, and its events if it has any */
    /* Records the call, and counts it. The call synchronises some processes, but has no place in the
     * logical order. */
    CALL_WITHOUT_EVENT,
    CALL_IO,     /* a file operation: counts as computation, and is counted */
    CALL_COUNTED /* counts the calls, and records nothing else */
} CallTreatment;

CallTreatment call_treatment(uint16_t call);

/* True if the call returns at once, whether it found something or not (MPI_Test, MPI_Iprobe).
 * Programs wait by calling it again and again. */
bool call_is_poll(uint16_t call);

/* All call numbers are below this count. */
uint16_t call_count(void);

/* The number of the call with this name. False: the table doesn't have the name, or the call is
 * local. */
bool call_find(const char *name, uint16_t *call);
