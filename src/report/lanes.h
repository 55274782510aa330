/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, one below the other, over an axis of time: what happens in each, and when. */
#pragma once

#include "report/svg.h"

typedef struct Lanes {
    const char *title;        /* above the names: what a row is */
    const char *const *names; /* of the rows; long ones are cut */
    size_t n;
    double top, left, row_height, thickness; /* a row is thick, with a gap below it */
    Axis axis;                               /* of time, from 0 */
} Lanes;

/* So that all rows fit a page. has_gaps: room for messages between rows. */
Lanes lanes_new(const char *title, const char *const *names, size_t n, double until_s, double top, bool has_gaps);

/* The axis and the names. Draw what happens behind it. Returns the y of a legend below. */
double lanes_begin(Text *body, const Lanes *lanes, Arena *arena);

/* The names alone. */
void lanes_names(Text *body, const Lanes *lanes, Arena *arena);

double lanes_at(const Lanes *lanes, double time_s);
double lanes_y(const Lanes *lanes, size_t row);
double lanes_bottom(const Lanes *lanes);

/* Something that lasts. tip: as of svg_box(). */
void lanes_box(Text *body, const Lanes *lanes, size_t row, double from_s, double to_s, const char *class,
               const char *tip, Arena *arena);

/* Shares of what happens, as of svg_band(), in equal pieces of the whole time. */
void lanes_shares(Text *body, const Lanes *lanes, size_t row, const SvgBand *shares, Arena *arena);
