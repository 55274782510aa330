/* SPDX-License-Identifier: BSD-3-Clause */
/* See endless.h. Nothing is counted twice or left out: A stands twice in the source, but runs as often as
 * before. */
#include "cost/source/program/endless.h"

#include "cost/source/program/build.h"
#include "cost/source/program/syntax.h"

/* The opposite of a condition, with the same operations. NULL: it would need another one. */
static SourceExpression *opposite(const SourceExpression *condition, Arena *arena)
{
    static const char *const pairs[][2] = {{"<", ">="},  {">=", "<"},  {">", "<="},  {"<=", ">"},
                                           {"==", "!="}, {"!=", "=="}, {"&&", "||"}, {"||", "&&"}};
    SourceExpression *made = arena_alloc(arena, sizeof *made);
    *made = *condition;
    made->is_opposite = !condition->is_opposite;
    made->operator= NULL;
    for (size_t i = 0; condition->kind == SOURCE_BINARY && i < sizeof pairs / sizeof *pairs; i++)
        if (operator_is(condition, pairs[i][0]))
            made->operator= pairs[i][1];
    if (!made->operator)
        return NULL;
    if (!operator_is(made, "&&") && !operator_is(made, "||"))
        return made;
    SourceExpression *left = opposite(condition->operands[0], arena), *right = opposite(condition->operands[1], arena);
    if (left && right)
        build_two_operands(made, left, right, arena);
    return left && right ? made : NULL;
}

/* The statements before a final `break`. False: the break is elsewhere. */
static bool without_break(SourceStatement *side, Statements *list)
{
    if (side->kind == SOURCE_BREAK)
        return true;
    if (side->kind != SOURCE_BLOCK || !side->n_children || side->children[side->n_children - 1]->kind != SOURCE_BREAK)
        return false;
    for (size_t i = 0; i + 1 < side->n_children; i++) {
        if (ends_of(side->children[i]) != ENDS_NORMALLY)
            return false;
        *vec_push(list) = side->children[i];
    }
    return true;
}

static SourceStatement *loop_of(const SourceStatement *loop, SourceExpression *condition, SourceExpression *step,
                                Statements *body, Arena *arena)
{
    SourceStatement *made = build_statement(step ? SOURCE_FOR : SOURCE_WHILE, loop->place, arena);
    SourceStatement *block = build_statement(SOURCE_BLOCK, loop->place, arena);
    Expressions expressions = {0};
    Statements children = {0};
    build_children(block, body, arena);
    *vec_push(&expressions) = condition;
    if (step) {
        *vec_push(&expressions) = step;
        *vec_push(&children) = NULL;
    }
    *vec_push(&children) = block;
    build_expressions(made, &expressions, arena);
    build_children(made, &children, arena);
    return made;
}

/* The index of the first `if (c) … break;` among statements that each iteration reaches; n: none. */
static size_t find_exit(const SourceStatement *body)
{
    size_t i = 0;
    for (; i < body->n_children; i++) {
        const SourceStatement *child = body->children[i];
        unsigned ends = ends_of(child);
        if (child && child->kind == SOURCE_IF && (child->n_children < 2 || !child->children[1]) &&
            ends_of(child->children[0]) == ENDS_BREAK)
            break;
        if (ends != ENDS_NORMALLY)
            return body->n_children;
    }
    return i;
}

bool endless_rewrite(const SourceStatement *loop, Arena *arena, SourceStatement **rewritten)
{
    LoopParts parts = loop_parts(loop);
    if (loop->kind == SOURCE_FOR_EACH || !condition_is_true(parts.condition) || !parts.body ||
        parts.body->kind != SOURCE_BLOCK)
        return false;
    size_t n = parts.body->n_children, at = find_exit(parts.body);
    if (at == n)
        return false;
    const SourceStatement *choice = parts.body->children[at];
    SourceExpression *condition = opposite(choice->expressions[0], arena), *step = (SourceExpression *)parts.step;
    Statements all = {0}, body = {0}, behind = {0};
    unsigned ends = ENDS_NORMALLY;
    for (size_t i = at + 1; i < n; i++) {
        ends |= ends_of(parts.body->children[i]);
        *vec_push(&body) = parts.body->children[i];
    }
    if (!condition || (at && (ends & ENDS_CONTINUE)) || !without_break(choice->children[0], &behind)) {
        vec_free(&body);
        vec_free(&behind);
        return false;
    }
    if (loop->kind == SOURCE_FOR && loop->children[0])
        *vec_push(&all) = loop->children[0];
    if (at && step)
        *vec_push(&body) = build_statement_of(step, loop->place, arena);
    for (size_t i = 0; i < at; i++) {
        *vec_push(&all) = parts.body->children[i];
        *vec_push(&body) = parts.body->children[i];
    }
    *vec_push(&all) = loop_of(loop, condition, at ? NULL : step, &body, arena);
    for (size_t i = 0; i < behind.count; i++)
        *vec_push(&all) = behind.items[i];
    vec_free(&behind);
    *rewritten = build_statement(SOURCE_BLOCK, loop->place, arena);
    build_children(*rewritten, &all, arena);
    return true;
}
