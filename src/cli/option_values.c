/* SPDX-License-Identifier: BSD-3-Clause */
/* See option_values.h. */
#include "cli/option_values.h"

#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/values.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHORT_NAMES = 24 };

/* popt's type together with firma's kind. */
static unsigned kind_of(const struct poptOption *option)
{
    return option->argInfo & (POPT_ARG_MASK | POPT_GROUP_MASK);
}

/* ---- names ---- */

const char *option_name_at(const struct poptOption *option, size_t index)
{
    const Choice *choice = option->arg;
    if (kind_of(option) != OPTION_CHOICE && kind_of(option) != OPTION_CHOICES)
        return NULL;
    return choice->names ? choice->names[index] : choice->name_at(index);
}

const char *option_names(const struct poptOption *option, const char *separator, Arena *arena)
{
    const char *text = option_name_at(option, 0), *name;
    for (size_t i = 1; text && (name = option_name_at(option, i)); i++)
        text = arena_printf(arena, "%s%s%s", text, separator, name);
    return text;
}

bool option_names_are_short(const struct poptOption *option)
{
    size_t width = 0;
    const char *name;
    for (size_t i = 0; (name = option_name_at(option, i)); i++)
        width += strlen(name) + 1;
    return width > 0 && width <= SHORT_NAMES && kind_of(option) == OPTION_CHOICE;
}

bool option_takes_list(const struct poptOption *option)
{
    return kind_of(option) == OPTION_CHOICES;
}

static bool refuse_name(const struct poptOption *option, const char *typed, int length, const char *value, Err *err)
{
    Nearest nearest = nearest_to(value);
    const char *name;
    err_set(err, ERR_USAGE, "%.*s: there is no `%s`", length, typed, value);
    for (size_t i = 0; (name = option_name_at(option, i)); i++)
        nearest_try(&nearest, name);
    if (nearest.name)
        return err_hint(err, "did you mean `%s`?", nearest.name);
    Arena *arena = arena_new();
    err_hint(err, "choose from %s", option_names(option, ", ", arena));
    arena_free(arena);
    return false;
}

static bool check_name(const struct poptOption *option, const char *typed, int length, const char *value, Err *err)
{
    const char *name;
    for (size_t i = 0; (name = option_name_at(option, i)); i++)
        if (strcmp(name, value) == 0)
            return true;
    return refuse_name(option, typed, length, value, err);
}

static bool check_names(const struct poptOption *option, const char *typed, int length, const char *value, Err *err)
{
    Arena *arena = arena_new();
    char *rest = arena_strdup(arena, value), *name;
    bool fine = true;
    while (fine && (name = strsep(&rest, ",")))
        fine = check_name(option, typed, length, name, err);
    arena_free(arena);
    return fine;
}

/* ---- files ---- */

const char *option_files(const struct poptOption *option)
{
    static const struct {
        const char *argument, *files;
    } kinds[] = {{"FILE", "*"}, {"PATH", "*"}, {"PREFIX", "*"}, {"DIR", "/"}, {"TRACE", "otf2"}};
    if (kind_of(option) == OPTION_JSON)
        return "json";
    if (kind_of(option) == OPTION_SVG)
        return "svg";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (option->argDescrip && strcmp(option->argDescrip, kinds[i].argument) == 0)
            return kinds[i].files;
    return NULL;
}

/* ---- numbers ---- */

/* True for decimal digits with or without a sign. (popt would read 010 as 8.) */
static bool is_decimal(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && !text[digits] && (digits == 1 || *text != '0');
}

static bool check_integer(unsigned kind, const char *typed, int length, const char *value, Err *err)
{
    int least = kind == OPTION_COUNT ? 1 : kind == OPTION_NATURAL ? 0 : INT_MIN;
    if (!is_decimal(value))
        return err_set(err, ERR_USAGE, "%.*s: `%s` is not a whole number", length, typed, value);
    errno = 0;
    long long number = strtoll(value, NULL, 10);
    if (errno || number > INT_MAX || number < INT_MIN)
        return err_set(err, ERR_USAGE, "%.*s: %s is too %s", length, typed, value, number > 0 ? "large" : "small");
    return number >= least || err_set(err, ERR_USAGE, "%.*s: %s is less than %d", length, typed, value, least);
}

