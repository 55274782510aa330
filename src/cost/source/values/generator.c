/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for values that have no symbol in the source: Q_pi_12, iterations_pi_30, cost_printf; and
 * the findings about them. In all sub-models, a place has one name for each kind. */
#include "cost/source/values/generator.h"

#include <ctype.h>
#include <string.h>

/* Reserved words of PAMELA and of expressions. p is the processor. */
static const char *const words[] = {"seq", "par", "if",  "else",  "send",     "use",     "delay", "parameter", "step",
                                    "sum", "max", "min", "pow",   "ceil",     "sqrt",    "log",   "log2",      "exp",
                                    "abs", "mod", "p",   "floor", "harmonic", "largest", "group"};

static bool is_taken(const char *name)
{
    CpuOperation operation;
    CpuType type;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return strncmp(name, "t_", 2) == 0 || cpu_find(name, &operation, &type);
}

/* Replaces other characters by _: Pi.f(int,double) becomes Pi_f_int_double. */
const char *name_made_legal(Generator *all, const char *name)
{
    char *legal = arena_alloc(all->arena, strlen(name) + 3);
    size_t length = 0;
    if (isdigit((unsigned char)name[0]) || !name[0])
        legal[length++] = '_';
    for (const char *c = name; *c; c++) {
        bool is_plain = isalnum((unsigned char)*c) && (unsigned char)*c < 128;
        if (is_plain || *c == '_' || (length && legal[length - 1] != '_'))
            legal[length++] = is_plain ? *c : '_';
    }
    while (length > strlen(name) - (name[0] ? 1 : 0) && length > 1 && legal[length - 1] == '_' && !is_taken(legal))
        legal[--length] = '\0';
    if (is_taken(legal))
        legal[length++] = '_';
    return legal;
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file ? file : "", '/');
    return slash ? slash + 1 : file ? file : "source";
}

const char *place_text(Generator *all, const SourcePlace *place)
{
    return arena_printf(all->arena, "%s:%u", base_name(place->file), place->line);
}

static bool name_exists(const Generator *all, const char *name)
{
    for (size_t i = 0; i < all->names.count; i++)
        if (strcmp(all->names.items[i].name, name) == 0)
            return true;
    return false;
}

const char *name_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place)
{
    const char *base = base_name(place->file), *whole = arena_printf(all->arena, "%s%s", kind, suffix);
    for (size_t i = 0; i < all->names.count; i++) {
        const PlacedName *named = &all->names.items[i];
        if (strcmp(named->kind, whole) == 0 && named->place.line == place->line &&
            named->place.column == place->column && strcmp(base_name(named->place.file), base) == 0)
            return named->name;
    }
    const char *dot = strrchr(base, '.');
    const char *stem = arena_strndup(all->arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    const char *name = name_made_legal(all, arena_printf(all->arena, "%s_%s_%u%s", kind, stem, place->line, suffix));
    const char *first = name;
    for (unsigned n = 2; name_exists(all, name); n++)
        name = arena_printf(all->arena, "%s_%u", first, n);
    *vec_push(&all->names) = (PlacedName){name, whole, *place};
    return name;
}

const Expr *parameter_make(Generator *all, const char *name, const Expr *value, const SourcePlace *place,
                           const char *comment)
{
    for (size_t i = 0; i < all->parameters.count; i++)
        if (strcmp(all->parameters.items[i].name, name) == 0) {
            if (!value)
                all->parameters.items[i].value = NULL;
            return expr_symbol(all->space, name);
        }
    *vec_push(&all->parameters) = (PamelaParameter){
        .name = name, .value = value, .comment = comment, .place = place ? place_text(all, place) : NULL};
    return expr_symbol(all->space, name);
}

AnalysisFinding *finding_add(Generator *all, const SourcePlace *place, const char *parameter, const char *message)
{
    for (size_t i = 0; i < all->findings.count; i++) {
        AnalysisFinding *other = &all->findings.items[i];
        if (other->place.line == place->line && other->place.column == place->column &&
            strcmp(base_name(other->place.file), base_name(place->file)) == 0 && strcmp(other->message, message) == 0)
            return other;
    }
    AnalysisFinding *new = vec_push(&all->findings);
    *new = (AnalysisFinding){.place = *place, .parameter = parameter, .message = message};
    return new;
}

const Expr *parameter_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place,
                               const Expr *value, const char *message)
{
    const char *name = name_of_place(all, kind, suffix, place);
    finding_add(all, place, name, message);
    return parameter_make(all, name, value, place, message);
}

const PamelaSub *sub_find(const Generator *all, const char *name)
{
    for (size_t i = 0; i < all->subs.count; i++)
        if (strcmp(all->subs.items[i].name, name) == 0)
            return &all->subs.items[i];
    return NULL;
}

GeneratorMark generator_mark(const Generator *all)
{
    return (GeneratorMark){all->subs.count,     all->made.count,       all->parameters.count,
                           all->findings.count, all->back_calls.count, all->counts.count};
}

void generator_return_to(Generator *all, const GeneratorMark *mark)
{
    all->subs.count = mark->subs;
    all->made.count = mark->made;
    all->parameters.count = mark->parameters;
    all->findings.count = mark->findings;
    all->back_calls.count = mark->back_calls;
    all->counts.count = mark->counts;
}

void count_add(Generator *all, const AnalysisCount *count)
{
    if (!all->running)
        *vec_push(&all->counts) = *count;
}

unsigned active_calls(const Generator *all, const SourceFunction *function)
{
    unsigned count = 0;
    for (size_t i = 0; i < all->calls.count; i++)
        count += all->calls.items[i].function == function;
    return count;
}
