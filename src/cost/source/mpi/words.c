/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that read the command line's words and assign what they find: getopt and sscanf. */
#include "cost/source/mpi/run.h"
#include "cost/source/values/command_line.h"

#include <stdio.h>

/* ---- getopt ---- */

typedef struct GlobalSearch {
    const char *name;
    const SourceVariable *found;
} GlobalSearch;

static bool is_global_named(const SourceExpression *expression, void *self)
{
    GlobalSearch *search = self;
    const SourceVariable *variable = expression->kind == SOURCE_VARIABLE ? expression->variable : NULL;
    if (variable && variable->is_global && strcmp(variable->name, search->name) == 0)
        search->found = variable;
    return search->found;
}

/* A global that the program uses; NULL: it doesn't. */
static const SourceVariable *find_global(const World *world, const char *name)
{
    GlobalSearch search = {name, NULL};
    for (size_t i = 0; i < world->all.program->n_functions && !search.found; i++)
        source_any_in(world->all.program->functions[i].body, is_global_named, &search);
    return search.found;
}

static void set_global(const Run *run, Scope *scope, const char *name, Amount value, const Place *target)
{
    const SourceVariable *variable = find_global(run->world, name);
    if (!variable)
        return;
    variable_set(scope, variable, value);
    if (target)
        place_bind(scope, variable, target);
}

