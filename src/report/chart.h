/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves over two axes, with a legend, inside a page. */
#pragma once

#include "report/svg.h"

enum { CHART_DASHES = 6 };

typedef struct Curve {
    const char *name; /* NULL: it isn't in the legend */
    size_t n;
    const double *x, *y;      /* a pair that isn't finite, or can't be on its axis, is left out */
    const double *low, *high; /* intervals of y; NULL: none */
    bool is_line, is_points;
    bool is_band;  /* the intervals are a band, not a whisker at each point */
    size_t n_line; /* of the line, if it doesn't lead from point to point; it is broken where line_y isn't finite */
    const double *line_x, *line_y;
    size_t colour, dash; /* as svg_colour() numbers them; 0 is a solid line, others are dashed */
} Curve;

typedef struct Chart {
    const char *title;   /* for readers who don't see the picture */
    const char *heading; /* above the picture; NULL: it stands in the page */
    double known_to;     /* beyond this x, all is extrapolated, which is marked; 0: nothing is */
    Axis x, y;           /* least to most are found by the curves, unless most is set; pixels are set here */
    double height;       /* without legend and the axis's values */
    size_t n_curves;
    const Curve *curves;
} Chart;

/* Nothing if there is no point to draw. */
void svg_chart(Text *page, Chart chart, Arena *arena);

/* The same without the element around the picture, for svg_file(). Returns its height; 0: nothing is drawn. */
double chart_body(Text *body, Chart chart, Arena *arena);
