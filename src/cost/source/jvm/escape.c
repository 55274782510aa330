/* SPDX-License-Identifier: BSD-3-Clause */
/* See escape.h. HotSpot keeps the fields of an object in registers if the object is never stored, is passed to inlined
 * methods alone, and if no variable holds it or another one. Where an inlined method returns a new object, its caller
 * decides:
 *
 *     Point plus(Point other) { return new Point(x + other.x, y + other.y); }
 *     all[i] = a.plus(b);         allocated here
 *     sum += a.plus(b).length();  not allocated
 */
#include "cost/source/jvm/escape.h"

#include "cost/source/jvm/inlining.h"
#include "cost/source/program/syntax.h"
#include <string.h>

/* What becomes of a reference, in the order of severity. */
typedef enum Fate { FATE_ENDS, FATE_RETURNED, FATE_KEPT } Fate;

/* Of a variable of a function; variable NULL: of `this`. */
typedef struct VariableFate {
    const SourceFunction *function;
    const SourceVariable *variable;
    Fate fate;
} VariableFate;

typedef enum Progress { NOT_MARKED, MARKING, MARKED } Progress;

typedef struct Escape {
    Generator *all;
    VEC(VariableFate) fates;
    Progress *progress; /* [n_functions] */
    bool *returns_new;  /* [n_functions] */
} Escape;

/* A walk through a function: to mark its objects, or to find the fate of a variable. */
typedef struct Walk {
    Escape *escape;
    const SourceFunction *function;
    bool marks;
    const SourceVariable *variable; /* NULL: `this` */
    Fate fate;
    unsigned n_assigned;
} Walk;

static void visit(Walk *walk, SourceExpression *expression, Fate fate);

static Fate worse(Fate a, Fate b)
{
    return a > b ? a : b;
}

/* ---- Methods ---- */

static size_t number_of(const Escape *escape, const SourceFunction *function)
{
    return (size_t)(function - escape->all->program->functions);
}

/* The method in whose place its code stands; NULL: none, or it isn't known. */
static const SourceFunction *inlined_target(const Escape *escape, const SourceExpression *call)
{
    const SourceFunction *function = call->name ? source_find(escape->all->program, call->name) : NULL;
    return function && call_is_inlined(escape->all, function) ? function : NULL;
}

static void visit_statement(Walk *walk, const SourceStatement *statement);

static Fate find_fate(Escape *escape, const SourceFunction *function, const SourceVariable *variable)
{
    Walk walk = {.escape = escape, .function = function, .variable = variable};
    visit_statement(&walk, function->body);
    /* A variable that holds one object or another. */
    return walk.n_assigned > 1 || (variable && variable->is_global) ? FATE_KEPT : walk.fate;
}

static Fate fate_of(Escape *escape, const SourceFunction *function, const SourceVariable *variable)
{
    for (size_t i = 0; i < escape->fates.count; i++)
        if (escape->fates.items[i].function == function && escape->fates.items[i].variable == variable)
            return escape->fates.items[i].fate;
    size_t own = escape->fates.count;
    *vec_push(&escape->fates) = (VariableFate){function, variable, FATE_KEPT};
    Fate fate = find_fate(escape, function, variable);
    escape->fates.items[own].fate = fate;
    return fate;
}

/* Of an argument of a call, or of the object whose method is called (parameter -1). `fate`: of the call's result. */
static Fate passed_fate(const Walk *walk, const SourceExpression *call, int parameter, Fate fate)
{
    const SourceFunction *target = inlined_target(walk->escape, call);
    if (!target || parameter >= (int)target->n_parameters)
        return FATE_KEPT;
    Fate inside = fate_of(walk->escape, target, parameter < 0 ? NULL : target->parameters[parameter]);
    return inside == FATE_RETURNED ? fate : inside;
}

static void mark_function(Escape *escape, const SourceFunction *function);

/* ---- New objects ---- */

/* The fate of a new object that an expression of this function makes; arrays are allocated. */
static void mark_new(Walk *walk, SourceExpression *made, Fate fate)
{
    bool is_moved = fate == FATE_RETURNED && call_is_inlined(walk->escape->all, walk->function);
    made->is_not_allocated = !made->n_operands && (fate == FATE_ENDS || is_moved);
    if (is_moved && !made->n_operands)
        walk->escape->returns_new[number_of(walk->escape, walk->function)] = true;
}

/* The same of a call whose method returns a new object. */
static void mark_call(Walk *walk, SourceExpression *call, Fate fate)
{
    const SourceFunction *target = inlined_target(walk->escape, call);
    if (!target)
        return;
    mark_function(walk->escape, target);
    if (!walk->escape->returns_new[number_of(walk->escape, target)])
        return;
    bool is_moved = fate == FATE_RETURNED && call_is_inlined(walk->escape->all, walk->function);
    call->allocates = fate != FATE_ENDS && !is_moved;
    if (is_moved)
        walk->escape->returns_new[number_of(walk->escape, walk->function)] = true;
}

/* ---- Expressions ---- */

