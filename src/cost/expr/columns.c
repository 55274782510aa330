/* SPDX-License-Identifier: BSD-3-Clause */
/* See columns.h. An argument of an atom is a sum of products, and each product is
 *
 *     constant · columns / columns
 *
 * where the constant holds all that doesn't depend on the index. Products with the same columns as
 * denominators have a common denominator, so floor(a/i + b/i) divides once. Every step detects overflow. */
#include "cost/expr/columns.h"

#include <flint/ulong_extras.h>
#include <math.h>
#include <string.h>

/* Roots and logarithms of numbers below this are far enough from the next whole number that rounding
 * can't hide it. So their floors are the same as those of intervals. */
static const int64_t MOST_ROUNDED = INT64_C(1) << 40;

enum { NONE = -1 };

/* A power of a column. */
typedef struct Factor {
    size_t column;
    int32_t exponent;
} Factor;

typedef struct Product {
    Expr constant;
    Term constant_term;
    Monomial constant_factors;
    size_t n_factors;
    const Factor *factors;
    size_t same;      /* the first product of the fraction with the same denominators */
    int64_t num, den; /* the constant's value */
} Product;

/* A sum of products. */
typedef struct Fraction {
    size_t n_products;
    Product *products;
} Fraction;

typedef enum ColumnKind {
    COLUMN_INDEX,
    COLUMN_WHOLE,
    COLUMN_FLOOR,
    COLUMN_STEP,
    COLUMN_MAX,
    COLUMN_ROOT,
    COLUMN_LOG2
} ColumnKind;

typedef struct Column {
    ColumnKind kind;
    const Atom *atom;
    size_t n_arguments;
    Fraction *arguments;
    int64_t *values; /* [COLUMN_ROWS] */
} Column;

struct Columns {
    const Atom *index;
    Arena *arena;
    VEC(Column) items; /* each after those in its arguments */
    Fraction *parts;   /* [n_parts] of one product each */
    size_t n_parts;
    int64_t *sums; /* [n_parts] of the rows */
    int64_t from, step;
};

/* ---- what to compute ------------------------------------------------------------------------- */

static int column_of(Columns *columns, const Atom *atom);

static bool has_same_denominators(const Product *a, const Product *b)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->n_factors && a->factors[i].exponent > 0)
            i++;
        while (j < b->n_factors && b->factors[j].exponent > 0)
            j++;
        if (i == a->n_factors || j == b->n_factors)
            return i == a->n_factors && j == b->n_factors;
        if (a->factors[i].column != b->factors[j].column || a->factors[i].exponent != b->factors[j].exponent)
            return false;
    }
}

static bool make_product(Columns *columns, const Term *term, Product *product)
{
    const Monomial *monomial = term->monomial;
    Factor *factors = arena_new_array(columns->arena, Factor, monomial->count);
    Power *constants = arena_new_array(columns->arena, Power, monomial->count);
    size_t n_constants = 0;
    for (size_t i = 0; i < monomial->count; i++) {
        const Power *power = &monomial->powers[i];
        if (!atom_has(power->atom, columns->index)) {
            constants[n_constants++] = *power;
            continue;
        }
        int column = column_of(columns, power->atom);
        if (column == NONE)
            return false;
        factors[product->n_factors++] = (Factor){(size_t)column, power->exponent};
    }
    product->factors = factors;
    product->constant_factors = (Monomial){.count = n_constants, .powers = constants};
    product->constant_term = (Term){term->coefficient, &product->constant_factors};
    product->constant = (Expr){.n_terms = 1, .terms = &product->constant_term};
    return true;
}

static bool make_fraction(Columns *columns, const Term *terms, size_t n, Fraction *fraction)
{
    *fraction = (Fraction){n, arena_new_array(columns->arena, Product, n)};
    for (size_t i = 0; i < n; i++) {
        Product *product = &fraction->products[i];
        if (!make_product(columns, &terms[i], product))
            return false;
        while (!has_same_denominators(&fraction->products[product->same], product))
            product->same++;
    }
    return true;
}

/* The atom of floor(atom), if it is one of this function. */
static const Atom *rounded_function(const Atom *floor, ExprFunction function)
{
    const Expr *argument = floor->arguments[0];
    const Power *power = argument->n_terms == 1 && argument->terms[0].monomial->count == 1 &&
                                 rational_is_one(argument->terms[0].coefficient)
                             ? &argument->terms[0].monomial->powers[0]
                             : NULL;
    return power && power->exponent == 1 && power->atom->kind == ATOM_FUNCTION && power->atom->function == function
               ? power->atom
               : NULL;
}

