/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs statements. What calls no MPI and has no known outcome is counted as in a model: both sides
 * of a conditional with its probability, loops as sums. */
#include "cost/source/control.h"
#include "cost/source/expression.h"
#include "cost/source/mpi/run.h"
#include "cost/source/operation.h"
#include "cost/source/statement.h"

#include <math.h>

Flow run_expression(Run *run, Scope *scope, const SourceExpression *expression)
{
    size_t n_results = run->results.count;
    Flow flow = run_calls(run, scope, expression);
    if (flow == FLOW_ON)
        emit_expression(scope, expression);
    run->results.count = n_results;
    return run->world->all.failed ? FLOW_END : flow;
}

/* A statement without calls of MPI, as a part of the model. */
static Flow emit_quiet(Run *run, Scope *scope, const SourceStatement *statement)
{
    SourceStatement *list[] = {(SourceStatement *)statement};
    places_forget(scope, statement);
    emit_list(scope, list, 1);
    places_forget(scope, statement);
    return run->world->all.failed ? FLOW_END : FLOW_ON;
}

static Flow run_declaration(Run *run, Scope *scope, const SourceStatement *statement)
{
    const SourceExpression *initial = statement->n_expressions ? statement->expressions[0] : NULL;
    size_t n_results = run->results.count;
    Flow flow = initial ? run_calls(run, scope, initial) : FLOW_ON;
    if (flow != FLOW_ON)
        return flow;
    Amount value = initial ? amount_of(scope, initial) : UNKNOWN_AMOUNT;
    const Place *target = initial ? place_followed(scope, initial) : NULL;
    if (initial) {
        emit_expression(scope, initial);
        emit_operation(scope, CPU_ASSIGN, statement->variable->type);
    }
    place_declare(scope, statement->variable, value, initial, target);
    run->results.count = n_results;
    return run->world->all.failed ? FLOW_END : FLOW_ON;
}

static Flow run_list(Run *run, Scope *scope, SourceStatement *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Flow flow = run_statement(run, scope, list[i]);
        if (flow != FLOW_ON)
            return flow;
    }
    return FLOW_ON;
}

/* ---- Conditionals ---- */

static Visits *visits_of(Run *run, const SourceStatement *statement)
{
    for (size_t i = 0; i < run->visits.count; i++)
        if (run->visits.items[i].statement == statement)
            return &run->visits.items[i];
    *vec_push(&run->visits) = (Visits){statement, 0};
    return &run->visits.items[run->visits.count - 1];
}

/* Of n times, the condition holds round(n·q) times, evenly spread. All processes decide alike, so
 * that a send and its receive behind the same condition meet. */
static bool holds_by_share(Run *run, const SourceStatement *statement, double q)
{
    Visits *visits = visits_of(run, statement);
    double before = floor((double)visits->n * q + 0.5);
    visits->n++;
    if (q > 0 && q < 1)
        run->n_guesses++;
    return floor((double)visits->n * q + 0.5) > before;
}

static bool jumps(const SourceStatement *statement)
{
    return ends_of(statement) != ENDS_NORMALLY;
}

static const char *text_of(const SourceExpression *condition)
{
    return condition->text && *condition->text ? condition->text : "a condition";
}

/* The side that runs if the condition isn't known: 0 or 1. A side that leaves the loop, the function
 * or the program isn't taken, unless the user gives the probability. */
static int guessed_side(Run *run, const SourceStatement *statement, const SourceStatement *const sides[2])
{
    World *world = run->world;
    Generator *all = &world->all;
    const SourceExpression *condition = statement->expressions[0];
    const char *name = name_of_place(all, "Q", "", &condition->place);
    double q = 0.5;
    bool is_given = given_of_place(world, "Q", &condition->place, &q), leaves[2] = {jumps(sides[0]), jumps(sides[1])};
    if (!is_given && leaves[0] != leaves[1]) {
        finding_of_run(world, &condition->place, name,
                       arena_printf(all->arena, "`%s`: assumed never to leave here", text_of(condition)));
        return leaves[0] ? 1 : 0;
    }
    if (q < 0 || q > 1) {
        run_fail(run, &condition->place, "%s is %g, and a probability is from 0 to 1", name, q);
        return 0;
    }
    finding_of_run(
        world, &condition->place, name,
        is_given ? arena_printf(all->arena, "`%s`: true in a share of %g of all cases, as given", text_of(condition), q)
                 : arena_printf(all->arena, "`%s`: assumed to be true every other time", text_of(condition)));
    return holds_by_share(run, statement, q) ? 0 : 1;
}

