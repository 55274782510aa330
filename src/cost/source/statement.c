/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements: blocks, conditionals, switch, jumps. The code behind a conditional jump is reached
 * with the probability that the jump isn't taken:
 *
 *     if (c) { A; continue; } rest      if (c, Q) { A } else { rest }
 *     for (…) { if (c) break; rest }    seq (i = 1, share) { rest }; if (c, Q) { branch } */
#include "cost/source/statement.h"
#include "cost/source/chain.h"

#include "cost/source/control.h"
#include "cost/source/expression.h"
#include "cost/source/growth.h"
#include "cost/source/guard.h"
#include "cost/source/operation.h"
#include "cost/source/period.h"
#include "cost/source/threads.h"
#include "cost/source/values/part.h"
#include "cost/source/values/place.h"

static const Expr *one(const Scope *scope)
{
    return expr_integer(scope->all->space, 1);
}

static const Expr *zero(const Scope *scope)
{
    return expr_integer(scope->all->space, 0);
}

/* A conditional, after its condition has been emitted. */
typedef struct Choice {
    const SourceExpression *condition;
    const Expr *exact, *q; /* exact: NULL if undecidable */
    bool is_known;         /* true or false for all parameters */
    Ordering ordering;
    int exit_side;  /* the side that leaves the loop; -1: none */
    int guard_side; /* the side that gives up; -1: none */
    int room_side;  /* the side that makes room; -1: none */
    const SourceStatement *sides[2];
    const char *text, *comment;
    const SourceStatement *statement;
} Choice;

/* Finds the side that always leaves the loop. Its Q is a share of the loop's runs, not of
 * iterations. */
static int exit_side(const Scope *scope, const Choice *choice)
{
    for (int side = 0; side < 2; side++)
        if (leaves_loop(scope, choice->sides[side]))
            return side;
    return -1;
}

/* The first side of which this is true. */
static int side_that(bool (*is_so)(const Scope *, const SourceStatement *, int), const Scope *scope,
                     const SourceStatement *statement)
{
    for (int side = 0; side < 2; side++)
        if (is_so(scope, statement, side))
            return side;
    return -1;
}

static const Expr *exit_share(Scope *scope, const Choice *choice, bool gives_up)
{
    Generator *all = scope->all;
    const SourceExpression *condition = choice->condition;
    const int side = choice->exit_side;
    count_add(all, &(AnalysisCount){.parameter = name_of_place(all, "Q", "", &condition->place),
                                    .kind = COUNT_EXITS,
                                    .place = condition->place,
                                    .expression = condition,
                                    .statement = choice->statement,
                                    .loop = loop_left(scope, choice->sides[side])->statement,
                                    .index = (size_t)side});
    const Expr *share = gives_up ? expr_integer(all->space, 0) : expr_rational(all->space, 1, 2);
    return parameter_of_place(all, "Q", "", &condition->place, share,
                              arena_printf(all->arena, "`%s`: share of the loop's runs that end here: %s",
                                           condition->text ? condition->text : "",
                                           gives_up ? "0, because that side gives up" : "1/2"));
}

static Guess choice_guess(const Choice *choice)
{
    int seldom = choice->guard_side >= 0 ? choice->guard_side : choice->room_side;
    return seldom < 0 ? GUESS_HALF : seldom == 0 ? GUESS_FALSE : GUESS_TRUE;
}

/* Of a side that runs each so many times. NULL: it isn't one. */
static const Expr *share_of_period(Scope *scope, const SourceExpression *condition, double period)
{
    Generator *all = scope->all;
    return parameter_of_place(all, "Q", "", &condition->place, expr_rational(all->space, 1, (int64_t)period),
                              arena_printf(all->arena,
                                           "`%s`: 1/%.0f, because it counts to there from where that side sets it",
                                           condition->text ? condition->text : "", period));
}

static const Expr *choice_probability(Scope *scope, const Choice *choice)
{
    if (choice->exit_side >= 0)
        return exit_share(scope, choice, choice->exit_side == choice->guard_side);
    count_condition(scope, choice->condition, "", NULL, choice->statement);
    double period = choice->exact || choice->guard_side >= 0 ? 0 : choice_period(scope, choice->statement);
    if (period > 0)
        return share_of_period(scope, choice->condition, period);
    const char *seldom = choice->guard_side >= 0 ? "gives up" : choice->room_side >= 0 ? "makes room" : NULL;
    return probability_or(scope, choice->condition, "", "", choice_guess(choice), seldom);
}

static const Expr *emit_statement(Scope *scope, const SourceStatement *statement);

static const Expr *emit_rest(Scope *scope, const Expr *reaches, SourceStatement *const *rest, size_t n_rest);

