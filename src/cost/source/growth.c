/* SPDX-License-Identifier: BSD-3-Clause */
/* See growth.h. */
#include "cost/source/growth.h"

#include <string.h>

enum { CALLS_FOLLOWED = 4 };

/* What a side does with memory. */
typedef struct Moves {
    const SourceProgram *program;
    unsigned depth; /* of calls that are followed */
    bool resizes;   /* by the library: realloc(), Arrays.copyOf() */
    bool allocates; /* as much as a size says */
    bool replaces;  /* gives memory back, or copies it elsewhere */
} Moves;

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names;
}

static bool has_size(const SourceExpression *allocation)
{
    for (size_t i = 0; i < allocation->n_operands; i++)
        if (without_casts(allocation->operands[i])->kind != SOURCE_NUMBER)
            return true;
    return false;
}

static void note_moves(const SourceStatement *statement, Moves *moves);

static bool note_move(const SourceExpression *expression, void *self)
{
    static const char *const resizing[] = {"realloc", "reallocarray", "Arrays.copyOf", "Arrays.copyOfRange", NULL};
    static const char *const replacing[] = {"free", "System.arraycopy", NULL};
    Moves *moves = self;
    moves->allocates |= expression->kind == SOURCE_NEW && has_size(expression);
    if (expression->kind != SOURCE_CALL || !expression->name)
        return false;
    moves->resizes |= is_one_of(expression->name, resizing);
    moves->replaces |= is_one_of(expression->name, replacing);
    const SourceFunction *function = moves->depth ? source_find(moves->program, expression->name) : NULL;
    if (function) {
        moves->depth--;
        note_moves(function->body, moves);
        moves->depth++;
    }
    return false;
}

/* What always runs: not the sides of conditionals in it, nor loops. */
static void note_moves(const SourceStatement *statement, Moves *moves)
{
    for (size_t i = 0; statement && i < statement->n_expressions; i++)
        source_any_in_expression(statement->expressions[i], note_move, moves);
    for (size_t i = 0; statement && statement->kind == SOURCE_BLOCK && i < statement->n_children; i++)
        note_moves(statement->children[i], moves);
}

static bool is_of_bits(const SourceExpression *expression, void *self)
{
    (void)self;
    return operator_is(expression, "%") || operator_is(expression, "&");
}

/* `i % 100 == 0` tells nothing of what there is room for. */
static bool compares_sizes(const SourceExpression *condition)
{
    static const char *const comparisons[] = {"<", ">", "<=", ">=", "==", "!=", NULL};
    condition = condition_without_hints(condition);
    return condition->kind == SOURCE_BINARY && is_one_of(condition->operator, comparisons) &&
           type_is_whole(without_casts(condition->operands[0])->type) &&
           !source_any_in_expression(condition, is_of_bits, NULL);
}

static bool makes_room(const Moves *moves)
{
    return moves->resizes || (moves->allocates && moves->replaces);
}

bool right_makes_room(const Generator *all, const SourceExpression *both)
{
    Moves moves = {.program = all->program, .depth = CALLS_FOLLOWED};
    if (!compares_sizes(both->operands[0]))
        return false;
    source_any_in_expression(both->operands[1], note_move, &moves);
    return makes_room(&moves);
}

bool side_makes_room(const Scope *scope, const SourceStatement *choice, int side)
{
    const SourceStatement *branch = (size_t)side < choice->n_children ? choice->children[side] : NULL;
    Moves moves = {.program = scope->all->program, .depth = CALLS_FOLLOWED};
    if (!branch || !compares_sizes(choice->expressions[0]))
        return false;
    note_moves(branch, &moves);
    return makes_room(&moves);
}