static bool find_kind(const Columns *columns, const Atom *atom, ColumnKind *kind, const Atom **with_arguments)
{
    *with_arguments = atom;
    if (atom == columns->index)
        *kind = COLUMN_INDEX;
    else if (atom->kind == ATOM_GROUP)
        *kind = COLUMN_WHOLE;
    else if (atom->kind != ATOM_FUNCTION)
        return false;
    else if (atom->function == EXPR_STEP)
        *kind = COLUMN_STEP;
    else if (atom->function == EXPR_MAX)
        *kind = COLUMN_MAX;
    else if (atom->function != EXPR_FLOOR)
        return false;
    else if ((*with_arguments = rounded_function(atom, EXPR_SQRT)))
        *kind = COLUMN_ROOT;
    else if ((*with_arguments = rounded_function(atom, EXPR_LOG2)))
        *kind = COLUMN_LOG2;
    else {
        *kind = COLUMN_FLOOR;
        *with_arguments = atom;
    }
    return true;
}

/* The atom's column, which may be new; NONE: it has none. */
static int column_of(Columns *columns, const Atom *atom)
{
    Column column = {.atom = atom};
    const Atom *with_arguments;
    for (size_t i = 0; i < columns->items.count; i++)
        if (columns->items.items[i].atom == atom)
            return (int)i;
    if (!find_kind(columns, atom, &column.kind, &with_arguments))
        return NONE;
    column.n_arguments = atom == columns->index ? 0 : with_arguments->n_arguments;
    column.arguments = arena_new_array(columns->arena, Fraction, column.n_arguments);
    for (size_t i = 0; i < column.n_arguments; i++) {
        const Expr *argument = with_arguments->arguments[i];
        if (!make_fraction(columns, argument->terms, argument->n_terms, &column.arguments[i]))
            return NONE;
    }
    column.values = arena_new_array(columns->arena, int64_t, COLUMN_ROWS);
    *vec_push(&columns->items) = column;
    return (int)columns->items.count - 1;
}

Columns *columns_new(const SumLoop *loop, Arena *arena)
{
    Columns *columns = arena_new_array(arena, Columns, 1);
    *columns = (Columns){.index = loop->first->index,
                         .arena = arena,
                         .parts = arena_new_array(arena, Fraction, loop->parts.count),
                         .n_parts = loop->parts.count,
                         .sums = arena_new_array(arena, int64_t, loop->parts.count)};
    bool is_made = loop->parts.count > 0;
    for (size_t i = 0; is_made && i < loop->parts.count; i++)
        is_made = make_fraction(columns, &loop->parts.items[i].term, 1, &columns->parts[i]);
    if (is_made)
        return columns;
    columns_end(columns);
    return NULL;
}

void columns_end(Columns *columns)
{
    if (columns)
        vec_free(&columns->items);
}

/* ---- constants ------------------------------------------------------------------------------- */

static bool find_constants(const Fraction *fraction, Evaluation *evaluation, bool *is_fine)
{
    for (size_t i = 0; i < fraction->n_products; i++) {
        Product *product = &fraction->products[i];
        Value value;
        if (!evaluation->evaluate(evaluation, &product->constant, &value))
            return false;
        *is_fine = *is_fine && value.is_exact && rational_is_small(value.exact);
        product->num = value.exact.num;
        product->den = value.exact.den;
    }
    return true;
}

static bool is_small_whole(Value value)
{
    return value.is_exact && rational_is_small(value.exact) && rational_is_whole(value.exact);
}

