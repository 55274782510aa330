/* SPDX-License-Identifier: BSD-3-Clause */
/* See heat_map.h: the data of matrix.gp. */
#include "verbs/show/heat_map.h"

#include "report/plot.h"
#include "verbs/plots.h"
#include <math.h>

/* The decades that hold all values above 0. */
static void find_decades(const double *values, size_t count, double *least, double *most)
{
    double smallest = INFINITY, largest = 1;
    for (size_t i = 0; i < count; i++) {
        smallest = values[i] > 0 ? fmin(smallest, values[i]) : smallest;
        largest = fmax(largest, values[i]);
    }
    *least = pow(10, floor(log10(fmin(smallest, largest))));
    *most = pow(10, ceil(log10(largest)));
    if (*most <= *least)
        *most = 10 * *least;
}

const char *heat_map(const HeatMap *map, Arena *arena)
{
    uint32_t block = map->block, rows = (map->n + block - 1) / block;
    double least, most, middle = (block - 1) / 2.0;
    Text data = {0};
    find_decades(map->values, (size_t)rows * rows, &least, &most);
    text_add(&data, "name = %s\none = '%s'\nseveral = '%s'\nare_messages = %d\n", plot_quote(map->name, arena),
             map->one, map->several, map->are_messages);
    text_add(&data, "n = %u\nblock = %u\nleast = %.9g\nmost = %.9g\n$cells << END\n", map->n, block, least, most);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < rows; i++) {
            double value = map->values[(size_t)row * rows + i];
            if (value > 0)
                text_add(&data, "%.1f %.1f %.9g\n", i * block + middle, row * block + middle, value);
        }
    text_add(&data, PLOT_NO_ROW "END\n");
    return plot_script(&data, PLOT_SHOW_MATRIX, arena);
}
