/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the suffixes of a text in linear time, by induced sorting (Nong, Zhang and Chan, Two
 * Efficient Algorithms for Linear Time Suffix Array Construction, IEEE Transactions on Computers
 * 60(10), 2011). */
#pragma once

#include <stdint.h>

/* Puts the starts of the suffixes of text[0 .. n) into order[n], in lexical order. A suffix stands
 * before those that it is a prefix of. Letters are below `n_letters`; n < UINT32_MAX. Takes less
 * than 35 bytes a letter while it runs. */
void suffixes_sort(const uint32_t *text, uint32_t n, uint32_t n_letters, uint32_t *order);
