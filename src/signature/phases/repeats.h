/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells for each place of a text how much of what follows it occurs again further right. Places are
 * asked from left to right. */
#pragma once

#include <stdint.h>

typedef struct Repeats {
    uint32_t *previous, *next; /* [n] neighbours in lexical order among the places that are left,
                                  or n */
    uint32_t *common;          /* [n] length of the common prefix with `previous` */
    uint32_t n;
} Repeats;

/* Letters are below `n_letters`; n < UINT32_MAX. Takes time linear in n, and 12 bytes a letter. */
void repeats_init(Repeats *repeats, const uint32_t *text, uint32_t n, uint32_t n_letters);
void repeats_free(Repeats *repeats);

/* The longest prefix that text[place ..) has in common with text[later ..) of any later place, in
 * letters. To be called for places 0, 1, 2, … in turn. */
uint32_t repeats_take(Repeats *repeats, uint32_t place);
