/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over random loop nests, in closed form and not closed, compared with adding up term by term.
 * They must be exactly equal. Bounds contain outer indexes and parameters; ranges may be empty;
 * steps are 1 to 3 in either direction. Bodies contain polynomials, floors, remainders, steps and
 * maxima. The random numbers are always the same. */
#include "cost/expr/expr.h"
#include "test.h"

#include <string.h>

enum { MOST_LOOPS = 4, N_PARAMETERS = 2, NESTS = 150, DEEP_EVERY = 6, POINTS = 6 };

static uint64_t random_state = 7;

static int random_between(int least, int most)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return least + (int)((random_state >> 33) % (uint64_t)(most - least + 1));
}

/* A direct implementation in plain integers: names 0 … 3 are indexes, 4 and 5 parameters. */
static const char *const names[] = {"i", "j", "k", "l", "n", "m"};
enum { N_NAMES = sizeof names / sizeof *names };

typedef struct Affine {
    int coefficient[N_NAMES], constant, divisor; /* divisor > 1: the floor of the quotient */
} Affine;

typedef struct Factor {
    enum { FACTOR_AFFINE, FACTOR_FLOOR, FACTOR_MOD, FACTOR_STEP, FACTOR_MAX, FACTOR_MIN, FACTOR_EQUAL, N_FACTORS } kind;
    Affine first, second;
    int number;
} Factor;

typedef struct Nest {
    int n_loops;
    Affine from[MOST_LOOPS], to[MOST_LOOPS];
    int step[MOST_LOOPS];
    int n_factors;
    Factor factors[3];
} Nest;

static long floor_of(long value, long divisor)
{
    return value / divisor - (value % divisor < 0);
}

static long affine_value(const Affine *affine, const long *values)
{
    long value = affine->constant;
    for (int i = 0; i < N_NAMES; i++)
        value += affine->coefficient[i] * values[i];
    return floor_of(value, affine->divisor);
}

static const Expr *affine_expr(ExprSpace *space, const Affine *affine)
{
    const Expr *sum = expr_integer(space, affine->constant);
    for (int i = 0; i < N_NAMES; i++)
        sum = expr_add(space, sum,
                       expr_multiply(space, expr_integer(space, affine->coefficient[i]), expr_symbol(space, names[i])));
    if (affine->divisor == 1)
        return sum;
    const Expr *quotient = expr_divide(space, sum, expr_integer(space, affine->divisor));
    return expr_function(space, EXPR_FLOOR, &quotient, 1);
}

static Affine random_affine(int n_indexes, int most_divisor)
{
    Affine affine = {.constant = random_between(-3, 5), .divisor = 1};
    if (n_indexes > 0)
        affine.coefficient[random_between(0, n_indexes - 1)] = random_between(-2, 2);
    if (random_between(0, 2) == 0)
        affine.coefficient[MOST_LOOPS + random_between(0, N_PARAMETERS - 1)] = random_between(-1, 2);
    if (random_between(0, 3) == 0)
        affine.divisor = random_between(1, most_divisor);
    return affine;
}

static long factor_value(const Factor *factor, const long *values)
{
    long first = affine_value(&factor->first, values), second = affine_value(&factor->second, values);
    switch (factor->kind) {
    case FACTOR_FLOOR:
        return floor_of(first, factor->number);
    case FACTOR_MOD:
        return first - factor->number * floor_of(first, factor->number);
    case FACTOR_STEP:
        return first >= 0;
    case FACTOR_MAX:
        return first > second ? first : second;
    case FACTOR_MIN:
        return first < second ? first : second;
    case FACTOR_EQUAL:
        return first - factor->number * floor_of(first, factor->number) == 0;
    default:
        return first;
    }
}

static const Expr *factor_expr(ExprSpace *space, const Factor *factor)
{
    const Expr *first = affine_expr(space, &factor->first), *second = affine_expr(space, &factor->second);
    const Expr *number = expr_integer(space, factor->number), *quotient = expr_divide(space, first, number);
    const Expr *negative, *mod;
    switch (factor->kind) {
    case FACTOR_FLOOR:
        return expr_function(space, EXPR_FLOOR, &quotient, 1);
    case FACTOR_MOD:
        return expr_function(space, EXPR_MOD, (const Expr *[]){first, number}, 2);
    case FACTOR_STEP:
        return expr_function(space, EXPR_STEP, &first, 1);
    case FACTOR_MAX:
        return expr_function(space, EXPR_MAX, (const Expr *[]){first, second}, 2);
    case FACTOR_MIN:
        return expr_function(space, EXPR_MIN, (const Expr *[]){first, second}, 2);
    case FACTOR_EQUAL:
        mod = expr_function(space, EXPR_MOD, (const Expr *[]){first, number}, 2);
        negative = expr_subtract(space, expr_integer(space, 0), mod);
        return expr_function(space, EXPR_STEP, &negative, 1);
    default:
        return first;
    }
}