static Choice choice_of(Scope *scope, const SourceStatement *statement)
{
    Generator *all = scope->all;
    Choice choice = {.statement = statement,
                     .condition = statement->expressions[0],
                     .sides = {statement->children[0], statement->n_children > 1 ? statement->children[1] : NULL}};
    double share;
    choice.exact = probability_of(scope, choice.condition);
    choice.is_known = choice.exact && expr_is_number(choice.exact, &share);
    choice.exit_side = choice.is_known ? -1 : exit_side(scope, &choice);
    choice.guard_side = choice.exact ? -1 : side_that(side_gives_up, scope, statement);
    choice.room_side = choice.exact || choice.guard_side >= 0 ? -1 : side_that(side_makes_room, scope, statement);
    choice.q = choice_probability(scope, &choice);
    choice.ordering = ordering_of(scope, choice.condition);
    choice.text = choice.condition->text ? choice.condition->text : "";
    choice.comment = place_text(all, &statement->place);
    emit_condition(scope, choice.condition, choice_guess(&choice));
    if (without_casts(choice.condition)->kind != SOURCE_NUMBER) /* otherwise the compiler decides */
        emit_operation(scope, CPU_BRANCH, CPU_INT32);
    return choice;
}

/* Emits a conditional with a side that always leaves the loop. That side is emitted behind the
 * loop; the other side and the rest follow here. */
static const Expr *emit_exit(Scope *scope, const Choice *choice, SourceStatement *const *rest, size_t n_rest)
{
    const SourceStatement *branch = choice->sides[choice->exit_side], *other = choice->sides[1 - choice->exit_side];
    const char *text = arena_printf(scope->all->arena, "left by %s", choice->text);
    leave_loop(scope, branch, (Condition){text, choice->comment, choice->statement}, choice->q,
               choice->exit_side == choice->guard_side);
    const Expr *reaches = other ? emit_statement(scope, other) : one(scope);
    return emit_rest(scope, reaches, rest, n_rest);
}

/* Emits both sides. If one side never reaches the statements behind the conditional, they become
 * part of the other side. */
static const Expr *emit_sides(Scope *scope, const Choice *choice, SourceStatement *const *rest, size_t n_rest,
                              bool *took_rest)
{
    Generator *all = scope->all;
    PamelaNode *nodes[2];
    const Expr *reaches[2];
    Snapshot before = variables_save(scope), after[2];
    bool ends[2] = {choice->sides[0] && !(ends_of(choice->sides[0]) & ENDS_NORMALLY),
                    choice->sides[1] && !(ends_of(choice->sides[1]) & ENDS_NORMALLY)};
    *took_rest = ends[0] != ends[1];
    for (unsigned side = 0; side < 2; side++) {
        size_t count = 0;
        SourceStatement **list = arena_new_array(all->arena, SourceStatement *, n_rest + 1);
        if (choice->sides[side])
            list[count++] = (SourceStatement *)choice->sides[side];
        for (size_t i = 0; *took_rest && !ends[side] && i < n_rest; i++)
            list[count++] = rest[i];
        variables_restore(scope, &before);
        bool is_seldom = (int)side == choice->guard_side || (int)side == choice->room_side;
        nodes[side] = (is_seldom ? seldom_to_node : list_to_node)(scope, list, count, &reaches[side]);
        after[side] = variables_save(scope);
    }
    block_if(all, scope->block, (Condition){choice->text, choice->comment, choice->statement}, choice->q, nodes[0],
             nodes[1]);
    variables_restore(scope, &after[ends[0] ? 1 : 0]);
    if (ends[0] == ends[1])
        variables_merge(scope, &after[1], &choice->ordering, choice->exact);
    return expr_weighted(all->space, choice->q, reaches[0], reaches[1], REACH_TERMS);
}

/* Where it matters which sides run, as a node of its own. */
static const Expr *emit_known_side(Scope *scope, const Choice *choice)
{
    double share;
    expr_is_number(choice->exact, &share);
    SourceStatement *side = (SourceStatement *)choice->sides[share > 0 ? 0 : 1];
    const Expr *reaches = one(scope);
    if (!scope->all->options->for_context)
        return side ? emit_statement(scope, side) : reaches;
    PamelaNode *node = side ? list_to_node(scope, &side, 1, &reaches) : NULL;
    block_if(scope->all, scope->block, (Condition){choice->text, choice->comment, choice->statement}, choice->exact,
             share > 0 ? node : NULL, share > 0 ? NULL : node);
    return reaches;
}

