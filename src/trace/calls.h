/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the calls in calls.def. The implementation is made from the table by recorder/gen_calls.py. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The name of a call by its number ("MPI_Send"); NULL: there is no such number. */
const char *call_name(uint16_t call);

/* What becomes of a call. */
typedef enum CallTreatment {
    CALL_RECORDED,      /* with its events, or there is nothing to tell but its time */
    CALL_WITHOUT_EVENT, /* synchronises some processes, but has no place in the logical order: its time, and its number
                         */
    CALL_IO,            /* a file operation: computation, and its number */
    CALL_COUNTED        /* its number alone */
} CallTreatment;

CallTreatment call_treatment(uint16_t call);

/* Whether it returns at once, found or not (MPI_Test, MPI_Iprobe): who waits with it calls it again and again. */
bool call_is_poll(uint16_t call);

/* Call numbers are below it. */
uint16_t call_count(void);

/* The number of a call by its name; false: not in the table, or local. */
bool call_find(const char *name, uint16_t *call);