static Flow run_if(Run *run, Scope *scope, const SourceStatement *statement)
{
    const SourceExpression *condition = statement->expressions[0];
    const SourceStatement *sides[2] = {statement->children[0],
                                       statement->n_children > 1 ? statement->children[1] : NULL};
    size_t n_results = run->results.count;
    double truth;
    Flow flow = run_calls(run, scope, condition);
    if (flow != FLOW_ON)
        return flow;
    const Expr *exact = probability_of(scope, condition);
    bool is_known = exact && expr_is_number(exact, &truth), is_quiet = !is_loud(run->world, statement);
    if (!is_known && is_quiet && !jumps(sides[0]) && !jumps(sides[1])) {
        flow = emit_quiet(run, scope, statement);
        run->results.count = n_results;
        return flow;
    }
    emit_expression(scope, condition);
    run->results.count = n_results;
    emit_operation(scope, CPU_BRANCH, CPU_INT32);
    int side = is_known ? truth <= 0 : guessed_side(run, statement, sides);
    side_begin(run, scope, statement, side);
    return run_statement(run, scope, sides[side]);
}

static bool is_case(Scope *scope, const SourceStatement *label, int64_t value)
{
    int64_t number;
    for (size_t i = 0; i < label->n_expressions; i++) {
        Amount amount = amount_of(scope, label->expressions[i]);
        if (amount.expr && expr_is_integer(amount.expr, &number) && number == value)
            return true;
    }
    return false;
}

static Flow run_switch(Run *run, Scope *scope, const SourceStatement *statement)
{
    size_t n_results = run->results.count;
    Flow called = run_calls(run, scope, statement->expressions[0]);
    if (called != FLOW_ON)
        return called;
    Amount amount = amount_of(scope, statement->expressions[0]);
    int64_t value;
    size_t at = statement->n_children;
    if (!amount.expr || !expr_is_integer(amount.expr, &value)) {
        if (is_loud(run->world, statement))
            run_fail(run, &statement->place, "the case of this switch isn't known");
        Flow flow = emit_quiet(run, scope, statement);
        run->results.count = n_results;
        return flow;
    }
    emit_expression(scope, statement->expressions[0]);
    run->results.count = n_results;
    for (size_t i = 0; i < statement->n_children && at == statement->n_children; i++)
        if (is_case(scope, statement->children[i], value))
            at = i;
    for (size_t i = 0; i < statement->n_children && at == statement->n_children; i++)
        if (!statement->children[i]->n_expressions)
            at = i;
    for (; at < statement->n_children; at++) {
        const SourceStatement *label = statement->children[at];
        Flow flow = run_list(run, scope, label->children, label->n_children);
        if (flow != FLOW_ON)
            return flow == FLOW_BREAK ? FLOW_ON : flow;
        if (!label->falls_through)
            break;
    }
    return FLOW_ON;
}

/* ---- Statements ---- */

static Flow run_return(Run *run, Scope *scope, const SourceStatement *statement)
{
    run->returned = (RunValue){0};
    if (!statement->n_expressions)
        return FLOW_RETURN;
    size_t n_results = run->results.count;
    Flow flow = run_calls(run, scope, statement->expressions[0]);
    if (flow != FLOW_ON)
        return flow;
    run->returned.value = amount_of(scope, statement->expressions[0]);
    run->returned.target = place_followed(scope, statement->expressions[0]);
    emit_expression(scope, statement->expressions[0]);
    run->results.count = n_results;
    return FLOW_RETURN;
}

Flow run_statement(Run *run, Scope *scope, const SourceStatement *statement)
{
    if (run->world->all.failed)
        return FLOW_END;
    if (!statement)
        return FLOW_ON;
    switch (statement->kind) {
    case SOURCE_BLOCK:
    case SOURCE_CASE:
        return run_list(run, scope, statement->children, statement->n_children);
    case SOURCE_EXPRESSION:
        return run_expression(run, scope, statement->expressions[0]);
    case SOURCE_DECLARE:
        return run_declaration(run, scope, statement);
    case SOURCE_IF:
        return run_if(run, scope, statement);
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
        return run_loop(run, scope, statement);
    case SOURCE_SWITCH:
        return run_switch(run, scope, statement);
    case SOURCE_RETURN:
        return run_return(run, scope, statement);
    case SOURCE_BREAK:
        return FLOW_BREAK;
    case SOURCE_CONTINUE:
        return FLOW_CONTINUE;
    case SOURCE_FOR_EACH:
    case SOURCE_NOT_UNDERSTOOD:
        break;
    }
    if (!is_loud(run->world, statement))
        return emit_quiet(run, scope, statement);
    run_fail(run, &statement->place, "%s isn't understood, and calls MPI",
             statement->text ? statement->text : "a statement");
    return FLOW_END;
}