bool columns_begin(Columns *columns, Evaluation *evaluation, Value from, Value step, bool *is_fine)
{
    *is_fine = is_small_whole(from) && is_small_whole(step);
    columns->from = from.exact.num;
    columns->step = step.exact.num;
    for (size_t i = 0; *is_fine && i < columns->items.count; i++)
        for (size_t k = 0; k < columns->items.items[i].n_arguments; k++)
            if (!find_constants(&columns->items.items[i].arguments[k], evaluation, is_fine))
                return false;
    for (size_t i = 0; *is_fine && i < columns->n_parts; i++)
        if (!find_constants(&columns->parts[i], evaluation, is_fine))
            return false;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct Rows {
    size_t n;
    int64_t num[COLUMN_ROWS], den[COLUMN_ROWS];
    bool is_whole; /* the denominators are 1, and not filled in */
} Rows;

static void fill(int64_t *values, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        values[i] = value;
}

static bool multiply(int64_t *values, const int64_t *by, size_t n)
{
    bool is_beyond = false;
    for (size_t i = 0; i < n; i++)
        is_beyond |= __builtin_mul_overflow(values[i], by[i], &values[i]);
    return !is_beyond;
}

static bool add(int64_t *values, const int64_t *more, size_t n)
{
    bool is_beyond = false;
    for (size_t i = 0; i < n; i++)
        is_beyond |= __builtin_add_overflow(values[i], more[i], &values[i]);
    return !is_beyond;
}

/* Makes denominators positive. False: one is 0. */
static bool turn_denominators(Rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        const int64_t sign = rows->den[i] < 0 ? -1 : 1;
        if (rows->den[i] == 0 || __builtin_mul_overflow(rows->num[i], sign, &rows->num[i]) ||
            __builtin_mul_overflow(rows->den[i], sign, &rows->den[i]))
            return false;
    }
    return true;
}

/* The least common denominator of the constants of a product and those with the same denominators. */
static bool find_common(const Fraction *fraction, size_t first, int64_t *common)
{
    *common = 1;
    for (size_t i = first; i < fraction->n_products; i++) {
        const Product *product = &fraction->products[i];
        const int64_t shared = (int64_t)n_gcd((ulong)*common, (ulong)product->den);
        if (product->same == first && __builtin_mul_overflow(*common, product->den / shared, common))
            return false;
    }
    return true;
}

/* The constant times the columns with positive exponents. */
static bool multiply_out(const Columns *columns, const Product *product, int64_t constant, int64_t *values, size_t n)
{
    const Factor *first = product->factors, *end = first + product->n_factors;
    bool is_beyond = false;
    while (first < end && first->exponent < 0)
        first++;
    if (first == end) {
        fill(values, n, constant);
        return true;
    }
    const int64_t *column = columns->items.items[first->column].values;
    for (size_t i = 0; i < n; i++)
        is_beyond |= __builtin_mul_overflow(column[i], constant, &values[i]);
    for (const Factor *factor = first; factor < end; factor++)
        for (int32_t k = factor == first; k < factor->exponent; k++)
            if (!multiply(values, columns->items.items[factor->column].values, n))
                return false;
    return !is_beyond;
}

/* The product of the columns with negative exponents, and the constants' denominator. */
static bool find_denominators(const Columns *columns, const Product *product, int64_t common, Rows *rows)
{
    rows->is_whole = common == 1;
    for (size_t i = 0; i < product->n_factors; i++)
        rows->is_whole = rows->is_whole && product->factors[i].exponent > 0;
    if (rows->is_whole)
        return true;
    fill(rows->den, rows->n, common);
    for (size_t i = 0; i < product->n_factors; i++)
        for (int32_t k = product->factors[i].exponent; k < 0; k++)
            if (!multiply(rows->den, columns->items.items[product->factors[i].column].values, rows->n))
                return false;
    return turn_denominators(rows);
}

/* The sum of a product and those with the same denominators. */
static bool add_same(const Columns *columns, const Fraction *fraction, size_t first, Rows *sum)
{
    int64_t product[COLUMN_ROWS], common, constant;
    if (!find_common(fraction, first, &common))
        return false;
    for (size_t i = first; i < fraction->n_products; i++) {
        const Product *each = &fraction->products[i];
        if (each->same != first)
            continue;
        if (__builtin_mul_overflow(each->num, common / each->den, &constant) ||
            !multiply_out(columns, each, constant, i == first ? sum->num : product, sum->n) ||
            (i != first && !add(sum->num, product, sum->n)))
            return false;
    }
    return find_denominators(columns, &fraction->products[first], common, sum);
}

/* a/b + c/d = (a d + c b)/(b d) */
static bool add_rows(Rows *sum, Rows *more)
{
    const size_t n = sum->n;
    if (!more->is_whole && !multiply(sum->num, more->den, n))
        return false;
    if (!sum->is_whole && !multiply(more->num, sum->den, n))
        return false;
    if (!add(sum->num, more->num, n))
        return false;
    if (more->is_whole)
        return true;
    if (!sum->is_whole)
        return multiply(sum->den, more->den, n);
    memcpy(sum->den, more->den, n * sizeof *sum->den);
    sum->is_whole = false;
    return true;
}

