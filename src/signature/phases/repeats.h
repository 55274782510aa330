/* SPDX-License-Identifier: BSD-3-Clause */
/* Of each place of a text, from left to right: how much of what follows is found again further right. */
#pragma once

#include <stdint.h>

typedef struct Repeats {
    uint32_t *previous, *next; /* [n] neighbours in lexical order among the places that are still there, or n */
    uint32_t *common;          /* [n] letters in common with the previous one */
    uint32_t n;
} Repeats;

/* Letters are below `n_letters`; n < UINT32_MAX. Linear in n; 12 bytes a letter. */
void repeats_init(Repeats *repeats, const uint32_t *text, uint32_t n, uint32_t n_letters);
void repeats_free(Repeats *repeats);

/* The most letters that text[place ..) has in common with text[later ..) of any later place. To be called for places
 * 0, 1, 2, … in turn. */
uint32_t repeats_take(Repeats *repeats, uint32_t place);