static Nest random_nest(int most_loops)
{
    Nest nest = {.n_loops = random_between(1, most_loops)};
    static const int steps[] = {1, 1, 1, 2, 3, -1, -2};
    for (int i = 0; i < nest.n_loops; i++) {
        nest.step[i] = steps[random_between(0, sizeof steps / sizeof *steps - 1)];
        nest.from[i] = random_affine(i, 2);
        nest.to[i] = random_affine(i, 3);
        if (nest.step[i] > 0)
            nest.to[i].constant += 4;
        else
            nest.from[i].constant += 4;
    }
    nest.n_factors = random_between(0, 3);
    for (int i = 0; i < nest.n_factors; i++)
        nest.factors[i] = (Factor){
            .kind = random_between(0, 1) ? FACTOR_AFFINE : (unsigned)random_between(0, N_FACTORS - 1),
            .first = random_affine(nest.n_loops, 1),
            .second = random_affine(nest.n_loops, 1),
            .number = random_between(2, 4),
        };
    return nest;
}

static long add_up(const Nest *nest, int loop, long *values)
{
    if (loop == nest->n_loops) {
        long product = 1;
        for (int i = 0; i < nest->n_factors; i++)
            product *= factor_value(&nest->factors[i], values);
        return product;
    }
    long total = 0, step = nest->step[loop];
    long from = affine_value(&nest->from[loop], values), to = affine_value(&nest->to[loop], values);
    for (long i = from; step > 0 ? i <= to : i >= to; i += step) {
        values[loop] = i;
        total += add_up(nest, loop + 1, values);
    }
    values[loop] = 0;
    return total;
}

static const Expr *nest_expr(ExprSpace *space, const Nest *nest)
{
    const Expr *body = expr_integer(space, 1);
    for (int i = 0; i < nest->n_factors; i++)
        body = expr_multiply(space, body, factor_expr(space, &nest->factors[i]));
    for (int i = nest->n_loops - 1; i >= 0; i--)
        body = expr_sum(space, names[i], affine_expr(space, &nest->from[i]), affine_expr(space, &nest->to[i]),
                        expr_integer(space, nest->step[i]), body);
    return body;
}

static void check_at(const Nest *nest, const Expr *expr, long n, long m, Arena *arena)
{
    long values[N_NAMES] = {[MOST_LOOPS] = n, m};
    ExprBinding bindings[] = {{"n", {(double)n, (double)n}}, {"m", {(double)m, (double)m}}};
    Interval value;
    Err err;
    bool approximated;
    if (!expr_evaluate(expr, bindings, 2, &value, &approximated, &err))
        fail_msg("%s\n%s", err.message, expr_text(expr, arena));
    double expected = (double)add_up(nest, 0, values);
    assert_false(approximated);
    if (value.low != expected || value.high != expected)
        fail_msg("n = %ld, m = %ld: %.17g … %.17g, not %.17g\n%s", n, m, value.low, value.high, expected,
                 expr_text(expr, arena));
}

static void check_nest(const Nest *nest, size_t *n_closed)
{
    Arena *arena = arena_new();
    ExprSpace *space = expr_space_new(arena);
    const Expr *expr = nest_expr(space, nest), *again;
    const char *text = expr_text(expr, arena);
    Err err;
    ExprPlace place = {"text", 1, 1};
    if (!expr_parse(space, text, &place, &again, &err))
        fail_msg("%s\n%s", err.message, text);
    if (again != expr)
        fail_msg("%s\nis read as\n%s", text, expr_text(again, arena));
    *n_closed += strstr(text, "sum(") == NULL;
    for (int i = 0; i < POINTS; i++)
        check_at(nest, expr, random_between(-4, 9), random_between(-4, 12), arena);
    arena_free(arena);
}

static void sums_equal_adding_up(void **state)
{
    size_t n_closed = 0;
    for (int i = 0; i < NESTS; i++) {
        Nest nest = random_nest(i % DEEP_EVERY ? MOST_LOOPS - 1 : MOST_LOOPS); /* deep nests take longest */
        check_nest(&nest, &n_closed);
    }
    print_message("# %zu of %d nests closed\n", n_closed, NESTS);
    assert_true(n_closed * 10 > NESTS * 8);
}

/* for i = 1 … n: for j = i … n: for k = j … n, with 10^12 iterations and more. */
static void triangular_nests_of_any_size_are_exact(void **state)
{
    Arena *arena = arena_new();
    ExprSpace *space = expr_space_new(arena);
    const Expr *one = expr_integer(space, 1), *n = expr_symbol(space, "n");
    const Expr *sum = one;
    for (int loop = 2; loop >= 0; loop--)
        sum = expr_sum(space, names[loop], loop ? expr_symbol(space, names[loop - 1]) : one, n, one, sum);
    ExprBinding binding = {"n", {20001, 20001}};
    Interval value;
    Err err;
    bool approximated;
    assert_true(expr_evaluate(sum, &binding, 1, &value, &approximated, &err));
    assert_true(value.low == 20001.0 * 20002 / 2 * 20003 / 3 && value.high == value.low);
    assert_false(approximated);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangular_nests_of_any_size_are_exact),
        cmocka_unit_test(sums_equal_adding_up),
    };
    return cmocka_run_group_tests_name("sums", tests, NULL, NULL);
}