/* The numbers that a kind of option takes. */
static const struct RealKind {
    unsigned kind;
    double least, most;
    bool excludes_least, excludes_most;
    const char *range;
} real_kinds[] = {
    {OPTION_SECONDS, 0, SECONDS_LIMIT, true, false, "above 0, and at most 1e12 seconds"},
    {OPTION_PERCENT, 0, 100, false, false, "a percentage from 0 to 100"},
    {OPTION_PART, 0, 100, true, false, "a percentage above 0, and at most 100"},
    {OPTION_SHARE, 0, 1, true, true, "between 0 and 1"},
};

static bool check_bounds(unsigned kind, const char *typed, int length, const char *value, double number, Err *err)
{
    for (size_t i = 0; i < sizeof real_kinds / sizeof *real_kinds; i++) {
        const struct RealKind *real = &real_kinds[i];
        bool is_below = number < real->least || (real->excludes_least && number == real->least),
             is_above = number > real->most || (real->excludes_most && number == real->most);
        if (real->kind == kind && (is_below || is_above))
            return err_set(err, ERR_USAGE, "%.*s: %s is not %s", length, typed, value, real->range);
    }
    return true;
}

static bool check_real(unsigned kind, const char *typed, int length, const char *value, Err *err)
{
    char *end;
    double number = text_number(value, &end);
    if (end == value || *end || !isfinite(number))
        return err_set(err, ERR_USAGE, "%.*s: `%s` is not a%s number", length, typed, value,
                       isinf(number) ? " finite" : "");
    return check_bounds(kind, typed, length, value, number, err);
}

static bool check_duration(const char *typed, int length, const char *value, Err *err)
{
    char name[64];
    double seconds;
    snprintf(name, sizeof name, "%.*s", length, typed);
    return seconds_option_parse(name, value, &seconds, err);
}

static bool check_numbers(const NumberList *list, const char *value, Arena *arena, Err *err)
{
    NumberList given = *list;
    const uint64_t *numbers;
    uint32_t n;
    given.given = arena_strdup(arena, value);
    return numbers_option_parse(&given, arena, &n, &numbers, err);
}

/* Checks a value that has a syntax of its own. */
static bool check_syntax(const struct poptOption *option, const char *value, Err *err)
{
    Arena *arena = arena_new();
    unsigned kind = kind_of(option);
    bool fine = kind == OPTION_NUMBERS   ? check_numbers(option->arg, value, arena, err)
                : kind == OPTION_CHECKED ? ((const CheckedText *)option->arg)->check(value, arena, err)
                                         : ((const CheckedWords *)option->arg)->check(value, arena, err);
    arena_free(arena);
    return fine;
}

/* A file that is named like another kind of picture would hold an SVG in disguise. */
static bool check_picture(const char *typed, int length, const char *value, Err *err)
{
    static const char *const others[] = {".pdf", ".png", ".eps", ".ps",   ".jpg",  ".jpeg",
                                         ".gif", ".tif", ".emf", ".tiff", ".webp", ".html"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t suffix = strlen(others[i]), n = strlen(value);
        if (n > suffix && strcasecmp(value + n - suffix, others[i]) == 0)
            return err_set(err, ERR_USAGE, "%.*s: %s: firma draws SVG, which this file's name doesn't say", length,
                           typed, value) ||
                   err_hint(err, "name it %.*s.svg; rsvg-convert makes PDF and PNG of it", (int)(n - suffix), value);
    }
    return true;
}

bool option_check_value(const struct poptOption *option, const char *typed, int length, const char *value, Err *err)
{
    unsigned kind = kind_of(option), type = option->argInfo & POPT_ARG_MASK;
    bool is_number = type == POPT_ARG_INT || type == POPT_ARG_DOUBLE;
    if (is_number && !*value)
        return err_set(err, ERR_USAGE, "%.*s: the number is empty", length, typed);
    if (kind == OPTION_CHOICE)
        return check_name(option, typed, length, value, err);
    if (kind == OPTION_CHOICES)
        return check_names(option, typed, length, value, err);
    if (kind == OPTION_SVG)
        return check_picture(typed, length, value, err);
    if (kind == OPTION_DURATION)
        return check_duration(typed, length, value, err);
    if (kind == OPTION_NUMBERS || kind == OPTION_CHECKED || kind == OPTION_CHECKED_WORDS)
        return check_syntax(option, value, err);
    if (type == POPT_ARG_INT)
        return check_integer(kind, typed, length, value, err);
    return type != POPT_ARG_DOUBLE || check_real(kind, typed, length, value, err);
}
