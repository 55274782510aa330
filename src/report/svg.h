/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures inside a page. Lengths are pixels of a picture that is WIDTH wide; the page scales it. Colours are
 * classes, which the page's style defines: one for each activity, and s0 to s4 for what isn't one. Titles and labels
 * may hold any text. */
#pragma once

#include "base/text.h"

enum { SVG_WIDTH = 860, SVG_COLOURS = 5 };

void svg_begin(Text *page, double height, const char *title, Arena *arena);
void svg_end(Text *page);

/* The style of pictures in a page, with colours for light and dark. */
const char *svg_page_style(void);

/* A picture's body, as it stands between svg_begin() and svg_end(), in the page; or a whole SVG file of it. Both free
 * the text `body`. */
void svg_insert(Text *page, Text *body, double height, const char *title, Arena *arena);
const char *svg_file(Text *body, double width, double height, const char *title, Arena *arena);

/* What stands above a picture that is a file, with a note in smaller letters, or NULL. Returns the y below it. */
double svg_heading(Text *body, const char *heading, const char *note, Arena *arena);

/* tip: what a reader sees who points at the box; NULL: nothing. */
void svg_box(Text *page, double x, double y, double width, double height, const char *class, const char *tip,
             Arena *arena);
void svg_line(Text *page, double x1, double y1, double x2, double y2, const char *class);
void svg_arrow(Text *page, double x1, double y1, double x2, double y2, const char *class);
void svg_label(Text *page, double x, double y, const char *class, const char *text, Arena *arena);

/* About how wide a label is. */
double svg_label_width(const char *text);

/* The colour's class: s0 … s4, and again from s0 on. */
const char *svg_colour(size_t number);

/* A name for each colour, in lines below `y`. Returns the y below them. */
double svg_legend(Text *page, double x, double y, const char *const *classes, const char *const *names, size_t n,
                  Arena *arena);

/* Stacked shares of something, piece by piece: shares[piece × stride + layer] from 0 to 1. Piece i is as wide as
 * edges[i] to edges[i + 1], in pixels; edges NULL: all are equally wide from x to x + width. The first layer is at the
 * bottom. */
typedef struct SvgBand {
    double x, y, width, height;
    size_t n_pieces, n_layers, stride;
    const double *shares, *edges;
    const char *const *classes; /* [n_layers] */
    const char *const *names;   /* [n_layers] what a reader sees who points at a layer; NULL: nothing */
} SvgBand;

void svg_band(Text *page, const SvgBand *band, Arena *arena);

typedef struct Axis {
    double least, most; /* values at its ends */
    double from, to;    /* pixels at its ends */
    bool is_logarithmic;
    bool is_binary; /* and shows powers of two */
    bool is_whole;  /* its values are whole numbers */
    size_t n_shown; /* of a logarithmic axis: it shows these values alone, in any order; 0: round ones */
    const double *shown;
    const char *(*format)(Arena *arena, double value);
    const char *title;
} Axis;

/* A number without a unit; –: it isn't known. */
const char *format_plain(Arena *arena, double value);

/* Extends the axis to round numbers. */
void axis_round(Axis *axis);
double axis_at(const Axis *axis, double value);

/* The axis shows these values, too, and no round ones. */
void axis_show(Axis *axis, const double *values, size_t n, Arena *arena);

/* The axis with its values: along the bottom at pixel `at`, with lines up to pixel `end`; or along the left side. */
void svg_axis_below(Text *page, const Axis *axis, double at, double end, Arena *arena);
void svg_axis_left(Text *page, const Axis *axis, double at, double end, Arena *arena);
