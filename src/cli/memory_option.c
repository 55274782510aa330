/* SPDX-License-Identifier: BSD-3-Clause */
/* See memory_option.h. */
#include "cli/memory_option.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t half_of_the_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (size_t)pages / 2 * (size_t)page_bytes : 0; /* 0: no limit */
}

/* "", "M", "MB", "MiB": what a size is multiplied with; 0: no unit. */
static double unit_bytes(const char *unit)
{
    static const char letters[] = "KMGT";
    double factor = 1;
    if (*unit) {
        const char *letter = strchr(letters, *unit & ~0x20); /* in either case */
        if (letter && *letter) {
            factor = pow(1024, (double)(letter - letters + 1));
            unit += unit[1] == 'i' && unit[2] == 'B' ? 2 : 1;
        }
    }
    return !*unit || strcmp(unit, "B") == 0 ? factor : 0;
}

bool memory_option_parse(const char *text, size_t *size_bytes, Err *err)
{
    if (!text) {
        *size_bytes = half_of_the_machine();
        return true;
    }
    char *unit;
    double size = strtod(text, &unit);
    size *= unit == text ? 0 : unit_bytes(unit);
    if (!(size >= 1 && size < (double)(SIZE_MAX / 2)))
        return err_set(err, ERR_USAGE, "--memory: \"%s\" is not a size", text) ||
               err_hint(err, "a number and K, M, G or T, such as 512M or 2G");
    *size_bytes = (size_t)size;
    return true;
}
