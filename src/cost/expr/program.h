/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of an expression that didn't close, as a program over registers that adds up millions of terms. Equal parts
 * are computed once, what doesn't hold the index outside of its loop, and sums over the same range in one loop. What
 * doesn't fit into small values stays undone: evaluate_sum.c does it then. Private to this folder.
 *
 *     sum(i = 1, n, i*n + floor(i/2)):        root   n-1+1, 1/2
 *                                             loop   i/2, floor                   totals: i, floor
 *                                             root   n*total of i + total of floor                                */
#ifndef FIRMA_COST_EXPR_PROGRAM_H
#define FIRMA_COST_EXPR_PROGRAM_H

#include "cost/expr/evaluate.h"
#include "cost/expr/small.h"

typedef enum ProgramOperation {
    PROGRAM_ADD,
    PROGRAM_MULTIPLY,
    PROGRAM_RAISE, /* second: the exponent, 32 bits with sign */
    PROGRAM_FLOOR,
    PROGRAM_MAX,
    PROGRAM_STEP,
    PROGRAM_CALL, /* third: the function; second: the register of its second argument, or that of the first */
    PROGRAM_LOOP  /* first: which */
} ProgramOperation;

typedef struct Instruction {
    ProgramOperation operation;
    uint32_t result, first, second, third;
    uint32_t stage, order; /* instructions of one loop are executed in order of stage, then as they were made */
} Instruction;

typedef struct LoopTotal {
    uint32_t body, result;
    bool is_largest;
} LoopTotal;

typedef struct ProgramLoop {
    uint32_t number, level; /* 0: the root, which is no loop */
    struct ProgramLoop *parent;
    const Atom *index;
    const Expr *bounds[SUM_BODY];
    unsigned depth; /* of its sums */
    uint32_t at, from, to, step;
    VEC(Instruction) code;
    VEC(LoopTotal) totals;
} ProgramLoop;

typedef struct ProgramRegister {
    Small value;
    uint32_t level, stage; /* of the loop that computes it, and when */
    bool is_inexact;       /* will be a span, by its looks */
} ProgramRegister;

typedef struct Program {
    Evaluation *evaluation;
    VEC(ProgramRegister) registers;
    VEC(ProgramLoop *) loops;
    Map atoms, constants, operations, totals; /* to registers + 1 */
    double points_left;
    bool has_too_many;
} Program;

/* The register of a sum, whose index isn't free where it stands. */
uint32_t program_compile_sum(Program *program, const Atom *sum);
void program_run(Program *program); /* program_run.c */
void program_free(Program *program);

/* program_sums.c: values of the expressions' outermost sums become known where that is quick. */
void evaluate_sums(Evaluation *evaluation, const Expr *const *exprs, size_t n);

#endif