/* Emits a conditional and the statements behind it. */
static const Expr *emit_if(Scope *scope, const SourceStatement *statement, SourceStatement *const *rest, size_t n_rest)
{
    Choice choice = choice_of(scope, statement);
    if (choice.is_known)
        return emit_rest(scope, emit_known_side(scope, &choice), rest, n_rest);
    if (choice.exit_side >= 0)
        return emit_exit(scope, &choice, rest, n_rest);
    bool took_rest;
    const Expr *reaches = emit_sides(scope, &choice, rest, n_rest, &took_rest);
    return took_rest ? reaches : emit_rest(scope, reaches, rest, n_rest);
}

static const Expr *emit_rest(Scope *scope, const Expr *reaches, SourceStatement *const *rest, size_t n_rest)
{
    double share;
    if (!n_rest || (expr_is_number(reaches, &share) && share == 0))
        return reaches;
    if (expr_is_number(reaches, &share) && share == 1)
        return emit_list(scope, rest, n_rest);
    const Expr *further;
    PamelaNode *node = list_to_node(scope, rest, n_rest, &further);
    block_if(scope->all, scope->block, (Condition){"reached", place_text(scope->all, &rest[0]->place), NULL}, reaches,
             node, NULL);
    return expr_multiply_grouped(scope->all->space, reaches, further, REACH_TERMS);
}

const Expr *emit_list(Scope *scope, SourceStatement *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] && list[i]->kind == SOURCE_IF && ends_of(list[i]) != ENDS_NORMALLY)
            return emit_if(scope, list[i], list + i + 1, count - i - 1);
        const Expr *reaches = emit_statement(scope, list[i]);
        double share;
        if (expr_is_number(reaches, &share) && share == 1)
            continue;
        if (i + 1 < count && expr_is_number(reaches, &share) && share == 0)
            finding_add(scope->all, &list[i + 1]->place, NULL, "never reached, so not counted");
        return emit_rest(scope, reaches, list + i + 1, count - i - 1);
    }
    return one(scope);
}

static void emit_declaration(Scope *scope, const SourceStatement *statement)
{
    const SourceExpression *initial = statement->n_expressions ? statement->expressions[0] : NULL;
    Amount value = initial ? amount_of(scope, initial) : UNKNOWN_AMOUNT;
    const Place *target = initial ? place_followed(scope, initial) : NULL;
    if (initial) {
        emit_expression(scope, initial);
        emit_operation(scope, CPU_ASSIGN, statement->variable->type);
        chain_assign(scope, statement->variable, "=", initial);
    }
    place_declare(scope, statement->variable, value, initial, target);
}

static const Expr *emit_not_understood(Scope *scope, const SourceStatement *statement)
{
    Generator *all = scope->all;
    const char *name = name_of_place(all, "cost_unknown", "", &statement->place);
    emit_named_cost(scope, &statement->place, name,
                    arena_printf(all->arena, "seconds to add for %s, which isn't understood",
                                 statement->text ? statement->text : "a statement"));
    return emit_list(scope, statement->children, statement->n_children);
}

/* The function's value is known if all returns have the same. */
static void emit_return(Scope *scope, const SourceStatement *statement)
{
    if (!statement->n_expressions)
        return;
    Amount value = amount_of(scope, statement->expressions[0]);
    if (scope->loop || (scope->n_returns && scope->returned.expr != value.expr))
        value = UNKNOWN_AMOUNT;
    scope->returned = value;
    scope->n_returns++;
    emit_expression(scope, statement->expressions[0]);
    if (!scope->is_seldom)
        part_return(scope, statement->expressions[0]);
}

static const Expr *emit_own(Scope *scope, const SourceStatement *statement)
{
    switch (statement->kind) {
    case SOURCE_BLOCK:
    case SOURCE_CASE:
        return emit_list(scope, statement->children, statement->n_children);
    case SOURCE_EXPRESSION:
        emit_expression(scope, statement->expressions[0]);
        return expression_never_returns(statement->expressions[0]) ? zero(scope) : one(scope);
    case SOURCE_DECLARE:
        emit_declaration(scope, statement);
        return one(scope);
    case SOURCE_IF:
        return emit_if(scope, statement, NULL, 0);
    case SOURCE_FOR:
    case SOURCE_WHILE:
    case SOURCE_DO:
    case SOURCE_FOR_EACH:
        return emit_loop(scope, statement);
    case SOURCE_SWITCH:
        return emit_switch(scope, statement);
    case SOURCE_RETURN:
        emit_return(scope, statement);
        return zero(scope);
    case SOURCE_BREAK:
    case SOURCE_CONTINUE:
        return zero(scope);
    case SOURCE_NOT_UNDERSTOOD:
        return emit_not_understood(scope, statement);
    }
    return one(scope);
}

static const Expr *emit_statement(Scope *scope, const SourceStatement *statement)
{
    if (scope->all->failed || !statement)
        return one(scope);
    return statement->team && !scope->all->running ? threads_emit(scope, statement, emit_own)
                                                   : emit_own(scope, statement);
}
