/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. */
#include "cli/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS_LIMIT = 512 };

bool list_option_parse(const char *option, const char *text, Arena *arena, const char *const **words, Err *err)
{
    size_t count = 2;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    const char **list = arena_new_array(arena, const char *, count);
    size_t n = 0;
    for (const char *rest = text;; rest++) {
        size_t length = strcspn(rest, ",");
        if (length == 0)
            return err_set(err, ERR_USAGE, "%s: `%s` has an empty word", option, text);
        list[n++] = arena_strndup(arena, rest, length);
        rest += length;
        if (!*rest)
            break;
    }
    *words = list;
    return true;
}

/* A number with or without a unit; moves behind it. */
static bool read_number(const char **text, bool has_units, uint64_t *number)
{
    static const char units[] = "kMG";
    char *end;
    errno = 0;
    if (**text < '0' || **text > '9')
        return false;
    *number = strtoull(*text, &end, 10);
    const char *unit = has_units && *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    *text = end + (unit != NULL);
    return errno == 0 && *number <= (UINT64_MAX >> 1 >> shift) && (*number <<= shift, true);
}

static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint32_t sort_uniquely(uint64_t *numbers, uint32_t n)
{
    uint32_t kept = 0;
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

static bool add_number(const NumberList *list, uint64_t number, uint64_t *numbers, uint32_t *n, Err *err)
{
    if (number < list->least || number > list->most)
        return err_set(err, ERR_USAGE, "%s: %llu is not between %llu and %llu", list->option,
                       (unsigned long long)number, (unsigned long long)list->least, (unsigned long long)list->most);
    if (*n == ITEMS_LIMIT)
        return err_set(err, ERR_USAGE, "%s: `%s` are more than %d", list->option, list->text, ITEMS_LIMIT);
    numbers[(*n)++] = number;
    return true;
}

bool numbers_option_parse(const NumberList *list, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err)
{
    uint64_t *found = arena_new_array(arena, uint64_t, ITEMS_LIMIT), first, last;
    uint32_t count = 0;
    bool has_units = list->form == NUMBERS_SIZES, by_doubling = list->form != NUMBERS_EACH;
    const char *rest = list->text;
    for (;; rest++) {
        if (!read_number(&rest, has_units, &first))
            return err_set(err, ERR_USAGE, "%s: `%s` is no list of numbers", list->option, list->text) ||
                   err_hint(err, "for example %s %s", list->option,
                            has_units     ? "1:4M, or 8,1k,64k"
                            : by_doubling ? "1:32, or 2,3,8"
                                          : "2,4,8");
        last = first;
        if (*rest == ':') {
            rest++;
            if (!read_number(&rest, has_units, &last) || last < first)
                return err_set(err, ERR_USAGE, "%s: `%s` is no range", list->option, list->text);
        }
        for (uint64_t number = first; number <= last; number = by_doubling ? (number ? 2 * number : 1) : number + 1)
            if (!add_number(list, number, found, &count, err))
                return false;
        if (*rest != ',')
            break;
    }
    if (*rest)
        return err_set(err, ERR_USAGE, "%s: `%s` is no list of numbers", list->option, list->text);
    *n = sort_uniquely(found, count);
    *numbers = found;
    return true;
}

bool seconds_option_parse(const char *option, const char *text, double *seconds, Err *err)
{
    char *end;
    double number = strtod(text, &end);
    double unit = strcmp(end, "") == 0 || strcmp(end, "s") == 0 ? 1
                  : strcmp(end, "m") == 0                       ? 60
                  : strcmp(end, "h") == 0                       ? 3600
                                                                : 0;
    if (end == text || unit == 0 || !isfinite(number) || !(number > 0))
        return err_set(err, ERR_USAGE, "%s: `%s` is no duration", option, text) ||
               err_hint(err, "for example %s 90s, or %s 5m", option, option);
    *seconds = number * unit;
    return true;
}

bool number_option_parse(const char *option, const char *text, uint64_t *number, Err *err)
{
    const char *rest = text;
    uint64_t parsed;
    if (!read_number(&rest, false, &parsed) || *rest)
        return err_set(err, ERR_USAGE, "%s: `%s` is not a whole number", option, text);
    *number = parsed;
    return true;
}

bool range_option_parse(const char *option, const char *text, Range *range, Err *err)
{
    const char *rest = text;
    Range parsed = {0, UINT64_MAX};
    bool ok = *rest == ':' || read_number(&rest, false, &parsed.first);
    if (ok && *rest == ':') {
        rest++;
        ok = (!*rest && rest - text > 1) || read_number(&rest, false, &parsed.end);
    } else {
        parsed.end = parsed.first + 1;
    }
    if (!ok || *rest)
        return err_set(err, ERR_USAGE, "%s: `%s` is not a range", option, text) ||
               err_hint(err, "3:7 is 3 to 6, 3: from 3 on, :7 up to 6, and 3 is 3 alone");
    if (parsed.first >= parsed.end)
        return err_set(err, ERR_USAGE, "%s: the range `%s` is empty", option, text) ||
               err_hint(err, "3:7 is 3 to 6: the end itself isn't in it");
    *range = parsed;
    return true;
}

bool percent_option_check(const char *option, double percent, bool zero_is_fine, double *share, Err *err)
{
    if (!(percent >= 0 && percent <= 100) || (percent == 0 && !zero_is_fine))
        return err_set(err, ERR_USAGE, "%s: %g is not a percentage %s", option, percent,
                       zero_is_fine ? "between 0 and 100" : "above 0, at most 100");
    *share = percent / 100;
    return true;
}

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
