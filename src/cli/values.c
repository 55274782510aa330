/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. */
#include "cli/values.h"

#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_S = 7 * 24 * 3600, ITEMS_LIMIT = 512 };

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

/* Reads a number, with a unit if has_units. Moves *text behind it. */
static bool read_number(const char **text, bool has_units, uint64_t *number)
{
    static const char units[] = "kMG";
    char *end;
    errno = 0;
    if (**text < '0' || **text > '9' || (**text == '0' && (*text)[1] >= '0' && (*text)[1] <= '9'))
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

/* ---- lists and ranges of numbers ---- */

/* The state of reading an option's text. */
typedef struct Reader {
    const char *option, *text, *at;
    const char *example; /* an example value for the hint */
    bool has_units;
    Err *err;
} Reader;

/* The error of lists and ranges. It names the option, its text and the position in it. */
__attribute__((format(printf, 3, 4))) static bool fail_at(const Reader *reader, const char *place, const char *format,
                                                          ...)
{
    char what[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return err_set(reader->err, ERR_USAGE, "%s: `%.100s`, character %zu: %s", reader->option, reader->text,
                   (size_t)(place - reader->text) + 1, what) ||
           err_hint(reader->err, "for example %s", reader->example);
}

static bool read_number_at(Reader *reader, bool has_units, uint64_t *number)
{
    const char *place = reader->at;
    return read_number(&reader->at, has_units, number) || fail_at(reader, place, "expected a number");
}

typedef struct Span {
    uint64_t first, last;
    uint64_t factor; /* factor from each number to the next; 0: each number is one more than the one before */
} Span;

/* Reads "A" or "A:B". Open ranges "A:" and ":B" are read if may_be_open. */
static bool read_span(Reader *reader, bool may_be_open, Span *span)
{
    *span = (Span){0, UINT64_MAX, 0};
    bool is_open = may_be_open && reader->at[0] == ':' && reader->at[1];
    if (!is_open && !read_number_at(reader, reader->has_units, &span->first))
        return false;
    if (*reader->at != ':') {
        span->last = span->first;
        return true;
    }
    const char *place = ++reader->at;
    if (may_be_open && !*place)
        return true;
    return read_number_at(reader, reader->has_units, &span->last) &&
           (span->first <= span->last || fail_at(reader, place, "the range ends before it begins"));
}

/* Reads the "xK" behind a range. */
static bool read_factor(Reader *reader, Span *span)
{
    const char *place = reader->at;
    if (*place != 'x')
        return true;
    reader->at++;
    if (!read_number_at(reader, false, &span->factor))
        return false;
    if (span->factor < 2)
        return fail_at(reader, place + 1, "expected a factor of at least 2");
    return span->first > 0 || fail_at(reader, place, "a range from 0 can't be multiplied");
}

typedef VEC(uint64_t) Numbers;

static bool add_span(const Reader *reader, const char *place, const NumberList *list, const Span *span,
                     Numbers *numbers)
{
    uint32_t items_limit = list->items_limit ? list->items_limit : ITEMS_LIMIT;
    if (span->first < list->least || span->last > list->most)
        return fail_at(reader, place, "expected numbers from %" PRIu64 " to %" PRIu64, list->least, list->most);
    for (uint64_t number = span->first;; number = span->factor ? number * span->factor : number + 1) {
        if (numbers->count == items_limit)
            return fail_at(reader, place, "more than %u numbers", items_limit);
        *vec_push(numbers) = number;
        if (span->factor ? number > span->last / span->factor : number == span->last)
            return true;
    }
}

static bool read_list(Reader *reader, const NumberList *list, Numbers *numbers)
{
    for (;; reader->at++) {
        const char *place = reader->at;
        Span span;
        if (!read_span(reader, false, &span) || !read_factor(reader, &span) ||
            !add_span(reader, place, list, &span, numbers))
            return false;
        if (*reader->at != ',')
            break;
    }
    return !*reader->at ||
           fail_at(reader, reader->at, *reader->at == '.' ? "expected whole numbers" : "expected a comma or the end");
}

bool numbers_option_parse(const NumberList *list, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err)
{
    Numbers found = {0};
    const char *text = list->given ? list->given : list->by_default;
    Reader reader = {.option = list->option,
                     .text = text,
                     .at = text,
                     .example = list->has_units ? "8,1k,64k, or 1:4Mx2 for 1, 2, 4 … 4M"
                                                : "2,3,8, or 2:8 for 2, 3 … 8, or 1:64x2 for 1, 2, 4 … 64",
                     .has_units = list->has_units,
                     .err = err};
    bool ok = read_list(&reader, list, &found);
    if (ok) {
        uint32_t count = (uint32_t)found.count;
        *n = list->keeps_order ? count : sort_uniquely(found.items, count);
        *numbers = vec_copy(&found, arena);
    }
    vec_free(&found);
    return ok;
}

bool size_option_parse(const NumberList *list, Arena *arena, uint64_t *size_bytes, Err *err)
{
    uint32_t n;
    const uint64_t *sizes;
    if (!list->given)
        return true;
    if (!numbers_option_parse(list, arena, &n, &sizes, err))
        return false;
    if (n != 1)
        return err_set(err, ERR_USAGE, "%s: `%s` isn't a number of bytes", list->option, list->given);
    *size_bytes = sizes[0];
    return true;
}

bool range_option_parse(const char *option, const char *text, Range *range, Err *err)
{
    Reader reader = {.option = option,
                     .text = text,
                     .at = text,
                     .example = "3:7 for 3 to 7, 3: for all from 3 on, :7 for all up to 7, or 3 for 3 alone",
                     .err = err};
    Span span;
    if (!read_span(&reader, true, &span))
        return false;
    if (*reader.at)
        return fail_at(&reader, reader.at, "expected the end");
    *range = (Range){span.first, span.last == UINT64_MAX ? UINT64_MAX : span.last + 1};
    return true;
}

bool seconds_option_parse(const char *option, const char *text, double *seconds, Err *err)
{
    char *end;
    double number = text_number(text, &end);
    double unit = strcmp(end, "") == 0 || strcmp(end, "s") == 0 ? 1
                  : strcmp(end, "ns") == 0                      ? 1e-9
                  : strcmp(end, "us") == 0                      ? 1e-6
                  : strcmp(end, "ms") == 0                      ? 1e-3
                  : strcmp(end, "m") == 0                       ? 60
                  : strcmp(end, "h") == 0                       ? 3600
                                                                : 0;
    if (end == text || unit == 0 || !isfinite(number) || !(number > 0))
        return err_set(err, ERR_USAGE, "%s: `%s` is not a duration", option, text) ||
               err_hint(err, "for example %s 90s, or %s 5m", option, option);
    if (number * unit > LONGEST_S)
        return err_set(err, ERR_USAGE, "%s: `%s` is more than a week", option, text);
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

static size_t half_of_the_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (size_t)pages / 2 * (size_t)page_bytes : 0; /* 0: no limit */
}

/* Bytes of a unit: "", "M", "MB", "MiB". Returns 0 if the text isn't a unit. */
static double unit_bytes(const char *unit)
{
    static const char letters[] = "KMGT";
    double factor = 1;
    if (*unit) {
        const char *letter = strchr(letters, *unit & ~0x20); /* upper or lower case */
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
    double size = text_number(text, &unit);
    size *= unit == text ? 0 : unit_bytes(unit);
    if (!(size >= 1 && size < (double)(SIZE_MAX / 2)))
        return err_set(err, ERR_USAGE, "--memory: `%s` is not a size", text) ||
               err_hint(err, "give a number with K, M, G or T, such as 512M or 2G");
    *size_bytes = (size_t)size;
    return true;
}
