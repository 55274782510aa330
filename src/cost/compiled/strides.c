/* SPDX-License-Identifier: BSD-3-Clause */
/* See strides.h. A variable moves in a loop as what is assigned to it there: by the loop's own steps, or as the values
 * do that it gets in each iteration. A parameter gets the arguments of calls. */
#include "cost/compiled/strides.h"

#include "base/vec.h"
#include "cost/source/program/syntax.h"
#include <math.h>

/* Beyond these, data are assumed to tell where an address moves: variables may be assigned to each other in circles. */
enum { DEPTH_LIMIT = 12, STEPS_LIMIT = 10000 };

/* Of a variable. value NULL: a step by the amount. */
typedef struct Assignment {
    const SourceVariable *variable;
    const SourceExpression *value;
    Stride step;
    int unit;
} Assignment;

struct Strides {
    const SourceProgram *program;
    const CompiledRegions *regions;
    size_t n;
    const Assignment *assignments;
    int *callers; /* [regions->n] of functions */
};

static const Stride none = {STRIDE_NONE, 0}, far = {STRIDE_FAR, 0}, by_data = {STRIDE_DATA, 0};

/* ---- Assignments ---- */

typedef struct Collector {
    const SourceProgram *program;
    const CompiledRegions *regions;
    int *callers;
    VEC(Assignment) assignments;
} Collector;

static Stride steady(const SourceExpression *amount, double sign)
{
    amount = without_casts(amount);
    return amount->kind == SOURCE_NUMBER ? (Stride){STRIDE_STEADY, sign * amount->value} : far;
}

/* i = i + 2 is a step. */
static bool is_step(const SourceVariable *variable, const SourceExpression *value, Stride *step)
{
    value = without_casts(value);
    bool is_sum = operator_is(value, "+") && value->n_operands == 2;
    bool is_difference = operator_is(value, "-") && value->n_operands == 2;
    if ((is_sum || is_difference) && is_variable(value->operands[0], variable))
        *step = steady(value->operands[1], is_sum ? 1 : -1);
    else if (is_sum && is_variable(value->operands[1], variable))
        *step = steady(value->operands[0], 1);
    else
        return false;
    return true;
}

static void add(Collector *collector, const SourceVariable *variable, const SourceExpression *value, Stride step,
                int unit)
{
    *vec_push(&collector->assignments) = (Assignment){variable, value, step, unit};
}

static void collect_assignment(Collector *collector, const SourceExpression *expression, int unit)
{
    const SourceExpression *target = without_casts(expression->operands[0]);
    const char *operator= expression->operator;
    Stride step = by_data;
    if (target->kind != SOURCE_VARIABLE)
        return;
    if (expression->kind == SOURCE_INCREMENT)
        add(collector, target->variable, NULL, (Stride){STRIDE_STEADY, strcmp(operator, "++") == 0 ? 1 : -1}, unit);
    else if (strcmp(operator, "+=") == 0 || strcmp(operator, "-=") == 0)
        add(collector, target->variable, NULL, steady(expression->operands[1], *operator== '+' ? 1 : - 1), unit);
    else if (strcmp(operator, "=") != 0 || is_step(target->variable, expression->operands[1], &step))
        add(collector, target->variable, NULL, step, unit);
    else
        add(collector, target->variable, expression->operands[1], none, unit);
}

static int region_of(const Collector *collector, const SourceFunction *function)
{
    for (size_t i = 0; i < collector->regions->n; i++)
        if (collector->regions->items[i].origin == function)
            return (int)i;
    return -1;
}

static const SourceFunction *called(const SourceProgram *program, const SourceExpression *call)
{
    return call->kind == SOURCE_CALL && call->name ? source_find(program, call->name) : NULL;
}

static void collect_call(Collector *collector, const SourceExpression *call, int region)
{
    const CompiledRegion *regions = collector->regions->items;
    const SourceFunction *function = called(collector->program, call);
    int own = function ? region_of(collector, function) : -1;
    if (own < 0 || strcmp(regions[region].function, function->name) == 0)
        return;
    if (collector->callers[own] < 0 || regions[collector->callers[own]].count < regions[region].count)
        collector->callers[own] = region;
    for (size_t i = 0; i < function->n_parameters && i < call->n_operands; i++)
        add(collector, function->parameters[i], call->operands[i], none, regions_unit(collector->regions, region));
}

