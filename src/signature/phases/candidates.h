/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of very many known contents of one length a content can be similar to, without looking at each of them.
 * Contents are cut into groups: the events of one process in some ticks that follow each other. Two contents that are
 * similar differ in few events, and each of those is in one group: so of any so many groups and one more, one is the
 * same in both. The content is only compared with those that share one of its rarest groups:
 *
 *      tick           0   1   2  |  3   4   5  |
 *      process 0      A   B   C  |  A   -   D  |      {A B C}: in 812 contents      {A - D}: in 3: these are candidates
 *      process 1      A   C   D  |  D   E   F  |      {A C D}: in 90                {D E F}: in none
 */
#pragma once

#include "signature/phases/content.h"

typedef struct Candidates {
    double differing;         /* share of a content's events that a similar one doesn't have, at most */
    uint32_t ticks_per_group; /* 0: of no use */
    VEC(struct Posting) postings;
    struct Bucket *buckets;
    size_t n_buckets; /* 0 or a power of two */
    uint32_t n_contents;
    /* Of the last search: */
    VEC(uint32_t) found; /* ascending */
    VEC(uint32_t) seen;  /* [n_contents] the number of the search that found it last */
    uint32_t n_searches;
    /* Of the content at hand: */
    VEC(struct GroupSum) sums; /* by process, of the group that grows */
    VEC(uint32_t) processes;   /* that have events in it */
    VEC(uint32_t) groups;      /* hashes; the first n_full have an event in each tick */
    size_t n_full;
} Candidates;

void candidates_init(Candidates *candidates, double least_match);
void candidates_free(Candidates *candidates);

/* Contents have the numbers 0, 1, … in the order in which they are added. */
void candidates_add(Candidates *candidates, const Content *content);

/* In `found`: all contents from number `from` on that can be similar to this one, and some that aren't. False: to look
 * at each of them takes less. */
bool candidates_find(Candidates *candidates, const Content *content, uint32_t from);
