/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves over two axes, with a legend, inside a page. */
#pragma once

#include "report/svg.h"

enum { CHART_DASHES = 6 };

typedef struct Curve {
    const char *name;
    size_t n;
    const double *x, *y;      /* a pair that isn't finite, or can't be on its axis, is left out */
    const double *low, *high; /* intervals of y; NULL: none */
    bool is_line, is_points;
    size_t colour, dash; /* as svg_colour() numbers them; 0 is a solid line, others are dashed */
} Curve;

typedef struct Chart {
    const char *title; /* for readers who don't see the picture */
    Axis x, y;         /* least to most are found by the curves, unless most is set; pixels are set here */
    double height;     /* without legend and the axis's values */
    size_t n_curves;
    const Curve *curves;
} Chart;

void svg_chart(Text *page, Chart chart, Arena *arena);