static void collect(Collector *collector, const CompiledUse *use)
{
    int unit = regions_unit(collector->regions, use->region);
    if (use->variable && use->expression)
        add(collector, use->variable, use->expression, none, unit);
    else if (use->expression->kind == SOURCE_ASSIGN || use->expression->kind == SOURCE_INCREMENT)
        collect_assignment(collector, use->expression, unit);
    else if (use->expression->kind == SOURCE_CALL)
        collect_call(collector, use->expression, use->region);
}

Strides *strides_new(const SourceProgram *program, const CompiledRegions *regions, Arena *arena)
{
    Collector collector = {program, regions, arena_new_array(arena, int, regions->n), {0}};
    for (size_t i = 0; i < regions->n; i++)
        collector.callers[i] = -1;
    for (size_t i = 0; i < regions->n_uses; i++)
        collect(&collector, &regions->uses[i]);
    Strides *strides = arena_alloc(arena, sizeof *strides);
    *strides = (Strides){program, regions, collector.assignments.count, vec_copy(&collector.assignments, arena),
                         collector.callers};
    vec_free(&collector.assignments);
    return strides;
}

int strides_caller(const Strides *strides, int function)
{
    return strides->callers[function];
}

/* ---- Where a value moves ---- */

/* What a search looks at. */
typedef struct Search {
    const Strides *strides;
    int loop;
    unsigned depth;
    unsigned *n_steps; /* of the whole search */
} Search;

static Stride stride_of(const Search *outer, const SourceExpression *expression);

static bool is_within(const Strides *strides, int unit, int loop)
{
    for (unsigned depth = 0; unit >= 0 && depth < 100; depth++) {
        if (unit == loop)
            return true;
        bool is_function = strides->regions->items[unit].kind == COMPILED_FUNCTION;
        unit = is_function ? regions_unit(strides->regions, strides->callers[unit])
                           : regions_outer_unit(strides->regions, unit);
    }
    return false;
}

static Stride farther(Stride a, Stride b)
{
    return a.kind > b.kind || (a.kind == b.kind && fabs(a.elements) > fabs(b.elements)) ? a : b;
}

static Stride sum(Stride a, Stride b, double sign)
{
    if (a.kind == STRIDE_STEADY && b.kind == STRIDE_STEADY) {
        double elements = a.elements + sign * b.elements;
        return elements == 0 ? none : (Stride){STRIDE_STEADY, elements};
    }
    return a.kind >= b.kind ? a : b;
}

static Stride of_variable(const Search *search, const SourceVariable *variable)
{
    Stride by_value = none, by_step = none;
    bool has_value = false;
    for (size_t i = 0; i < search->strides->n; i++) {
        const Assignment *one = &search->strides->assignments[i];
        if (one->variable != variable || !is_within(search->strides, one->unit, search->loop))
            continue;
        if (one->value) {
            has_value = true;
            by_value = farther(by_value, stride_of(search, one->value));
        } else {
            by_step = farther(by_step, one->unit == search->loop || one->step.kind == STRIDE_DATA ? one->step : far);
        }
    }
    /* What begins anew in each iteration is moved back by it. */
    return has_value && by_step.kind != STRIDE_DATA ? by_value : farther(by_value, by_step);
}

static Stride scaled(Stride stride, const SourceExpression *by, bool is_quotient)
{
    by = without_casts(by);
    if (stride.kind != STRIDE_STEADY)
        return stride;
    if (by->kind != SOURCE_NUMBER || by->value == 0)
        return far;
    return (Stride){STRIDE_STEADY, is_quotient ? stride.elements / by->value : stride.elements * by->value};
}

static Stride of_binary(const Search *search, const SourceExpression *expression)
{
    const SourceExpression *left = expression->operands[0], *right = expression->operands[1];
    Stride a = stride_of(search, left), b = stride_of(search, right);
    if (a.kind == STRIDE_DATA || b.kind == STRIDE_DATA)
        return by_data;
    switch (*expression->operator) {
    case '+':
    case '-':
        return sum(a, b, *expression->operator== '+' ? 1 : - 1);
    case '*':
        return a.kind == STRIDE_NONE ? scaled(b, left, false) : b.kind == STRIDE_NONE ? scaled(a, right, false) : far;
    case '/':
        return b.kind == STRIDE_NONE ? scaled(a, right, true) : far;
    case '%':
    case '&':
        return b.kind == STRIDE_NONE ? a : far;
    default:
        return a.kind == STRIDE_NONE && b.kind == STRIDE_NONE ? none : far;
    }
}

static Stride of_address(const Search *search, const SourceExpression *expression);

