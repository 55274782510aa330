/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical form behind expr.h:
 *
 *     expression = sum of terms
 *     term       = rational coefficient · monomial
 *     monomial   = product of powers of atoms
 *     atom       = symbol | function of expressions | sum that didn't close | largest value
 *                | group: a sum that isn't multiplied out, as in 1/(n + 1)
 *
 * Atoms, monomials and expressions are interned: equal content is the same pointer. Their numbers
 * belong to the space's pool. Private to this folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "cost/expr/expr.h"
#include "cost/expr/rational.h"

typedef struct Atom Atom;
typedef struct Monomial Monomial;

/* Free symbols, ordered by name. */
typedef struct SymbolSet {
    size_t count;
    const Atom *const *symbols;
} SymbolSet;

typedef enum AtomKind { ATOM_SYMBOL, ATOM_FUNCTION, ATOM_GROUP, ATOM_SUM, ATOM_LARGEST } AtomKind;

/* The arguments of sums and largest values. (Largest values have step 1.) */
enum { SUM_FROM, SUM_TO, SUM_STEP, SUM_BODY, SUM_ARGUMENTS };

/* Makes a sum or largest value from changed arguments; it may close then. */
typedef const Expr *(*SumMaker)(ExprSpace *space, const char *index, const Expr *const arguments[SUM_ARGUMENTS]);

struct Atom {
    uint64_t id;
    AtomKind kind;
    ExprFunction function;
    const char *name;  /* of a symbol */
    const Atom *index; /* the bound symbol of a sum or largest value */
    /* Of a sum or largest value: a function of sum.c, called by rewrite.c. (A pointer, because
     * sum.c also calls rewrite.c.) */
    SumMaker make;
    size_t n_arguments;
    const Expr *const *arguments;
    SymbolSet free;
    unsigned sum_depth; /* depth of nested sums; 0: no sum */
};

typedef struct Power {
    const Atom *atom;
    int32_t exponent; /* isn't 0 */
} Power;

struct Monomial {
    uint64_t id;
    size_t count;
    const Power *powers; /* ordered by compare_atoms */
    SymbolSet free;
    int64_t degree;
};

typedef struct Term {
    Rational coefficient; /* isn't 0 */
    const Monomial *monomial;
} Term;

struct Expr {
    uint64_t id;
    size_t n_terms;
    const Term *terms; /* ordered by compare_monomials */
};

struct ExprSpace {
    Arena *arena;
    RationalPool *pool;
    struct InternSlot *slots;
    size_t n_interned, n_slots;
    uint64_t n_made;
    /* Terms made so far, and their limit: beyond most_work, an attempt to close a sum is given
     * up. */
    uint64_t work, most_work;
    const Expr *zero, *one;
    const Monomial *unit;
};

/* Products of sums with more terms stay groups. Closed sums with more terms stay sums. */
enum { MOST_PRODUCT_TERMS = 1 << 14, MOST_CLOSED_TERMS = 2000, MOST_POWER = 64, MOST_NUMBER_BITS = 1 << 14 };

/* space.c */
static inline bool space_gave_up(const ExprSpace *space)
{
    return space->work > space->most_work;
}
const Atom *atom_symbol(ExprSpace *space, const char *name);
const Atom *atom_function(ExprSpace *space, ExprFunction function, const Expr *const *arguments, size_t n_arguments);
const Atom *atom_group(ExprSpace *space, const Expr *expr);
/* kind: ATOM_SUM or ATOM_LARGEST. */
const Atom *atom_sum(ExprSpace *space, AtomKind kind, SumMaker make, const Atom *index,
                     const Expr *const arguments[SUM_ARGUMENTS]);
/* Powers in any order; each atom once; no exponent is 0. */
const Monomial *monomial_intern(ExprSpace *space, Power *powers, size_t count);
const Expr *expr_intern(ExprSpace *space, const Term *terms, size_t n_terms);
bool symbols_hold(const SymbolSet *set, const Atom *symbol);
bool atom_has(const Atom *atom, const Atom *symbol);
bool expr_has(const Expr *expr, const Atom *symbol);

/* order.c: a total order that depends on content alone. */
int compare_atoms(const Atom *a, const Atom *b);
int compare_monomials(const Monomial *a, const Monomial *b);
int compare_exprs(const Expr *a, const Expr *b);

/* polynomial.c: collects terms in any order. */
typedef struct Polynomial {
    VEC(Term) terms;
} Polynomial; /* zero-initialise */
void polynomial_add(Polynomial *sum, Rational coefficient, const Monomial *monomial);
void polynomial_add_expr(Polynomial *sum, const Expr *expr);
const Expr *polynomial_take(ExprSpace *space, Polynomial *sum); /* frees the polynomial */

const Expr *expr_of_rational(ExprSpace *space, Rational value);
const Expr *expr_of_term(ExprSpace *space, Rational coefficient, const Monomial *monomial);
const Expr *expr_of_atom(ExprSpace *space, const Atom *atom, int32_t exponent);
const Expr *expr_scale(ExprSpace *space, const Expr *expr, Rational factor);
const Expr *expr_add_integer(ExprSpace *space, const Expr *expr, int64_t value);
const Expr *expr_negate(ExprSpace *space, const Expr *expr);
const Expr *expr_power(ExprSpace *space, const Expr *base, int64_t exponent);
/* Exponent: 1 or -1. */
const Expr *expr_group(ExprSpace *space, const Expr *expr, int32_t exponent);
/* The value if the expression is a number (0 is one), else NULL. */
const Rational *expr_number(const Expr *expr);

/* function.c */
const Expr *expr_floor(ExprSpace *space, const Expr *argument);
const Expr *expr_max2(ExprSpace *space, const Expr *a, const Expr *b);

/* rewrite.c: replaces each atom everywhere by the expression at the same index, all at once. */
const Expr *expr_rewrite(ExprSpace *space, const Expr *expr, const Atom *const *atoms, const Expr *const *with,
                         size_t count);
