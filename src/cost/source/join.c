/* SPDX-License-Identifier: BSD-3-Clause */
/* See join.h. Names with external linkage mean the same in all units. A static function whose name another unit
 * also has gets one of its own: the name, @, and its file. */
#include "cost/source/join.h"

#include "base/map.h"
#include "cost/lang/names.h"
#include "cost/source/endings.h"

#include <math.h>
#include <string.h>

typedef struct Join {
    Arena *arena;
    Map units;     /* by name of a function, also one that is only called: the unit, or SEVERAL */
    Map variables; /* by name: the global that stands for all of this name */
    Map renamed;   /* by name of a static function of this unit: its new name */
    uint64_t unit; /* from 1 on */
} Join;

enum { SEVERAL = 1 << 20 };

/* ---- Walks through all expressions of a unit ---- */

typedef void Visit(Join *join, SourceExpression *expression);

static void visit_expression(Join *join, SourceExpression *expression, Visit *visit)
{
    if (!expression)
        return;
    visit(join, expression);
    visit_expression(join, expression->callee, visit);
    for (size_t i = 0; i < expression->n_operands; i++)
        visit_expression(join, expression->operands[i], visit);
}

static void visit_statement(Join *join, SourceStatement *statement, Visit *visit)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        visit_expression(join, statement->expressions[i], visit);
    for (size_t i = 0; i < statement->n_children; i++)
        visit_statement(join, statement->children[i], visit);
}

static void visit_unit(Join *join, const SourceProgram *unit, Visit *visit)
{
    for (size_t i = 0; i < unit->n_functions; i++)
        visit_statement(join, unit->functions[i].body, visit);
    for (size_t i = 0; i < unit->n_initials; i++)
        visit_expression(join, unit->initials[i], visit);
}

/* ---- Functions ---- */

static bool names_function(const SourceExpression *expression)
{
    return (expression->kind == SOURCE_CALL || expression->kind == SOURCE_TEXT) && expression->name;
}

static void note_name(Join *join, const char *name)
{
    uint64_t *unit = names_add(&join->units, name, join->unit) ? NULL : names_get(&join->units, name);
    if (unit && *unit != join->unit)
        *unit = SEVERAL;
}

static void note_function(Join *join, SourceExpression *expression)
{
    if (names_function(expression))
        note_name(join, expression->name);
}

static void rename_function(Join *join, SourceExpression *expression)
{
    const uint64_t *renamed = names_function(expression) ? names_get(&join->renamed, expression->name) : NULL;
    if (renamed)
        expression->name = (const char *)(uintptr_t)*renamed;
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Static functions of names that occur in other units, too. */
static void rename_functions(Join *join, SourceProgram *unit, const char *file)
{
    SourceFunction *functions = (SourceFunction *)unit->functions;
    for (size_t i = 0; i < unit->n_functions; i++) {
        const uint64_t *owner = names_get(&join->units, functions[i].name);
        if (!functions[i].is_static || !owner || *owner != SEVERAL)
            continue;
        const char *name = arena_printf(join->arena, "%s@%s", functions[i].name, base_name(file));
        names_add(&join->renamed, functions[i].name, (uint64_t)(uintptr_t)name);
        functions[i].name = name;
    }
    visit_unit(join, unit, rename_function);
    map_free(&join->renamed);
}

/* ---- Globals ---- */

/* One unit defines the variable, and others only declare it. */
static void merge_variables(SourceVariable *kept, const SourceVariable *other)
{
    bool has_value = !isnan(other->initial) && (isnan(kept->initial) || !kept->initial);
    if (other->is_defined && (!kept->is_defined || has_value)) {
        const char *name = kept->name;
        *kept = *other;
        kept->name = name;
    }
}

static void join_variable(Join *join, SourceExpression *expression)
{
    const SourceVariable *variable = expression->kind == SOURCE_VARIABLE ? expression->variable : NULL;
    if (!variable || !variable->is_global || variable->is_static ||
        names_add(&join->variables, variable->name, (uint64_t)(uintptr_t)variable))
        return;
    SourceVariable *kept = (SourceVariable *)(uintptr_t)*names_get(&join->variables, variable->name);
    if (kept == variable)
        return;
    merge_variables(kept, variable);
    expression->variable = kept;
}

/* ---- Programs ---- */

static bool is_among(const SourceFunction *functions, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    return false;
}

static void append(SourceProgram *joined, const SourceProgram *unit)
{
    SourceFunction *functions = (SourceFunction *)joined->functions;
    SourceNote *notes = (SourceNote *)joined->notes;
    SourceExpression **initials = (SourceExpression **)joined->initials;
    for (size_t i = 0; i < unit->n_functions; i++)
        if (!is_among(functions, joined->n_functions, unit->functions[i].name))
            functions[joined->n_functions++] = unit->functions[i];
    for (size_t i = 0; i < unit->n_notes; i++)
        notes[joined->n_notes++] = unit->notes[i];
    for (size_t i = 0; i < unit->n_initials; i++)
        initials[joined->n_initials++] = unit->initials[i];
}

SourceProgram *source_join(SourceProgram *const *units, const char *const *files, size_t n, Arena *arena)
{
    Join join = {.arena = arena};
    SourceProgram *joined = arena_alloc(arena, sizeof *joined);
    size_t n_functions = 0, n_notes = 0, n_initials = 0;
    for (size_t i = 0; i < n; i++) {
        join.unit = i + 1;
        visit_unit(&join, units[i], note_function);
        for (size_t k = 0; k < units[i]->n_functions; k++)
            note_name(&join, units[i]->functions[k].name);
        n_functions += units[i]->n_functions;
        n_notes += units[i]->n_notes;
        n_initials += units[i]->n_initials;
    }
    joined->language = units[0]->language;
    joined->functions = arena_new_array(arena, SourceFunction, n_functions);
    joined->notes = arena_new_array(arena, SourceNote, n_notes);
    joined->initials = arena_new_array(arena, SourceExpression *, n_initials);
    for (size_t i = 0; i < n; i++) {
        rename_functions(&join, units[i], files[i]);
        visit_unit(&join, units[i], join_variable);
        append(joined, units[i]);
    }
    map_free(&join.units);
    map_free(&join.variables);
    endings_find(joined);
    return joined;
}