/* What memory holds is the same at the same address, as far as this text tells. */
static Stride of_loaded(const Search *search, const SourceExpression *expression)
{
    for (size_t i = 0; i < expression->n_operands; i++)
        if (stride_of(search, expression->operands[i]).kind != STRIDE_NONE)
            return by_data;
    return none;
}

/* `return i*n + j;` alone is as the value. */
static Stride of_call(const Search *search, const SourceExpression *call)
{
    const SourceFunction *function = called(search->strides->program, call);
    const SourceStatement *body = function ? function->body : NULL;
    while (body && body->kind == SOURCE_BLOCK && body->n_children == 1)
        body = body->children[0];
    return body && body->kind == SOURCE_RETURN && body->n_expressions ? stride_of(search, body->expressions[0])
                                                                      : of_loaded(search, call);
}

static Stride stride_of(const Search *outer, const SourceExpression *expression)
{
    Search search = *outer;
    if (++search.depth > DEPTH_LIMIT || ++*search.n_steps > STEPS_LIMIT)
        return by_data;
    switch (expression->kind) {
    case SOURCE_NUMBER:
    case SOURCE_TEXT:
        return none;
    case SOURCE_VARIABLE:
        return of_variable(&search, expression->variable);
    case SOURCE_CAST:
    case SOURCE_UNARY:
    case SOURCE_INCREMENT:
        return stride_of(&search, expression->operands[0]);
    case SOURCE_ASSIGN:
        return stride_of(&search, expression->operands[1]);
    case SOURCE_BINARY:
        return of_binary(&search, expression);
    case SOURCE_ADDRESS:
        return of_address(&search, without_casts(expression->operands[0]));
    case SOURCE_CONDITIONAL:
        return farther(stride_of(&search, expression->operands[1]), stride_of(&search, expression->operands[2]));
    case SOURCE_CALL:
        return of_call(&search, expression);
    default:
        return of_loaded(&search, expression);
    }
}

/* A reference that data tell leads to another place in each iteration. */
static Stride of_base(const Search *search, const SourceExpression *reference)
{
    Stride stride = stride_of(search, reference);
    return stride.kind == STRIDE_DATA ? far : stride;
}

static Stride of_address(const Search *search, const SourceExpression *expression)
{
    switch (expression->kind) {
    case SOURCE_ELEMENT:
        return sum(of_base(search, expression->operands[0]), stride_of(search, expression->operands[1]), 1);
    case SOURCE_DEREFERENCE:
        return of_base(search, expression->operands[0]);
    case SOURCE_FIELD:
        return of_address(search, without_casts(expression->operands[0]));
    case SOURCE_VARIABLE: /* reference->field */
        return expression->type == CPU_REFERENCE ? of_base(search, expression) : none;
    default:
        return none;
    }
}

Stride strides_of_address(const Strides *strides, const SourceExpression *expression, int loop)
{
    unsigned n_steps = 0;
    return of_address(&(Search){strides, loop, 0, &n_steps}, expression);
}

/* ---- Addresses that are alike ---- */

const char *strides_key(const SourceExpression *expression, Arena *arena)
{
    expression = without_casts(expression);
    const SourceExpression *left = expression->n_operands ? expression->operands[0] : NULL;
    const SourceExpression *right = expression->n_operands > 1 ? expression->operands[1] : NULL;
    switch (expression->kind) {
    case SOURCE_NUMBER:
        return arena_printf(arena, "%.17g", expression->value);
    case SOURCE_VARIABLE:
        return arena_printf(arena, "%p", (const void *)expression->variable);
    case SOURCE_INCREMENT:
    case SOURCE_ADDRESS:
    case SOURCE_DEREFERENCE:
        return strides_key(left, arena);
    case SOURCE_FIELD: /* fields of an object are in the same line, or in the next */
        return strides_key(left, arena);
    case SOURCE_ELEMENT:
        return without_casts(right)->kind == SOURCE_NUMBER
                   ? strides_key(left, arena)
                   : arena_printf(arena, "%s[%s]", strides_key(left, arena), strides_key(right, arena));
    case SOURCE_BINARY:
        if ((operator_is(expression, "+") || operator_is(expression, "-")) && right) {
            if (without_casts(right)->kind == SOURCE_NUMBER)
                return strides_key(left, arena);
            if (without_casts(left)->kind == SOURCE_NUMBER)
                return strides_key(right, arena);
        }
        return arena_printf(arena, "(%s%s%s)", strides_key(left, arena), expression->operator,
                            right ? strides_key(right, arena) : "");
    default:
        return arena_printf(arena, "%s", expression->text ? expression->text : "");
    }
}
