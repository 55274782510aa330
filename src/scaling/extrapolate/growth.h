/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of a process of the largest run a process of the target has, in which order: loops whose numbers of
 * iterations follow a law of p are repeated so often. Private to the folder. */
#pragma once

#include "scaling/extrapolate/runs.h"

/* An event of the target. */
typedef struct EventPlace {
    size_t event;       /* its number in a process of the largest run */
    uint32_t process;   /* that process */
    unsigned doublings; /* of its direction, in a hypercube */
    double computation; /* factor of what is computed before it */
} EventPlace;

typedef VEC(EventPlace) EventPlaces;

enum { EVENTS_LIMIT = 1 << 27 };

/* Puts together what processes at both ends of a side do, for a process between them. Events of kinds that both have must
 * come in the same order; those of one alone come between them. ERR_INPUT: they don't. */
bool growth_merge(const LoadedRun *run, const EventPlaces *first, const EventPlaces *other, size_t n_kinds,
                  EventPlaces *merged, Err *err);

/* process: of the largest run, the last of `runs`. ERR_INPUT: the numbers of its events follow no law, or the target has
 * too many. */
bool growth_find(const LoadedRun *runs, uint32_t n, const Kinds *kinds, uint32_t process, const Shape *target,
                 EventPlaces *places, Err *err);
