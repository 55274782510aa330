/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of sums. A loop in which something doesn't fit is given up, and its sums have no value. */
#include "cost/expr/program.h"

#include <math.h>

/* As evaluate_sum.c has it: of sums of many fractions, what is kept of them after so many terms. */
enum { SHORTEN_AFTER = 64, MOST_LIMBS = 2 };

/* While adding up; of fractions with long denominators in a value that isn't small. */
typedef struct Total {
    Small small;
    Value large;
    bool is_large;
} Total;

static bool run_code(Program *program, const ProgramLoop *loop);

static Small *value_at(Program *program, uint32_t number)
{
    return &program->registers.items[number].value;
}

static bool add_large(Total *total, const Small *term)
{
    Value more = small_value(term);
    if (!total->is_large)
        total->large = small_value(&total->small);
    total->is_large = true;
    value_add(&total->large, &more);
    value_clear(&more);
    return true;
}

static bool add_term(Total *total, const Small *term, bool is_largest, bool is_first)
{
    if (is_largest && is_first)
        total->small = *term;
    else if (is_largest)
        return small_max(&total->small, term, &total->small);
    else if (total->is_large || !small_add(&total->small, term, &total->small))
        return term->denominator != SMALL_NONE && add_large(total, term);
    return true;
}

/* A long value becomes a small one again as soon as it is an interval. */
static void shorten(Total *total)
{
    if (!total->is_large)
        return;
    value_shorten(&total->large, MOST_LIMBS);
    if (total->large.kind == VALUE_SPAN) {
        total->small = (Small){.denominator = SMALL_SPAN, .span = total->large.span};
        total->is_large = false;
    }
}

/* How often: (to - from)/step + 1. False: not sure, or without end. */
static bool count_terms(Program *program, const ProgramLoop *loop, int64_t *count)
{
    Small steps = small_whole(-1), inverse;
    bool fits = small_multiply(&steps, value_at(program, loop->from), &steps) &&
                small_add(&steps, value_at(program, loop->to), &steps) &&
                small_raise(value_at(program, loop->step), -1, &inverse) && small_multiply(&steps, &inverse, &steps) &&
                small_floor(&steps, &steps) && small_is_exact(&steps) && steps.numerator < INT64_MAX;
    *count = fits && steps.numerator >= 0 ? steps.numerator + 1 : 0;
    return fits;
}

/* The same bounds as in evaluate_sum.c. */
static bool has_too_many(Program *program, int64_t count, int64_t n_added, double left_before)
{
    double so_far = n_added ? (left_before - program->points_left) / (double)n_added : 1;
    if (n_added & (n_added - 1))
        return program->points_left <= 0;
    program->has_too_many =
        program->points_left <= 0 || so_far * (double)count > (n_added ? 10.0 : 1.0) * EXPR_MOST_TERMS;
    return program->has_too_many;
}

static bool add_up(Program *program, const ProgramLoop *loop, Total *totals)
{
    int64_t count;
    double left_before = program->points_left;
    if (!count_terms(program, loop, &count))
        return false;
    Small at = *value_at(program, loop->from);
    for (int64_t t = 0; t < count; t++) {
        if (has_too_many(program, count, t, left_before)) {
            program->has_too_many = true;
            return false;
        }
        program->points_left--;
        *value_at(program, loop->at) = at;
        if (!run_code(program, loop))
            return false;
        for (size_t i = 0; i < loop->totals.count; i++) {
            const LoopTotal *total = &loop->totals.items[i];
            if (!add_term(&totals[i], value_at(program, total->body), total->is_largest, t == 0))
                return false;
            if ((t + 1) % SHORTEN_AFTER == 0)
                shorten(&totals[i]);
        }
        if (t + 1 < count && !small_add(&at, value_at(program, loop->step), &at))
            return false;
    }
    return true;
}

static bool run_loop(Program *program, const ProgramLoop *loop)
{
    enum { FEW = 32 };
    Total few[FEW], *totals = few;
    size_t n = loop->totals.count;
    if (n > FEW)
        totals = memory_zeroed(n, sizeof *totals);
    for (size_t i = 0; i < n; i++)
        totals[i] = (Total){.small = small_whole(0)};
    bool is_added = add_up(program, loop, totals);
    for (size_t i = 0; i < n; i++) {
        Small *result = value_at(program, loop->totals.items[i].result);
        *result = totals[i].small;
        bool fits = is_added && (!totals[i].is_large || small_of_value(&totals[i].large, result));
        if (!fits)
            *result = small_none();
        is_added = is_added && (fits || loop->parent->level == 0);
        if (totals[i].is_large)
            value_clear(&totals[i].large);
    }
    if (totals != few)
        free(totals);
    return is_added;
}

static inline bool execute(Program *program, const Instruction *instruction)
{
    ProgramRegister *registers = program->registers.items;
    const Small *first = &registers[instruction->first].value;
    Small *result = &registers[instruction->result].value;
    switch (instruction->operation) {
    case PROGRAM_ADD:
        return small_add(first, &registers[instruction->second].value, result);
    case PROGRAM_MULTIPLY:
        return small_multiply(first, &registers[instruction->second].value, result);
    case PROGRAM_RAISE:
        return small_raise(first, (int32_t)instruction->second, result);
    case PROGRAM_FLOOR:
        return small_floor(first, result);
    case PROGRAM_MAX:
        return small_max(first, &registers[instruction->second].value, result);
    case PROGRAM_STEP:
        return small_step(first, result);
    case PROGRAM_CALL:
        return small_call((ExprFunction)instruction->third, first, &registers[instruction->second].value, result);
    default:
        return false;
    }
}

/* Of the root all that can be computed is. */
static bool run_code(Program *program, const ProgramLoop *loop)
{
    for (size_t i = 0; i < loop->code.count; i++) {
        const Instruction *instruction = &loop->code.items[i];
        bool is_loop = instruction->operation == PROGRAM_LOOP;
        bool is_done =
            is_loop ? run_loop(program, program->loops.items[instruction->first]) : execute(program, instruction);
        if (is_done)
            continue;
        if (loop->level > 0 || program->has_too_many)
            return false;
        if (!is_loop)
            *value_at(program, instruction->result) = small_none();
    }
    return true;
}

static int by_stage(const void *a, const void *b)
{
    const Instruction *x = a, *y = b;
    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void program_run(Program *program)
{
    for (size_t i = 0; i < program->loops.count; i++) {
        ProgramLoop *loop = program->loops.items[i];
        for (size_t j = 0; j < loop->code.count; j++)
            loop->code.items[j].order = (uint32_t)j;
        if (loop->code.count)
            qsort(loop->code.items, loop->code.count, sizeof *loop->code.items, by_stage);
    }
    run_code(program, program->loops.items[0]);
}
