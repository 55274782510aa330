/* SPDX-License-Identifier: BSD-3-Clause */
/* The outermost sums of expressions, by one program. */
#include "cost/expr/program.h"

typedef VEC(const Atom *) Sums;

static void find_sums(const Expr *expr, Sums *sums)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        for (size_t j = 0; j < expr->terms[i].monomial->count; j++) {
            const Atom *atom = expr->terms[i].monomial->powers[j].atom;
            if (atom->index)
                *vec_push(sums) = atom;
            else if (atom->sum_depth > 0)
                for (size_t k = 0; k < atom->n_arguments; k++)
                    find_sums(atom->arguments[k], sums);
        }
}

static void keep(Evaluation *evaluation, const Atom *sum, const Small *value)
{
    Known *known = evaluation_known(evaluation, sum);
    if (known->is_valid || value->denominator == SMALL_NONE)
        return;
    known->value = small_value(value);
    known->is_valid = true;
    *vec_push(&evaluation->filled) = known;
}

void evaluate_sums(Evaluation *evaluation, const Expr *const *exprs, size_t n)
{
    Sums sums = {0};
    Program program = {.evaluation = evaluation, .points_left = evaluation->points_left};
    for (size_t i = 0; i < n; i++)
        find_sums(exprs[i], &sums);
    if (sums.count) {
        uint32_t *results = memory_zeroed(sums.count, sizeof *results);
        for (size_t i = 0; i < sums.count; i++)
            results[i] = program_compile_sum(&program, sums.items[i]);
        program_run(&program);
        evaluation->has_too_many = program.has_too_many;
        for (size_t i = 0; i < sums.count && !program.has_too_many; i++)
            keep(evaluation, sums.items[i], &program.registers.items[results[i]].value);
        evaluation->points_left = program.points_left;
        free(results);
    }
    program_free(&program);
    vec_free(&sums);
}
