/* SPDX-License-Identifier: BSD-3-Clause */
/* See list_option.h. */
#include "cli/list_option.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static bool read_size(const char **text, bool has_units, uint64_t *number)
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

typedef struct NumberList {
    const char *option, *text;
    uint64_t least, most;
    bool has_units, by_doubling;
} NumberList;

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

static bool parse_numbers(const NumberList *list, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err)
{
    uint64_t *found = arena_new_array(arena, uint64_t, ITEMS_LIMIT), first, last;
    uint32_t count = 0;
    const char *rest = list->text;
    for (;; rest++) {
        if (!read_size(&rest, list->has_units, &first))
            return err_set(err, ERR_USAGE, "%s: `%s` is no list of numbers", list->option, list->text) ||
                   err_hint(err, "for example %s %s", list->option,
                            list->has_units     ? "1:4M, or 8,1k,64k"
                            : list->by_doubling ? "1:32, or 2,3,8"
                                                : "2,4,8");
        last = first;
        if (*rest == ':') {
            rest++;
            if (!read_size(&rest, list->has_units, &last) || last < first)
                return err_set(err, ERR_USAGE, "%s: `%s` is no range", list->option, list->text);
        }
        for (uint64_t number = first; number <= last;
             number = list->by_doubling ? (number ? 2 * number : 1) : number + 1)
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

bool numbers_option_parse(const char *option, const char *text, uint64_t least, uint64_t most, Arena *arena,
                          uint32_t *n, const uint64_t **numbers, Err *err)
{
    return parse_numbers(&(NumberList){option, text, least, most, false, false}, arena, n, numbers, err);
}

bool doublings_option_parse(const char *option, const char *text, uint64_t least, uint64_t most, Arena *arena,
                            uint32_t *n, const uint64_t **numbers, Err *err)
{
    return parse_numbers(&(NumberList){option, text, least, most, false, true}, arena, n, numbers, err);
}

bool sizes_option_parse(const char *option, const char *text, uint64_t most, Arena *arena, uint32_t *n,
                        const uint64_t **sizes, Err *err)
{
    return parse_numbers(&(NumberList){option, text, 0, most, true, true}, arena, n, sizes, err);
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
