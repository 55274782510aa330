/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds candidates: of very many known contents of one length, those that a content can be
 * similar to. Other contents needn't be compared.
 *
 * A content is cut into groups. A group is the events of one process in some consecutive ticks.
 * Two similar contents differ in few events, at most d, and each event is in one group. So of
 * any d + 1 groups of a content, at least one is also a group of each similar content. Only
 * contents that share one of its d + 1 rarest groups are candidates:
 *
 *     tick           0   1   2  |  3   4   5  |
 *     process 0      A   B   C  |  A   -   D  |   {A B C}: in 812 contents   {A - D}: in 3 (candidates)
 *     process 1      A   C   D  |  D   E   F  |   {A C D}: in 90             {D E F}: in none */
#pragma once

#include "signature/phases/content.h"

typedef struct Candidates {
    double differing;         /* largest share of a content's events that a similar content can
                                 lack */
    uint32_t ticks_per_group; /* 0: groups can't be used */
    VEC(struct Posting) postings;
    struct Bucket *buckets;
    size_t n_buckets; /* 0 or a power of two */
    uint32_t n_contents;
    /* Results of the last search: */
    VEC(uint32_t) found; /* ascending */
    VEC(uint32_t) seen;  /* [n_contents] number of the search that last found it */
    uint32_t n_searches;
    /* The groups of one content while they are made: */
    VEC(struct GroupSum) sums; /* by process: the group that grows */
    VEC(uint32_t) processes;   /* processes with events in their group */
    /* Hashes of the groups; the first n_full groups have an event in each tick. */
    VEC(uint32_t) groups;
    size_t n_full;
} Candidates;

void candidates_init(Candidates *candidates, double least_match);
void candidates_free(Candidates *candidates);

/* Contents get the numbers 0, 1, … in the order in which they are added. */
void candidates_add(Candidates *candidates, const Content *content);

/* Puts into `found` all contents from number `from` on that can be similar to this one, and some
 * that can't. False: comparing with each content takes less time. */
bool candidates_find(Candidates *candidates, const Content *content, uint32_t from);
