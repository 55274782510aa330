/* SPDX-License-Identifier: BSD-3-Clause */
/* See command_line.h. A place "[2]" of argv is the word argv[2], and "[2][1]" its second character. */
#include "cost/source/values/command_line.h"

#include "cost/source/values/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool is_in_arguments(const Scope *scope, const Place *place)
{
    const Running *running = scope->all->running;
    return running && running->arguments && place->variable == running->arguments;
}

Place argument_place(const Scope *scope, size_t word, size_t character)
{
    return (Place){scope->all->running->arguments, arena_printf(scope->all->arena, "[%zu][%zu]", word, character), true,
                   NULL, NULL};
}

/* The word at a place, from its character on. argv[0], the program's name, isn't known. */
static const char *word_at(const Scope *scope, const Place *place, unsigned *n_indexes)
{
    const Running *running = scope->all->running;
    size_t word = 0, character = 0;
    int indexes = is_in_arguments(scope, place) ? sscanf(place->part, "[%zu][%zu]", &word, &character) : 0;
    *n_indexes = indexes > 0 ? (unsigned)indexes : 0;
    if (!*n_indexes || word == 0 || word > running->n_words || character > strlen(running->words[word - 1]))
        return NULL;
    return running->words[word - 1] + character;
}

/* The rest of a literal from a place on. */
static const char *literal_at(const Place *place)
{
    size_t at;
    bool is_in = sscanf(place->part, "[%zu]", &at) == 1 && at <= strlen(place->variable->text);
    return is_in ? place->variable->text + at : NULL;
}

Amount character_at(const Scope *scope, const Place *place)
{
    unsigned n_indexes;
    const char *word = place->variable->text ? literal_at(place) : word_at(scope, place, &n_indexes);
    return word ? amount_number(scope->space, *word) : UNKNOWN_AMOUNT;
}

const char *text_at(const Scope *scope, const Place *place)
{
    unsigned n_indexes;
    if (place->variable->text)
        return literal_at(place);
    const char *word = word_at(scope, place, &n_indexes);
    return n_indexes == (place->is_element ? 2 : 1) ? word : NULL;
}

const char *text_of(const Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    if (reference->kind == SOURCE_TEXT)
        return reference->literal;
    bool is_known =
        reference->type == CPU_REFERENCE && place_pointed_to(scope, reference, &place) && !is_held_otherwise(&place);
    return is_known ? text_at(scope, &place) : NULL;
}

/* ---- Functions of the C library ---- */

/* n_read: characters of the first text that were read. */
typedef double TextFunction(const char *a, const char *b, double number, size_t *n_read);

static double to_whole(const char *a, const char *b, double base, size_t *n_read)
{
    (void)b;
    char *end;
    double value = (double)strtoll(a, &end, base <= 36 ? (int)base : 10);
    *n_read = (size_t)(end - a);
    return value;
}

static double to_decimal(const char *a, const char *b, double number, size_t *n_read)
{
    (void)number;
    return to_whole(a, b, 10, n_read);
}

static double to_real(const char *a, const char *b, double number, size_t *n_read)
{
    (void)b, (void)number;
    char *end;
    double value = strtod(a, &end);
    *n_read = (size_t)(end - a);
    return value;
}

static double length(const char *a, const char *b, double number, size_t *n_read)
{
    (void)b, (void)number;
    return (double)(*n_read = strlen(a));
}

static double compare(const char *a, const char *b, double number, size_t *n_read)
{
    (void)number, (void)n_read;
    return strcmp(a, b);
}

static double compare_folded(const char *a, const char *b, double number, size_t *n_read)
{
    (void)number, (void)n_read;
    return strcasecmp(a, b);
}

static double compare_first(const char *a, const char *b, double number, size_t *n_read)
{
    (void)n_read;
    return strncmp(a, b, (size_t)number);
}

static double compare_first_folded(const char *a, const char *b, double number, size_t *n_read)
{
    (void)n_read;
    return strncasecmp(a, b, (size_t)number);
}

/* The arguments that must be known: texts, the first ones, and a number (-1: none). */
typedef struct TextCall {
    const char *name;
    TextFunction *function;
    int n_texts, number;
    bool sets_end; /* the second argument points to a pointer that gets the end of what was read */
} TextCall;

