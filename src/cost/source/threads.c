/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of OpenMP. In a parallel region, all threads execute the same, which takes as long as one does.
 * Of a loop that they share, each executes an equal part. Source: docs/METHOD.md, section 15. */
#include "cost/source/threads.h"

static const Expr *number_of_threads(Scope *scope, const SourceStatement *statement)
{
    static const char what[] = "threads of OpenMP's parallel regions, unless num_threads says how many";
    if (statement->team->n_threads)
        return expr_integer(scope->space, statement->team->n_threads);
    finding_add(scope->all, &statement->place, PAMELA_THREADS, what);
    return parameter_make(scope->all, PAMELA_THREADS, value_to_give(scope), &statement->place, what);
}

/* Whether threads share the loop. They don't in a region inside of a region, which has one thread. */
static bool find_shares(Scope *scope, const SourceStatement *statement)
{
    const SourceTeam *team = statement->team;
    bool is_inner = team->starts && scope->team.threads;
    if (team->starts && !is_inner)
        scope->team.threads = number_of_threads(scope, statement);
    if (is_inner)
        finding_add(scope->all, &statement->place, NULL, "a parallel region inside of another one has one thread");
    else if (!scope->team.threads)
        finding_add(scope->all, &statement->place, NULL, "no parallel region is in this function: one thread counts");
    return team->shares && !is_inner && scope->team.threads && !scope->team.has_shares;
}

static const Expr *emit_share(Scope *scope, const SourceStatement *statement, EmitStatement *emit)
{
    Generator *all = scope->all;
    Block block = {0}, *outer = scope->block;
    scope->block = &block;
    scope->team.has_shares = true;
    const Expr *reaches = emit(scope, statement);
    scope->block = outer;
    block_if(all, outer, (Condition){.text = "of one thread"},
             expr_divide(all->space, expr_integer(all->space, 1), scope->team.threads), block_end(all, &block), NULL);
    finding_add(all, &statement->place, NULL, "threads have equal shares of this loop");
    return reaches;
}

const Expr *threads_emit(Scope *scope, const SourceStatement *statement, EmitStatement *emit)
{
    const Team before = scope->team;
    bool shares = find_shares(scope, statement);
    const Expr *reaches = shares ? emit_share(scope, statement, emit) : emit(scope, statement);
    scope->team = before;
    return reaches;
}
