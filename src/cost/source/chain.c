/* SPDX-License-Identifier: BSD-3-Clause */
/* See chain.h. A chain's length is in steps, as long as the sum of two whole numbers takes. The lengths of
 * operations are usual latencies of processors; what a step takes is measured. */
#include "cost/source/chain.h"

#include "cost/source/jvm/inlining.h"
#include <string.h>

enum { WHOLE = 1, PRODUCT = 3, FLOATING = 4, LOAD = 4, QUOTIENT = 13, FUNCTION = 20, NOT_FOUND = -1 };
enum { DEPTH_LIMIT = 40, DEFINITIONS_LIMIT = 100 };
enum { WIDTH = 4 /* operations that a processor does in a step */, CALLS_FOLLOWED = 4 };

/* Which variable's value is looked for, from where on. */
typedef struct Search {
    const Scope *scope;
    const SourceVariable *variable;
    const Definition *from; /* definitions before the assignment */
    unsigned depth;
} Search;

static int length_of(const Search *search, const SourceExpression *expression);

static int longest_operand(const Search *search, const SourceExpression *expression)
{
    int longest = NOT_FOUND;
    for (size_t i = 0; i < expression->n_operands; i++) {
        int length = length_of(search, expression->operands[i]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static int steps_of_operator(const char *operator, CpuType type)
{
    bool is_floating = type == CPU_FLOAT || type == CPU_DOUBLE;
    return *operator== '/' || * operator== '%' ? QUOTIENT : is_floating ? FLOATING : * operator== '*' ? PRODUCT : WHOLE;
}

/* Of another variable that this iteration assigned: the length to what it was assigned. */
static int length_by_definition(const Search *search, const SourceVariable *variable)
{
    unsigned n = 0;
    for (const Definition *one = search->from; one && n < DEFINITIONS_LIMIT; one = one->before, n++)
        if (one->variable == variable && one->loop == search->scope->loop) {
            Search before = *search;
            before.from = one->before;
            return length_of(&before, one->value);
        }
    return NOT_FOUND;
}

static int steps_of(const SourceExpression *expression)
{
    switch (expression->kind) {
    case SOURCE_BINARY:
        return steps_of_operator(expression->operator, expression->type);
    case SOURCE_CAST:
        return expression->type == CPU_FLOAT || expression->type == CPU_DOUBLE ? FLOATING : 0;
    case SOURCE_ELEMENT:
    case SOURCE_FIELD:
        return LOAD;
    case SOURCE_DEREFERENCE:
        return LOAD;
    case SOURCE_CALL:
        return FUNCTION;
    default:
        return WHOLE;
    }
}

/* p->x is one load, and not also one of *p. */
static bool is_part_of_load(const SourceExpression *outer, const SourceExpression *inner)
{
    return outer->kind == SOURCE_FIELD && (inner->kind == SOURCE_DEREFERENCE || inner->kind == SOURCE_ELEMENT);
}

static int length_of(const Search *outer, const SourceExpression *expression)
{
    Search search = *outer;
    if (++search.depth > DEPTH_LIMIT || expression->kind == SOURCE_NUMBER)
        return NOT_FOUND;
    if (expression->kind == SOURCE_VARIABLE)
        return expression->variable == search.variable ? 0 : length_by_definition(&search, expression->variable);
    int longest = longest_operand(&search, expression);
    bool is_same_load = expression->n_operands && is_part_of_load(expression, expression->operands[0]);
    return longest == NOT_FOUND ? NOT_FOUND : longest + (is_same_load ? 0 : steps_of(expression));
}

static void define(Scope *scope, const SourceVariable *variable, const SourceExpression *value)
{
    Definition *new = arena_alloc(scope->all->arena, sizeof *new);
    *new = (Definition){variable, value, scope->loop, scope->definitions};
    scope->definitions = new;
}

static int above(int length, int hidden)
{
    return length > hidden ? length - hidden : 0;
}

void chain_assign(Scope *scope, const SourceVariable *variable, const char *operator, const SourceExpression * value)
{
    if (!scope->all->options->for_context || !scope->loop)
        return;
    const Search search = {scope, variable, scope->definitions, 0};
    bool is_combined = *operator!= '=';
    int own = is_combined ? steps_of_operator(operator, variable->type) : NOT_FOUND;
    int length = value ? length_of(&search, value) : NOT_FOUND;
    if (is_combined && length != NOT_FOUND)
        length += own;
    length = own > length ? own : length;
    if (value && !is_combined)
        define(scope, variable, value);
    if (length <= scope->loop->longest_chain)
        return;
    bool is_floating = variable->type == CPU_FLOAT || variable->type == CPU_DOUBLE;
    CpuType type = is_floating && is_warm_java(scope->all) ? CPU_DOUBLE : CPU_INT64;
    int steps = above(length, scope->loop->hidden_steps) - above(scope->loop->longest_chain, scope->loop->hidden_steps);
    if (steps)
        block_cost(scope->all, scope->block, cpu_name(CPU_WAIT, type, scope->all->arena),
                   expr_integer(scope->space, steps));
    scope->loop->longest_chain = length;
}

/* ---- Work beside a chain ---- */

/* What of an iteration is counted, and how deep in calls. */
typedef struct Work {
    Generator *all;
    unsigned depth;
    int n;
} Work;

static bool add_work(const SourceExpression *expression, void *self)
{
    Work *work = self;
    const SourceFunction *called = NULL;
    switch (expression->kind) {
    case SOURCE_BINARY: /* a processor doesn't compute other quotients meanwhile */
        work->n += strchr("/%", expression->operator[0]) && expression->operands[1]->kind != SOURCE_NUMBER
                       ? QUOTIENT / 2 * WIDTH
                       : 1;
        break;
    case SOURCE_ELEMENT:
    case SOURCE_FIELD:
    case SOURCE_INCREMENT:
        work->n++;
        break;
    case SOURCE_CALL:
        called =
            expression->name && work->depth < CALLS_FOLLOWED ? source_find(work->all->program, expression->name) : NULL;
        work->n += called && call_is_inlined(work->all, called) ? 0 : FUNCTION * WIDTH / 2;
        if (called && call_is_inlined(work->all, called)) {
            work->depth++;
            source_any_in(called->body, add_work, work);
            work->depth--;
        }
        break;
    default:
        break;
    }
    return false;
}

int chain_hidden(Generator *all, const SourceStatement *body)
{
    Work work = {all, 0, 0};
    if (!is_warm_java(all))
        return 0;
    source_any_in(body, add_work, &work);
    return work.n / WIDTH;
}
