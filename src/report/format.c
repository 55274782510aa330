/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats quantities for people (format.h). */
#include "report/format.h"

#include "report/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Three significant digits of a value in [0, 1000), without an exponent. */
static const char *three_digits(Arena *arena, double value, const char *unit)
{
    double size = fabs(value);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return arena_printf(arena, "%.*f %s", decimals, value, unit);
}

/* `value` in the largest unit that gives at least 1. Each unit is a thousand times the one
 * before. */
static const char *scaled(Arena *arena, double value, const char *const *units, size_t n_units)
{
    size_t unit = 0;
    while (unit + 1 < n_units && fabs(value) >= 999.5) {
        value /= 1000.0;
        unit++;
    }
    return three_digits(arena, value, units[unit]);
}

static const char *not_a_number(double value)
{
    return isnan(value) ? "–" : value > 0 ? "∞" : "-∞";
}

static const char *long_time(Arena *arena, double seconds)
{
    double size = fabs(seconds);
    const char *sign = seconds < 0 ? "-" : "";
    if (size >= 99.5 * 24 * 3600)
        return arena_printf(arena, "%s%.0f days", sign, size / (24 * 3600));
    long whole_s = lround(size);
    if (whole_s < 3600)
        return arena_printf(arena, "%s%ld min %02ld s", sign, whole_s / 60, whole_s % 60);
    long whole_min = lround(size / 60);
    return arena_printf(arena, "%s%ld h %02ld min", sign, whole_min / 60, whole_min % 60);
}

const char *format_seconds(Arena *arena, double seconds)
{
    static const char *const units[] = {"ns", "µs", "ms"};
    if (!isfinite(seconds))
        return not_a_number(seconds);
    if (seconds == 0)
        return "0 s";
    if (fabs(seconds) >= 119.5)
        return long_time(arena, seconds);
    if (fabs(seconds) >= 0.9995)
        return three_digits(arena, seconds, "s");
    return scaled(arena, seconds * 1e9, units, sizeof units / sizeof *units);
}

const char *format_bytes(Arena *arena, double size_bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    if (!isfinite(size_bytes))
        return not_a_number(size_bytes);
    if (fabs(size_bytes) < 999.5)
        return arena_printf(arena, "%.0f B", size_bytes);
    return scaled(arena, size_bytes, units, sizeof units / sizeof *units);
}

const char *format_rate(Arena *arena, double per_s)
{
    static const char *const units[] = {"/s", "k/s", "M/s", "G/s"};
    if (!isfinite(per_s))
        return not_a_number(per_s);
    return scaled(arena, per_s, units, sizeof units / sizeof *units);
}

const char *format_count(Arena *arena, uint64_t count)
{
    char digits[24], grouped[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            grouped[used++] = ' ';
        grouped[used++] = digits[i];
    }
    return arena_strndup(arena, grouped, used);
}

const char *format_percent(Arena *arena, double share)
{
    if (!isfinite(share))
        return not_a_number(share);
    double percent = 100 * share;
    if (percent != 0 && fabs(percent) < 0.095)
        return fabs(percent) < 0.01 ? (percent > 0 ? "<0.01 %" : ">-0.01 %") : arena_printf(arena, "%.2f %%", percent);
    return arena_printf(arena, "%.1f %%", percent);
}

const char *format_name(Arena *arena, const char *name, size_t room)
{
    uint32_t point;
    size_t kept = 0, characters = 0;
    for (size_t at = 0; name[at]; at += text_character(name + at, &point)) {
        if (++characters < room)
            kept = at + text_character(name + at, &point);
        else if (characters > room)
            return text_as_line(arena_printf(arena, "%.*s…", (int)kept, name), arena);
    }
    return text_as_line(name, arena);
}

void format_add_filled(Text *text, const char *paragraph, size_t length, size_t column, size_t indent, size_t columns)
{
    const char *end = paragraph + length;
    bool line_begins = true;
    while (paragraph < end) {
        size_t word_length = strcspn(paragraph, " \n");
        if (word_length > 0 && isdigit((unsigned char)paragraph[word_length - 1]) && paragraph[word_length] == ' ')
            word_length += 1 + strcspn(paragraph + word_length + 1, " \n");
        if (word_length > 0) {
            char word[256];
            snprintf(word, sizeof word, "%.*s", (int)word_length, paragraph);
            size_t width = text_width(word);
            if (!line_begins && column + 1 + width > columns) {
                text_add(text, "\n%*s", (int)indent, "");
                column = indent;
                line_begins = true;
            }
            text_add(text, "%s%.*s", line_begins ? "" : " ", (int)word_length, paragraph);
            column += width + !line_begins;
            line_begins = false;
        }
        paragraph += word_length + (paragraph[word_length] != '\0');
    }
    text_add(text, "\n");
}
