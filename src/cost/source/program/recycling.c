/* SPDX-License-Identifier: BSD-3-Clause */
/* See recycling.h. A function that calls one that frees memory frees it, too, and one that a recycling function calls
 * recycles. So both searches go on until they find no more. */
#include "cost/source/program/recycling.h"

#include "base/arena.h"
#include "cost/source/program/syntax.h"

#include <stdlib.h>
#include <string.h>

typedef struct Recycling {
    const SourceProgram *program;
    bool *frees, *recycles, *recurses, *is_reached; /* [n_functions] */
    const SourceStatement **loops;                  /* [n_functions] in which they are called, and that free */
    bool is_new;                                    /* something was found in this pass */
} Recycling;

/* The called function with source. NULL: there is none. */
static const SourceFunction *called(const Recycling *recycling, const SourceExpression *expression)
{
    return expression->kind == SOURCE_CALL && expression->name ? source_find(recycling->program, expression->name)
                                                               : NULL;
}

static bool frees(const SourceExpression *expression, void *self)
{
    const Recycling *recycling = self;
    const SourceFunction *function = called(recycling, expression);
    if (function)
        return recycling->frees[function - recycling->program->functions];
    if (expression->kind == SOURCE_CALL && !expression->name)
        return true; /* by a pointer: whatever it calls */
    return expression->kind == SOURCE_CALL &&
           (strcmp(expression->name, "free") == 0 || strcmp(expression->name, "realloc") == 0);
}

static void mark_one(Recycling *recycling, const SourceStatement *loop, bool *is_marked, const SourceStatement **marked)
{
    recycling->is_new |= !*is_marked || (loop && !*marked);
    *is_marked = true;
    *marked = *marked ? *marked : loop;
}

/* loop: the innermost one around, also of callers, that frees; NULL: none is known. How much of what a recursion
 * allocates lives at a time isn't known either. */
static void mark(Recycling *recycling, const SourceStatement *loop, SourceExpression *expression)
{
    if (!expression)
        return;
    const SourceFunction *function = called(recycling, expression);
    size_t number = function ? (size_t)(function - recycling->program->functions) : 0;
    if (expression->unit_bytes)
        mark_one(recycling, loop, &expression->is_recycled, &expression->recycled_in);
    else if (function)
        mark_one(recycling, recycling->recurses[number] ? NULL : loop, &recycling->recycles[number],
                 &recycling->loops[number]);
    for (size_t i = 0; i < expression->n_operands; i++)
        mark(recycling, loop, expression->operands[i]);
}

static bool is_loop(const SourceStatement *statement)
{
    return statement->kind == SOURCE_FOR || statement->kind == SOURCE_WHILE || statement->kind == SOURCE_DO;
}

/* In the statements' order. *recycles: something was freed before. */
static void visit(Recycling *recycling, const SourceStatement *statement, const SourceStatement *loop, bool *recycles)
{
    if (!statement)
        return;
    if (is_loop(statement) && source_any_in(statement, frees, recycling)) {
        *recycles = true;
        loop = statement;
    }
    for (size_t i = 0; i < statement->n_expressions; i++) {
        if (*recycles)
            mark(recycling, loop, statement->expressions[i]);
        *recycles = *recycles || source_any_in_expression(statement->expressions[i], frees, recycling);
    }
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *child = statement->children[i];
        bool gives_up = statement->kind == SOURCE_IF && child && !(ends_of(child) & ENDS_NORMALLY), before = *recycles;
        visit(recycling, child, loop, recycles);
        *recycles = gives_up ? before : *recycles; /* what it frees is freed at the end */
    }
}

/* ---- What a function reaches ---- */

static bool is_resized(const SourceExpression *allocation)
{
    return allocation->kind == SOURCE_CALL && allocation->name && strcmp(allocation->name, "realloc") == 0;
}

static void forget(SourceExpression *expression)
{
    if (!expression)
        return;
    expression->is_recycled = is_resized(expression);
    expression->recycled_in = NULL;
    for (size_t i = 0; i < expression->n_operands; i++)
        forget(expression->operands[i]);
}

static void forget_all(const SourceStatement *statement)
{
    for (size_t i = 0; statement && i < statement->n_expressions; i++)
        forget(statement->expressions[i]);
    for (size_t i = 0; statement && i < statement->n_children; i++)
        forget_all(statement->children[i]);
}

/* Functions that are called, or named, so that they may be called later. */
typedef struct Reach {
    const SourceProgram *program;
    bool *is_reached; /* [n_functions] */
} Reach;

static bool reach(const SourceExpression *expression, void *self)
{
    const Reach *reached = self;
    bool names = expression->kind == SOURCE_CALL || expression->kind == SOURCE_TEXT;
    const SourceFunction *function = names && expression->name ? source_find(reached->program, expression->name) : NULL;
    bool *is_reached = function ? &reached->is_reached[function - reached->program->functions] : NULL;
    if (is_reached && !*is_reached) {
        *is_reached = true;
        source_any_in(function->body, reach, self);
    }
    return false;
}

/* Whether the function calls itself, perhaps by others. */
static bool is_recursive(const SourceProgram *program, size_t function)
{
    Reach own = {program, memory_zeroed(program->n_functions, sizeof(bool))};
    source_any_in(program->functions[function].body, reach, &own);
    bool is_it = own.is_reached[function];
    free(own.is_reached);
    return is_it;
}

/* ---- All functions ---- */

static void find_frees(Recycling *recycling)
{
    const SourceProgram *program = recycling->program;
    for (recycling->is_new = true; recycling->is_new;) {
        recycling->is_new = false;
        for (size_t i = 0; i < program->n_functions; i++)
            if (!recycling->frees[i] && source_any_in(program->functions[i].body, frees, recycling))
                recycling->frees[i] = recycling->is_new = true;
    }
}

static void find_recycles(Recycling *recycling)
{
    const SourceProgram *program = recycling->program;
    for (size_t i = 0; i < program->n_functions; i++)
        recycling->recycles[i] = recycling->recurses[i] = recycling->frees[i] && is_recursive(program, i);
    for (recycling->is_new = true; recycling->is_new;) {
        recycling->is_new = false;
        for (size_t i = 0; i < program->n_functions; i++) {
            bool recycles = recycling->recycles[i];
            if (recycling->is_reached[i])
                visit(recycling, program->functions[i].body, recycling->loops[i], &recycles);
        }
    }
}

void recycling_find(const SourceProgram *program, const SourceFunction *entry)
{
    const size_t n = program->n_functions;
    bool *marks = memory_zeroed(4 * n, sizeof *marks);
    Recycling recycling = {
        program, marks, marks + n, marks + 2 * n, marks + 3 * n, memory_zeroed(n, sizeof(SourceStatement *)), false};
    if (strcmp(program->language, "c") == 0) { /* the JVM's collector gives memory back */
        for (size_t i = 0; i < n; i++)
            forget_all(program->functions[i].body);
        recycling.is_reached[entry - program->functions] = true;
        source_any_in(entry->body, reach, &(Reach){program, recycling.is_reached});
        find_frees(&recycling);
        find_recycles(&recycling);
    }
    free(marks);
    free(recycling.loops);
}
