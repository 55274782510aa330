/* SPDX-License-Identifier: BSD-3-Clause */
/* See draws.h. */
#include "cost/source/draws.h"

#include "cost/source/program/syntax.h"
#include "cost/source/values/known.h"

#include <math.h>
#include <string.h>

/* The least factor of a linear congruential generator that is in use (MINSTD). */
static const double LEAST_FACTOR = 16807;

/* ---- Generators ---- */

static bool is_large(const SourceExpression *expression)
{
    expression = without_casts(expression);
    return expression->kind == SOURCE_NUMBER && fabs(expression->value) >= LEAST_FACTOR;
}

static bool is_shift(const SourceExpression *expression, void *self)
{
    (void)self;
    return operator_is(expression, "<<") || operator_is(expression, ">>") || operator_is(expression, ">>>");
}

static bool mixes(const SourceExpression *expression, void *self)
{
    (void)self;
    bool is_product = operator_is(expression, "*") || operator_is(expression, "*=");
    bool is_difference = operator_is(expression, "^") || operator_is(expression, "^=");
    if (expression->n_operands != 2)
        return false;
    return (is_product && (is_large(expression->operands[0]) || is_large(expression->operands[1]))) ||
           (is_difference && source_any_in_expression(expression, is_shift, NULL));
}

/* What a function keeps from call to call. */
typedef struct State {
    const SourceExpression *stored; /* a global variable, a field, or what a pointer leads to */
    const SourceFunction *function;
    size_t n; /* how often it is named */
} State;

static bool is_kept(const SourceExpression *target)
{
    return target->kind == SOURCE_FIELD || target->kind == SOURCE_DEREFERENCE ||
           (target->kind == SOURCE_VARIABLE && target->variable->is_global);
}

static bool note_place(const SourceExpression *expression, void *self)
{
    State *state = self;
    state->n += expression_is_same(state->stored, expression);
    return false;
}

static bool is_state(const SourceExpression *expression, void *self)
{
    const State *search = self;
    const SourceExpression *target = expression->kind == SOURCE_ASSIGN ? without_casts(expression->operands[0]) : NULL;
    if (!target || !is_kept(target) || !type_is_whole(target->type))
        return false;
    State state = {target, search->function, 0};
    source_any_in(search->function->body, note_place, &state);
    return state.n > 1 || !operator_is(expression, "=");
}

static bool is_generator(const SourceFunction *function)
{
    State search = {.function = function};
    return source_any_in(function->body, mixes, NULL) && source_any_in(function->body, is_state, &search);
}

/* ---- Calls ---- */

typedef struct Search {
    const SourceProgram *program;
    bool *is_seen; /* [n_functions] */
} Search;

static bool draws(const SourceExpression *expression, void *self)
{
    const Search *search = self;
    if (expression->kind != SOURCE_CALL || !expression->name)
        return false;
    const SourceFunction *function = source_find(search->program, expression->name);
    const KnownFunction *known = function ? NULL : known_find(search->program->language, expression->name);
    if (!function)
        return known && known->operation == CPU_RANDOM;
    bool *is_seen = &search->is_seen[function - search->program->functions];
    if (*is_seen)
        return false;
    *is_seen = true;
    return is_generator(function) || source_any_in(function->body, draws, self);
}

bool statement_draws(const SourceProgram *program, const SourceStatement *statement, Arena *arena)
{
    Search search = {program, arena_new_array(arena, bool, program->n_functions)};
    return source_any_in(statement, draws, &search);
}
