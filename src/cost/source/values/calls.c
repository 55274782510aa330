/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions call which others, directly or not. The table is a bit for each pair of functions,
 * and a row is completed when somebody asks for it. */
#include "cost/source/program/targets.h"
#include "cost/source/values/generator.h"

struct CallTable {
    size_t n, n_words; /* functions; words of a row */
    uint64_t *direct, *reached;
    bool *is_complete; /* [n] rows of `reached` */
};

static uint64_t *row_of(uint64_t *bits, const CallTable *table, size_t function)
{
    return bits + function * table->n_words;
}

static void set_bit(uint64_t *row, size_t i)
{
    row[i / 64] |= (uint64_t)1 << i % 64;
}

static bool has_bit(const uint64_t *row, size_t i)
{
    return row[i / 64] >> i % 64 & 1;
}

static void add_call(const SourceProgram *program, const char *name, uint64_t *row)
{
    const SourceFunction *called = name ? source_find(program, name) : NULL;
    if (called)
        set_bit(row, (size_t)(called - program->functions));
}

static void add_targets(const SourceProgram *program, const SourceExpression *call, uint64_t *row, Arena *arena)
{
    Targets targets = targets_find(program, call, arena);
    for (size_t i = 0; i < targets.n; i++)
        add_call(program, targets.names[i], row);
}

static void add_expression(const SourceProgram *program, const SourceExpression *expression, uint64_t *row,
                           Arena *arena)
{
    if (!expression)
        return;
    if (expression->kind == SOURCE_CALL && expression->name)
        add_call(program, expression->name, row);
    else if (expression->kind == SOURCE_CALL)
        add_targets(program, expression, row, arena);
    for (size_t i = 0; i < expression->n_operands; i++)
        add_expression(program, expression->operands[i], row, arena);
}

static void add_statement(const SourceProgram *program, const SourceStatement *statement, uint64_t *row, Arena *arena)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        add_expression(program, statement->expressions[i], row, arena);
    for (size_t i = 0; i < statement->n_children; i++)
        add_statement(program, statement->children[i], row, arena);
}

static CallTable *new_table(const SourceProgram *program, Arena *arena)
{
    CallTable *table = arena_alloc(arena, sizeof *table);
    table->n = program->n_functions;
    table->n_words = (table->n + 63) / 64;
    table->direct = arena_new_array(arena, uint64_t, table->n * table->n_words);
    table->reached = arena_new_array(arena, uint64_t, table->n * table->n_words);
    table->is_complete = arena_new_array(arena, bool, table->n);
    for (size_t i = 0; i < table->n; i++)
        add_statement(program, program->functions[i].body, row_of(table->direct, table, i), arena);
    return table;
}

static void visit(CallTable *table, size_t function, uint64_t *reached)
{
    const uint64_t *direct = row_of(table->direct, table, function);
    for (size_t i = 0; i < table->n; i++)
        if (has_bit(direct, i) && !has_bit(reached, i)) {
            set_bit(reached, i);
            visit(table, i, reached);
        }
}

bool calls_reach(Generator *all, const SourceFunction *from, const SourceFunction *to)
{
    if (!all->call_table)
        all->call_table = new_table(all->program, all->arena);
    CallTable *table = all->call_table;
    size_t i = (size_t)(from - all->program->functions);
    if (!table->is_complete[i])
        visit(table, i, row_of(table->reached, table, i));
    table->is_complete[i] = true;
    return has_bit(row_of(table->reached, table, i), (size_t)(to - all->program->functions));
}