static bool is_own(const Walk *walk, const SourceVariable *variable)
{
    return walk->variable ? variable == walk->variable : strcmp(variable->name, "this") == 0;
}

static void visit_operands(Walk *walk, const SourceExpression *expression, Fate fate)
{
    for (size_t i = 0; i < expression->n_operands; i++)
        visit(walk, expression->operands[i], fate);
}

static void visit_assignment(Walk *walk, const SourceExpression *expression, Fate fate)
{
    SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    bool is_variable = left->kind == SOURCE_VARIABLE;
    if (is_variable)
        walk->n_assigned += !walk->marks && is_own(walk, left->variable);
    else
        visit_operands(walk, left, FATE_ENDS);
    if (right->type != CPU_REFERENCE)
        visit(walk, right, FATE_ENDS);
    else
        visit(walk, right,
              is_variable ? worse(fate, fate_of(walk->escape, walk->function, left->variable)) : FATE_KEPT);
}

static void visit_call(Walk *walk, SourceExpression *call, Fate fate)
{
    for (size_t i = 0; i < call->n_operands; i++) {
        SourceExpression *operand = call->operands[i];
        visit(walk, operand, operand->type == CPU_REFERENCE ? passed_fate(walk, call, (int)i, fate) : FATE_ENDS);
    }
    if (walk->marks)
        mark_call(walk, call, fate);
    else if (!walk->variable) /* a method of the same object */
        walk->fate = worse(walk->fate, passed_fate(walk, call, -1, fate));
}

/* object.method(…) is `object, method(…)`; new Object(…) is `new, constructor(…)`, whose value is the object. */
static void visit_comma(Walk *walk, const SourceExpression *comma, Fate fate)
{
    size_t last = comma->n_operands - 1;
    for (size_t i = 0; i < last; i++) {
        const SourceExpression *next = comma->operands[i + 1];
        Fate own = FATE_ENDS;
        if (next->kind == SOURCE_CALL && comma->operands[i]->type == CPU_REFERENCE)
            own = passed_fate(walk, next, -1, fate);
        if (comma->operands[i]->kind == SOURCE_NEW)
            own = worse(own, fate);
        visit(walk, comma->operands[i], own);
    }
    visit(walk, comma->operands[last], fate);
}

static void visit(Walk *walk, SourceExpression *expression, Fate fate)
{
    if (!expression)
        return;
    switch (expression->kind) {
    case SOURCE_VARIABLE:
        if (!walk->marks && is_own(walk, expression->variable))
            walk->fate = worse(walk->fate, fate);
        return;
    case SOURCE_NEW:
        visit_operands(walk, expression, FATE_ENDS);
        if (walk->marks)
            mark_new(walk, expression, fate);
        return;
    case SOURCE_ASSIGN:
        visit_assignment(walk, expression, fate);
        return;
    case SOURCE_CALL:
        visit_call(walk, expression, fate);
        return;
    case SOURCE_COMMA:
        visit_comma(walk, expression, fate);
        return;
    case SOURCE_CAST:
        visit_operands(walk, expression, fate);
        return;
    case SOURCE_CONDITIONAL: /* one object or another */
        visit(walk, expression->operands[0], FATE_ENDS);
        visit(walk, expression->operands[1], FATE_KEPT);
        visit(walk, expression->operands[2], FATE_KEPT);
        return;
    case SOURCE_UNKNOWN: /* such as what a lambda captures */
    case SOURCE_ADDRESS:
        visit_operands(walk, expression, FATE_KEPT);
        return;
    default: /* loads, comparisons */
        visit_operands(walk, expression, FATE_ENDS);
    }
}

static void visit_statement(Walk *walk, const SourceStatement *statement)
{
    if (!statement)
        return;
    Fate fate = statement->kind == SOURCE_RETURN ? FATE_RETURNED : FATE_ENDS;
    if (statement->kind == SOURCE_DECLARE && statement->n_expressions && statement->expressions[0]) {
        walk->n_assigned += !walk->marks && is_own(walk, statement->variable);
        if (statement->variable->type == CPU_REFERENCE)
            fate = fate_of(walk->escape, walk->function, statement->variable);
    }
    for (size_t i = 0; i < statement->n_expressions; i++)
        visit(walk, statement->expressions[i], fate);
    for (size_t i = 0; i < statement->n_children; i++)
        visit_statement(walk, statement->children[i]);
}

static void mark_function(Escape *escape, const SourceFunction *function)
{
    Progress *progress = &escape->progress[number_of(escape, function)];
    Walk walk = {.escape = escape, .function = function, .marks = true};
    if (*progress != NOT_MARKED)
        return;
    *progress = MARKING;
    visit_statement(&walk, function->body);
    *progress = MARKED;
}

void escape_mark(Generator *all)
{
    size_t n = all->program->n_functions;
    if (!is_warm_java(all))
        return;
    Escape escape = {.all = all,
                     .progress = arena_new_array(all->arena, Progress, n),
                     .returns_new = arena_new_array(all->arena, bool, n)};
    for (size_t i = 0; i < n; i++)
        mark_function(&escape, &all->program->functions[i]);
    vec_free(&escape.fates);
}
