/* SPDX-License-Identifier: BSD-3-Clause */
/* See bars.h. */
#include "verbs/report/bars.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { LEFT = 190, RIGHT = SVG_WIDTH - 110, LINE = 24, THICK = 16, NAME_ROOM = 26 };

double bars_body(Text *text, const Bar *bars, size_t n, const char *const *classes, size_t n_parts, double whole,
                 double top, Arena *arena)
{
    if (!n || !(whole > 0))
        return 0;
    for (size_t i = 0; i < n; i++) {
        double y = top + (double)i * LINE + 4, x = LEFT;
        svg_label(text, LEFT - 8, y + 13, "e", format_name(arena, bars[i].name, NAME_ROOM), arena);
        for (size_t k = 0; k < n_parts; k++) {
            double part = bars[i].parts[k],
                   width = isfinite(part) ? (RIGHT - LEFT) * fmin(1, fmax(0, part) / whole) : 0;
            const char *tip = n_parts > 1 ? arena_printf(arena, "%s: %s %s", bars[i].name, classes[k],
                                                         format_percent(arena, part / whole))
                                          : NULL;
            if (width > 0.05)
                svg_box(text, x, y, width, THICK, classes[k], tip, arena);
            x += width;
        }
        svg_label(text, x + 6, y + 13, "", bars[i].value, arena);
    }
    if (n_parts > 1)
        svg_legend(text, LEFT, top + (double)n * LINE + 10, classes, classes, n_parts, arena);
    return top + (double)n * LINE + (n_parts > 1 ? 32 : 6);
}

void draw_bars(Page *page, const char *title, const Bar *bars, size_t n, const char *const *classes, size_t n_parts,
               double whole)
{
    Text body = {0};
    double height = bars_body(&body, bars, n, classes, n_parts, whole, 0, page->arena);
    if (height > 0)
        svg_insert(&page->text, &body, height, title, page->arena);
}
