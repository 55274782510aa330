/* SPDX-License-Identifier: BSD-3-Clause */
/* See join.h. Names with external linkage mean the same in all units. A static function whose name another unit
 * also has gets one of its own: the name, @, and its file. */
#include "cost/source/program/join.h"

#include "base/map.h"
#include "cost/lang/names.h"
#include "cost/source/program/endings.h"

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

/* Without its folder, unless another file has the same name. */
static const char *short_name(const char *file, const char *const *files, size_t n)
{
    const char *name = base_name(file);
    for (size_t i = 0; i < n; i++)
        if (strcmp(files[i], file) != 0 && strcmp(base_name(files[i]), name) == 0)
            return file;
    return name;
}

/* Static functions of names that occur in other units, too. */
static void rename_functions(Join *join, SourceProgram *unit, const char *file)
{
    SourceFunction *functions = (SourceFunction *)unit->functions;
    for (size_t i = 0; i < unit->n_functions; i++) {
        const uint64_t *owner = names_get(&join->units, functions[i].name);
        if (!functions[i].is_static || !owner || *owner != SEVERAL)
            continue;
        const char *name = arena_printf(join->arena, "%s@%s", functions[i].name, file);
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

static void join_globals(Join *join, const SourceProgram *unit)
{
    for (size_t i = 0; i < unit->n_globals; i++) {
        const SourceVariable *variable = unit->globals[i];
        if (!names_add(&join->variables, variable->name, (uint64_t)(uintptr_t)variable))
            merge_variables((SourceVariable *)(uintptr_t)*names_get(&join->variables, variable->name), variable);
    }
}

static void join_variable(Join *join, SourceExpression *expression)
{
    const SourceVariable *variable = expression->kind == SOURCE_VARIABLE ? expression->variable : NULL;
    bool is_shared = variable && variable->is_global && !variable->is_static;
    const uint64_t *kept = is_shared ? names_get(&join->variables, variable->name) : NULL;
    if (kept)
        expression->variable = (const SourceVariable *)(uintptr_t)*kept;
}

/* ---- Programs ---- */

static const SourceFunction *find_function(const SourceFunction *functions, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

/* A function of a header is defined in each unit that includes it, and any other one only once. */
static bool check_twice(const SourceFunction *a, const SourceFunction *b, Err *err)
{
    if (a->place.line == b->place.line && strcmp(a->place.file, b->place.file) == 0)
        return true;
    return err_set(err, ERR_INPUT, "%s:%u: the function %s has a body in %s:%u, too", b->place.file, b->place.line,
                   b->name, a->place.file, a->place.line) ||
           err_hint(err, "name only sources of one program, and each of them once");
}

static bool append(SourceProgram *joined, const SourceProgram *unit, Err *err)
{
    SourceFunction *functions = (SourceFunction *)joined->functions;
    SourceNote *notes = (SourceNote *)joined->notes;
    SourceExpression **initials = (SourceExpression **)joined->initials;
    for (size_t i = 0; i < unit->n_functions; i++) {
        const SourceFunction *function = &unit->functions[i];
        const SourceFunction *other = find_function(functions, joined->n_functions, function->name);
        if (other && !check_twice(other, function, err))
            return false;
        if (!other)
            functions[joined->n_functions++] = *function;
    }
    for (size_t i = 0; i < unit->n_notes; i++)
        notes[joined->n_notes++] = unit->notes[i];
    for (size_t i = 0; i < unit->n_initials; i++)
        initials[joined->n_initials++] = unit->initials[i];
    return true;
}

bool source_join(SourceProgram *const *units, const char *const *files, size_t n, Arena *arena,
                 const SourceProgram **program, Err *err)
{
    Join join = {.arena = arena};
    SourceProgram *joined = arena_alloc(arena, sizeof *joined);
    size_t n_functions = 0, n_notes = 0, n_initials = 0;
    bool is_joined = true;
    for (size_t i = 0; i < n; i++) {
        join.unit = i + 1;
        join_globals(&join, units[i]);
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
    for (size_t i = 0; i < n && is_joined; i++) {
        rename_functions(&join, units[i], short_name(files[i], files, n));
        visit_unit(&join, units[i], join_variable);
        is_joined = append(joined, units[i], err);
    }
    map_free(&join.units);
    map_free(&join.variables);
    endings_find(joined);
    *program = joined;
    return is_joined;
}