static const TextCall text_calls[] = {
    {"atoi", to_decimal, 1, -1, false},
    {"atol", to_decimal, 1, -1, false},
    {"atoll", to_decimal, 1, -1, false},
    {"strtol", to_whole, 1, 2, true},
    {"strtoll", to_whole, 1, 2, true},
    {"strtoul", to_whole, 1, 2, true},
    {"strtoull", to_whole, 1, 2, true},
    {"atof", to_real, 1, -1, false},
    {"strtod", to_real, 1, -1, true},
    {"strtof", to_real, 1, -1, true},
    {"strlen", length, 1, -1, false},
    {"strcmp", compare, 2, -1, false},
    {"strcasecmp", compare_folded, 2, -1, false},
    {"strncmp", compare_first, 2, 2, false},
    {"strncasecmp", compare_first_folded, 2, 2, false},
};

static const TextCall *find_text_call(const char *function)
{
    for (size_t i = 0; function && i < sizeof text_calls / sizeof *text_calls; i++)
        if (strcmp(text_calls[i].name, function) == 0)
            return &text_calls[i];
    return NULL;
}

static Amount value_of(const Scope *scope, const TextCall *made, const SourceExpression *call, size_t *n_read)
{
    const char *texts[2] = {NULL, NULL};
    double number = 0;
    for (int i = 0; i < made->n_texts; i++)
        if (call->n_operands <= (size_t)i || !(texts[i] = text_of(scope, call->operands[i])))
            return UNKNOWN_AMOUNT;
    if (made->number >= 0 && (call->n_operands <= (size_t)made->number ||
                              !amount_is_number(amount_of(scope, call->operands[made->number]), &number) || number < 0))
        return UNKNOWN_AMOUNT;
    Amount value = amount_number(scope->space, made->function(texts[0], texts[1], number, n_read));
    return type_is_whole(call->type) ? amount_floor(scope->space, value) : value;
}

bool text_search(const Scope *scope, const SourceExpression *call, int64_t *at)
{
    static const char *const names[] = {"strchr", "strrchr", "strstr"};
    size_t i = 0, n = sizeof names / sizeof *names;
    double character = 0;
    while (i < n && (!call->name || call->n_operands != 2 || strcmp(names[i], call->name) != 0))
        i++;
    const char *text = i < n ? text_of(scope, call->operands[0]) : NULL;
    const char *part = text && i == 2 ? text_of(scope, call->operands[1]) : NULL;
    if (!text || (i == 2 ? !part : !amount_is_number(amount_of(scope, call->operands[1]), &character)))
        return false;
    const char *found = i == 0   ? strchr(text, (int)character)
                        : i == 1 ? strrchr(text, (int)character)
                                 : strstr(text, part);
    *at = found ? found - text : -1;
    return true;
}

Amount text_call_value(const Scope *scope, const SourceExpression *call)
{
    size_t n_read;
    int64_t at;
    if (text_search(scope, call, &at))
        return at < 0 ? amount_number(scope->space, 0) : UNKNOWN_AMOUNT;
    const TextCall *made = find_text_call(call->name);
    return made ? value_of(scope, made, call, &n_read) : UNKNOWN_AMOUNT;
}

bool text_call_sets_end(Scope *scope, const SourceExpression *call, Amount *value)
{
    const TextCall *made = find_text_call(call->name);
    const SourceExpression *end = made && made->sets_end ? without_casts(call->operands[1]) : NULL;
    size_t n_read;
    if (!end || end->kind != SOURCE_ADDRESS)
        return false;
    *value = value_of(scope, made, call, &n_read);
    const Place *target =
        value->expr ? place_stepped(scope, call->operands[0], amount_number(scope->space, (double)n_read)) : NULL;
    place_assign_now(scope, without_casts(end->operands[0]), UNKNOWN_AMOUNT, NULL, target);
    return true;
}

bool only_reads(const char *function)
{
    static const char *const names[] = {"printf", "fprintf", "puts",    "fputs",   "putchar", "fputc",
                                        "fflush", "perror",  "free",    "isdigit", "getenv",  "fopen",
                                        "fclose", "strchr",  "strrchr", "strstr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], function) == 0)
            return true;
    const TextCall *made = find_text_call(function);
    return made && !made->sets_end;
}