static bool evaluate(const Columns *columns, const Fraction *fraction, Rows *sum)
{
    Rows more;
    more.n = sum->n;
    if (fraction->n_products == 0) {
        fill(sum->num, sum->n, 0);
        sum->is_whole = true;
    }
    for (size_t i = 0; i < fraction->n_products; i++)
        if (fraction->products[i].same == i &&
            !(add_same(columns, fraction, i, i ? &more : sum) && (i == 0 || add_rows(sum, &more))))
            return false;
    return true;
}

static bool set_indexes(const Columns *columns, uint64_t first, size_t n, int64_t *values)
{
    bool is_beyond = first > INT64_MAX - COLUMN_ROWS;
    for (size_t i = 0; i < n && !is_beyond; i++) {
        is_beyond = __builtin_mul_overflow((int64_t)(first + i), columns->step, &values[i]);
        is_beyond |= __builtin_add_overflow(values[i], columns->from, &values[i]);
    }
    return !is_beyond;
}

static void divide(const Rows *rows, int64_t *values)
{
    for (size_t i = 0; i < rows->n; i++)
        values[i] = rows->num[i] / rows->den[i] - (rows->num[i] % rows->den[i] < 0);
}

/* Functions of whole numbers. False: no whole number results, or not certainly. */
static bool apply(ColumnKind kind, const Rows *rows, int64_t *values)
{
    for (size_t i = 0; i < rows->n; i++) {
        const int64_t x = rows->num[i];
        if ((kind == COLUMN_ROOT || kind == COLUMN_LOG2) && (x < (kind == COLUMN_LOG2) || x >= MOST_ROUNDED))
            return false;
        values[i] = kind == COLUMN_ROOT   ? (int64_t)sqrt((double)x)
                    : kind == COLUMN_LOG2 ? 63 - __builtin_clzll((unsigned long long)x)
                                          : x;
    }
    return true;
}

static bool set_largest(const Columns *columns, const Column *column, Rows *rows)
{
    for (size_t k = 0; k < column->n_arguments; k++) {
        if (!evaluate(columns, &column->arguments[k], rows) || !rows->is_whole)
            return false;
        for (size_t i = 0; i < rows->n; i++)
            column->values[i] = k == 0 || rows->num[i] > column->values[i] ? rows->num[i] : column->values[i];
    }
    return true;
}

static bool set_values(const Columns *columns, const Column *column, uint64_t first, size_t n)
{
    Rows rows;
    rows.n = n;
    if (column->kind == COLUMN_INDEX)
        return set_indexes(columns, first, n, column->values);
    if (column->kind == COLUMN_MAX)
        return set_largest(columns, column, &rows);
    if (!evaluate(columns, &column->arguments[0], &rows))
        return false;
    if (column->kind == COLUMN_STEP) {
        for (size_t i = 0; i < n; i++)
            column->values[i] = rows.num[i] >= 0;
        return true;
    }
    if (column->kind == COLUMN_FLOOR && !rows.is_whole) {
        divide(&rows, column->values);
        return true;
    }
    return rows.is_whole && apply(column->kind, &rows, column->values);
}

/* The sum of a part's products. */
static bool add_part(const Columns *columns, const Fraction *part, size_t n, int64_t *sum)
{
    Rows rows;
    rows.n = n;
    bool is_beyond = !evaluate(columns, part, &rows) || !rows.is_whole;
    *sum = 0;
    for (size_t i = 0; i < n && !is_beyond; i++)
        is_beyond = __builtin_add_overflow(*sum, rows.num[i], sum);
    return !is_beyond;
}

bool columns_add(Columns *columns, RationalPool *pool, SumLoop *loop, uint64_t first, size_t n)
{
    for (size_t i = 0; i < columns->items.count; i++)
        if (!set_values(columns, &columns->items.items[i], first, n))
            return false;
    for (size_t i = 0; i < columns->n_parts; i++)
        if (!add_part(columns, &columns->parts[i], n, &columns->sums[i]))
            return false;
    for (size_t i = 0; i < columns->n_parts; i++) {
        HeldValue *total = &loop->parts.items[i].total;
        value_hold(total, value_add(pool, total->value, value_whole(pool, columns->sums[i])));
    }
    return true;
}
