/* SPDX-License-Identifier: BSD-3-Clause */
/* switch: each case has a probability. The shares are equal, unless the value is decidable. */
#include "cost/source/control.h"

#include "cost/source/expression.h"
#include "cost/source/guard.h"
#include "cost/source/operation.h"

typedef struct Cases {
    const SourceStatement *statement;
    Amount value;     /* of the switch's expression */
    size_t n_shares;  /* of equal shares */
    const Expr *rest; /* what decidable cases leave for the default */
    bool are_named;   /* the shares are parameters */
} Cases;

/* 1 if the value is one of the case's labels, else 0. NULL: undecidable. */
static const Expr *exact_share(Scope *scope, Cases *cases, const SourceStatement *one_case)
{
    ExprSpace *space = scope->all->space;
    if (!cases->value.expr)
        return NULL;
    const Expr *share = expr_integer(space, 0);
    for (size_t i = 0; i < one_case->n_expressions; i++) {
        Amount label = amount_of(scope, one_case->expressions[i]);
        if (!label.expr)
            return NULL;
        Amount difference = amount_subtract(scope->space, cases->value, label);
        Amount opposite = amount_subtract(scope->space, label, cases->value);
        Amount up = amount_function(scope->space, EXPR_STEP, difference, UNKNOWN_AMOUNT, true);
        Amount down = amount_function(scope->space, EXPR_STEP, opposite, UNKNOWN_AMOUNT, true);
        share = expr_add(space, share, amount_multiply(scope->space, up, down).expr);
    }
    cases->rest = expr_subtract(space, cases->rest, share);
    return share;
}

static const Expr *named_share(Scope *scope, const Cases *cases, size_t i)
{
    Generator *all = scope->all;
    const SourceStatement *one_case = cases->statement->children[i];
    const char *label = one_case->n_expressions ? one_case->expressions[0]->text : "default";
    if (case_gives_up(scope, cases->statement, i))
        return parameter_of_place(all, "Q", "", &one_case->place, expr_integer(all->space, 0),
                                  arena_printf(all->arena, "case %s: 0, because it gives up", label ? label : ""));
    return parameter_of_place(
        all, "Q", "", &one_case->place, expr_rational(all->space, 1, (int64_t)cases->n_shares),
        arena_printf(all->arena, "case %s: an equal share, 1/%zu", label ? label : "", cases->n_shares));
}

/* The shares of all cases, in order. If they are decidable, the default has what the others
 * leave. */
static const Expr **shares_of(Scope *scope, Cases *cases)
{
    const SourceStatement *statement = cases->statement;
    const Expr **shares = arena_new_array(scope->all->arena, const Expr *, statement->n_children);
    bool are_exact = true;
    for (size_t i = 0; i < statement->n_children; i++)
        if (statement->children[i]->n_expressions)
            are_exact &= (shares[i] = exact_share(scope, cases, statement->children[i])) != NULL;
    cases->are_named = !are_exact;
    for (size_t i = 0; i < statement->n_children; i++)
        if (!are_exact)
            shares[i] = named_share(scope, cases, i);
        else if (!statement->children[i]->n_expressions)
            shares[i] = cases->value.expr ? cases->rest : named_share(scope, cases, i);
    return shares;
}

static const char *case_text(Scope *scope, const Cases *cases, const SourceStatement *one_case)
{
    const char *text = cases->statement->expressions[0]->text;
    const char *label = one_case->n_expressions ? one_case->expressions[0]->text : "default";
    return arena_printf(scope->all->arena, one_case->n_expressions ? "%s == %s" : "%s: %s", text ? text : "switch",
                        label ? label : "");
}

/* The probability that the code behind the switch is reached from a case. */
static const Expr *case_reaches(Scope *scope, const SourceStatement *one_case, const Expr *reaches)
{
    unsigned ends = ends_of(one_case);
    if (!(ends & (ENDS_FUNCTION | ENDS_CONTINUE)))
        return expr_integer(scope->all->space, 1);
    if (ends & ENDS_BREAK)
        finding_add(scope->all, &one_case->place, NULL,
                    "the case may break, return or continue; it counts as if it always returned or continued");
    return reaches;
}

static void count_case(Scope *scope, const Cases *cases, size_t i)
{
    const SourceStatement *one_case = cases->statement->children[i];
    bool leaves = leaves_loop(scope, one_case);
    count_add(scope->all, &(AnalysisCount){.parameter = name_of_place(scope->all, "Q", "", &one_case->place),
                                           .kind = leaves ? COUNT_CASE_EXITS : COUNT_CASES,
                                           .place = one_case->place,
                                           .statement = cases->statement,
                                           .loop = leaves ? loop_left(scope, one_case)->statement : NULL,
                                           .index = i});
}

static const Expr *emit_case(Scope *scope, const Cases *cases, size_t i, const Expr *share)
{
    Generator *all = scope->all;
    const SourceStatement *one_case = cases->statement->children[i];
    bool gives_up = case_gives_up(scope, cases->statement, i);
    if (cases->are_named)
        count_case(scope, cases, i);
    const Condition condition = {case_text(scope, cases, one_case), place_text(all, &one_case->place), one_case};
    if (leaves_loop(scope, one_case)) {
        leave_loop(scope, one_case, condition, share, gives_up);
        return expr_integer(all->space, 1);
    }
    const Expr *reaches;
    PamelaNode *node =
        (gives_up ? seldom_to_node : list_to_node)(scope, one_case->children, one_case->n_children, &reaches);
    block_if(all, scope->block, condition, share, node, NULL);
    return case_reaches(scope, one_case, reaches);
}

const Expr *emit_switch(Scope *scope, const SourceStatement *statement)
{
    Generator *all = scope->all;
    bool has_default = false, was_in_switch = scope->in_switch;
    size_t n_guards = 0;
    Cases cases = {statement, amount_of(scope, statement->expressions[0]), 0, expr_integer(all->space, 1), false};
    for (size_t i = 0; i < statement->n_children; i++)
        has_default |= !statement->children[i]->n_expressions, n_guards += case_gives_up(scope, statement, i);
    cases.n_shares = statement->n_children + !has_default - n_guards;
    emit_expression(scope, statement->expressions[0]);
    emit_operation(scope, CPU_BRANCH, CPU_INT32);
    const Expr **shares = shares_of(scope, &cases), *reaches = expr_integer(all->space, 1), *fallen_through = NULL;
    Snapshot before = variables_save(scope);
    AssignedSet assigned = {0};
    assigned_in_statement(&assigned, statement);
    scope->in_switch = true;
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *one_case = statement->children[i];
        const Expr *share = fallen_through ? expr_add(all->space, fallen_through, shares[i]) : shares[i];
        variables_restore(scope, &before);
        if (fallen_through)
            variables_forget(scope, &assigned);
        const Expr *ends = emit_case(scope, &cases, i, share);
        fallen_through = one_case->falls_through ? share : NULL;
        const Expr *lost = expr_subtract(all->space, expr_integer(all->space, 1), ends);
        reaches = expr_subtract(all->space, reaches, expr_multiply(all->space, share, lost));
    }
    scope->in_switch = was_in_switch;
    variables_restore(scope, &before);
    variables_forget(scope, &assigned);
    assigned_free(&assigned);
    return reaches;
}
