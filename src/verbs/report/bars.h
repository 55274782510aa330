/* SPDX-License-Identifier: BSD-3-Clause */
/* A bar for each of some items, under one another, each of several parts. */
#pragma once

#include "verbs/report/page.h"

enum { BAR_PARTS = 4 };

typedef struct Bar {
    const char *name, *value; /* left of the bar, and behind it */
    double parts[BAR_PARTS];  /* their sum is at most `whole` */
} Bar;

/* classes: of the parts. whole: the value of the longest possible bar. Every bar has `n_parts` parts. */
void draw_bars(Page *page, const char *title, const Bar *bars, size_t n, const char *const *classes, size_t n_parts,
               double whole);

/* The same without the element around the picture, below a y. Returns its height; 0: nothing is drawn. */
double bars_body(Text *text, const Bar *bars, size_t n, const char *const *classes, size_t n_parts, double whole,
                 double top, Arena *arena);