/* Moves a word to an earlier place, before words that aren't options, as GNU's getopt does. */
static void move_word(const char **words, size_t from, size_t to)
{
    const char *word = words[from];
    memmove(&words[to + 1], &words[to], (from - to) * sizeof *words);
    words[to] = word;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

/* Whether there is a further word with options; it becomes the next one. stops: at words that aren't options. */
static bool find_option(const Running *running, OptionsRead *read, bool stops)
{
    size_t next = read->word - 1, at = next;
    while (at < running->n_words && !stops && !is_option(running->words[at]))
        at++;
    if (at >= running->n_words || !is_option(running->words[at]))
        return false;
    move_word(running->words, at, next);
    read->n_passed = at - next;
    read->character = 1;
    return true;
}

/* The option's argument is the rest of its word, or the next word unless it is optional. False: there is none. */
static bool take_argument(Run *run, Scope *scope, const char *rest, size_t character, bool is_optional)
{
    OptionsRead *read = &run->options;
    bool is_here = *rest, is_next = !is_here && !is_optional && read->word + read->n_passed < run->running.n_words;
    if (!is_here && !is_next) {
        set_global(run, scope, "optarg", amount_number(scope->space, 0), NULL);
        *read = (OptionsRead){.word = read->word + 1};
        return is_optional;
    }
    if (is_next)
        move_word(run->running.words, read->word + read->n_passed, read->word);
    Place argument = argument_place(scope, is_here ? read->word : read->word + 1, is_here ? character : 0);
    set_global(run, scope, "optarg", UNKNOWN_AMOUNT, &argument);
    *read = (OptionsRead){.word = read->word + (is_here ? 1 : 2)};
    return true;
}

enum { LONG_OPTION = -2 };

/* The next option's letter, -1 behind the last one, and '?' for a letter that isn't among them or lacks its argument. */
static int next_option(Run *run, Scope *scope, const char *letters)
{
    const Running *running = &run->running;
    OptionsRead *read = &run->options;
    bool stops = *letters == '+';
    letters += stops;
    if (!read->character && !find_option(running, read, stops))
        return -1;
    const char *word = running->words[read->word - 1];
    size_t at = read->character;
    if (strcmp(word, "--") == 0) {
        *read = (OptionsRead){.word = read->word + 1};
        return -1;
    }
    if (word[1] == '-')
        return LONG_OPTION;
    const char *found = word[at] == ':' ? NULL : strchr(letters, word[at]);
    if (found && found[1] == ':')
        return take_argument(run, scope, word + at + 1, at + 1, found[2] == ':') ? *found : *letters == ':' ? ':' : '?';
    else
        *read =
            word[at + 1] ? (OptionsRead){read->word, at + 1, read->n_passed} : (OptionsRead){.word = read->word + 1};
    return found ? *found : '?';
}

/* ---- getopt_long: struct option {const char *name; int has_arg; int *flag; int val;} ---- */

static Place part_of(const Scope *scope, const Place *table, int64_t index, const char *name)
{
    Place element = place_element(scope, table, index);
    element.part = arena_printf(scope->all->arena, "%s.%s", element.part, name);
    return element;
}

static bool number_at(const Scope *scope, const Place *place, double *number)
{
    return amount_is_number(place_get(scope, place), number);
}

static const char *name_at(const Scope *scope, const Place *table, int64_t index)
{
    const Place place = part_of(scope, table, index, "name");
    const Place *target = place_target(scope, &place);
    return target ? text_at(scope, target) : NULL;
}

/* The entry of this name, or the only one that begins so; -1: none. */
static int64_t find_long(const Scope *scope, const Place *table, const char *name, size_t length)
{
    int64_t found = -1, n_found = 0;
    const char *other;
    for (int64_t i = 0; (other = name_at(scope, table, i)) != NULL; i++) {
        if (strncmp(other, name, length) != 0)
            continue;
        if (!other[length])
            return i;
        found = i;
        n_found++;
    }
    return n_found == 1 ? found : -1;
}

/* The next word, `--name`, `--name=value` or `--name value`. False: the table isn't known. */
static bool long_option(Run *run, Scope *scope, const SourceExpression *call, int *option)
{
    OptionsRead *read = &run->options;
    const char *name = run->running.words[read->word - 1] + 2;
    size_t length = strcspn(name, "=");
    Place table, place;
    double takes = 0, value = 0, flag = 0;
    if (call->n_operands < 5 || !place_pointed_to(scope, call->operands[3], &table) || !name_at(scope, &table, 0))
        return false;
    int64_t index = find_long(scope, &table, name, length);
    *option = '?';
    place = part_of(scope, &table, index, "has_arg");
    if (index >= 0 && !number_at(scope, &place, &takes))
        return false;
    bool has_value = name[length] == '=';
    if (index < 0 || (has_value && takes == 0)) {
        *read = (OptionsRead){.word = read->word + 1};
        return true;
    }
    if (takes == 0)
        *read = (OptionsRead){.word = read->word + 1};
    else if (!take_argument(run, scope, has_value ? name + length : "", length + 3, takes == 2))
        return true;
    place = part_of(scope, &table, index, "val");
    if (!number_at(scope, &place, &value))
        return false;
    place = part_of(scope, &table, index, "flag");
    const Place *target = place_target(scope, &place);
    if (!target && !(number_at(scope, &place, &flag) && flag == 0))
        return false;
    if (target)
        place_set(scope, target, amount_number(scope->space, value));
    if (place_pointed_to(scope, call->operands[4], &place))
        place_set(scope, &place, amount_number(scope->space, (double)index));
    *option = target ? 0 : (int)value;
    return true;
}

static bool call_getopt(Run *run, Scope *scope, const SourceExpression *call, Amount *value)
{
    Place arguments;
    const char *letters = call->n_operands >= 3 ? text_of(scope, call->operands[2]) : NULL;
    if (!letters || !place_pointed_to(scope, call->operands[1], &arguments) || !is_in_arguments(scope, &arguments) ||
        strcmp(arguments.part, "[0]") != 0)
        return false;
    if (!run->options.word)
        run->options.word = 1;
    run->n_guesses++; /* the next call doesn't do the same */
    int option = next_option(run, scope, letters);
    if (option == LONG_OPTION && (strcmp(call->name, "getopt") == 0 || !long_option(run, scope, call, &option)))
        run_fail(run, &call->place, "the command line's `%s` is a long option, which firma doesn't follow here",
                 run->running.words[run->options.word - 1]);
    *value = amount_number(scope->space, option);
    set_global(run, scope, "optind", amount_number(scope->space, (double)run->options.word), NULL);
    return true;
}

/* ---- sscanf ---- */

enum { CONVERSIONS_LIMIT = 8 };

/* Whether the format has conversions of numbers alone; `wide` becomes the format for long long and double. */
static bool widen(const char *format, char *wide, size_t size, char *kinds)
{
    size_t n = 0, n_kinds = 0;
    for (const char *at = format; *at; at++) {
        if (n + 4 >= size || n_kinds == CONVERSIONS_LIMIT)
            return false;
        wide[n++] = *at;
        if (*at != '%')
            continue;
        at += 1 + strspn(at + 1, "hlLqjzt");
        if (!*at || !strchr("diufeEgG", *at))
            return false;
        bool is_whole = strchr("diu", *at);
        wide[n++] = 'l';
        if (is_whole)
            wide[n++] = 'l';
        wide[n++] = *at;
        kinds[n_kinds++] = is_whole ? 'd' : 'f';
    }
    wide[n] = kinds[n_kinds] = 0;
    return true;
}

typedef union Scanned {
    long long whole;
    double real;
} Scanned;

static bool call_sscanf(Scope *scope, const SourceExpression *call, Amount *value)
{
    char wide[64], kinds[CONVERSIONS_LIMIT + 1];
    Scanned v[CONVERSIONS_LIMIT];
    const char *text = call->n_operands > 2 ? text_of(scope, call->operands[0]) : NULL;
    const char *format = text ? text_of(scope, call->operands[1]) : NULL;
    if (!format || !widen(format, wide, sizeof wide, kinds) || strlen(kinds) != call->n_operands - 2)
        return false;
    int n = sscanf(text, wide, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);
    for (int i = 0; i < n; i++) {
        Place place;
        if (!place_pointed_to(scope, call->operands[i + 2], &place))
            return false;
        place.is_element = false;
        place_set(scope, &place, amount_number(scope->space, kinds[i] == 'd' ? (double)v[i].whole : v[i].real));
    }
    *value = amount_number(scope->space, n);
    return true;
}

bool call_reads_words(Run *run, Scope *scope, const SourceExpression *call, Amount *value)
{
    if (text_call_sets_end(scope, call, value))
        return true;
    if (!call->name || !run->running.arguments)
        return false;
    if (strcmp(call->name, "getopt") == 0 || strcmp(call->name, "getopt_long") == 0)
        return call_getopt(run, scope, call, value);
    return strcmp(call->name, "sscanf") == 0 && call_sscanf(scope, call, value);
}
