/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as people write them: what several terms have in common stands before them, terms of the same operation's
 * time (symbols that begin with t_) stand together, and min, ceil and abs come back. What is printed is read as the
 * same expression: factors that are put outside are single terms, and never groups. */
#include "base/text.h"
#include "cost/expr/canonical.h"
#include "cost/expr/names.h"

/* A term whose powers may have been taken apart. */
typedef struct Piece {
    mpq_t coefficient;
    size_t count;
    Power *powers;
} Piece;

typedef struct Pieces {
    VEC(Piece) list;
} Pieces;

enum { MOST_DENOMINATOR = 1000, MOST_ZEROS = 3 };

static void print_expr(Text *text, const Expr *expr, bool is_negated);
static void print_sum(Text *text, const Pieces *pieces, bool may_group);

static Piece *pieces_add(Pieces *pieces, mpq_srcptr coefficient, const Power *powers, size_t count)
{
    Piece *piece = vec_push(&pieces->list);
    mpq_init(piece->coefficient);
    mpq_set(piece->coefficient, coefficient);
    piece->powers = memory_resize(NULL, (count + 1) * sizeof *powers);
    piece->count = 0;
    for (size_t i = 0; i < count; i++)
        if (powers[i].exponent)
            piece->powers[piece->count++] = powers[i];
    return piece;
}

static void pieces_free(Pieces *pieces)
{
    for (size_t i = 0; i < pieces->list.count; i++) {
        mpq_clear(pieces->list.items[i].coefficient);
        free(pieces->list.items[i].powers);
    }
    vec_free(&pieces->list);
}

static int32_t exponent_in(const Piece *piece, const Atom *atom)
{
    for (size_t i = 0; i < piece->count; i++)
        if (piece->powers[i].atom == atom)
            return piece->powers[i].exponent;
    return 0;
}

static void print_integer(Text *text, mpz_srcptr value)
{
    char *digits = mpz_get_str(NULL, 10, value);
    size_t length = strlen(digits), n_zeros = 0;
    while (n_zeros + 1 < length && digits[length - 1 - n_zeros] == '0')
        n_zeros++;
    if (n_zeros >= 6)
        text_add(text, "%.*se%zu", (int)(length - n_zeros), digits, n_zeros);
    else
        text_add(text, "%s", digits);
    free(digits);
}

/* 0.digits times 10^point: 0.00015, 1.5, but 1.5e-9. `digits` doesn't end in 0, or point is its length. */
static void print_digits(Text *text, const char *digits, long point)
{
    long length = (long)strlen(digits);
    if (point > length || point < -MOST_ZEROS)
        text_add(text, "%c%s%se%ld", digits[0], digits[1] ? "." : "", digits + 1, point - 1);
    else if (point <= 0)
        text_add(text, "0.%.*s%s", (int)-point, "0000", digits);
    else
        text_add(text, "%.*s%s%s", (int)point, digits, point < length ? "." : "", digits + point);
}

/* 1.5e-9, if it ends; not negative. */
static bool print_decimal(Text *text, mpq_srcptr value)
{
    mpz_t rest, two, five;
    mpz_init(rest);
    mpz_init_set_ui(two, 2);
    mpz_init_set_ui(five, 5);
    unsigned long twos = mpz_remove(rest, mpq_denref(value), two), fives = mpz_remove(rest, rest, five);
    bool ends = mpz_cmp_ui(rest, 1) == 0;
    unsigned long places = twos > fives ? twos : fives;
    ends = ends && places <= 350;
    if (ends) {
        mpz_ui_pow_ui(rest, 10, places);
        mpz_divexact(rest, rest, mpq_denref(value));
        mpz_mul(rest, rest, mpq_numref(value));
        char *digits = mpz_get_str(NULL, 10, rest);
        print_digits(text, digits, (long)strlen(digits) - (long)places);
        free(digits);
    }
    mpz_clear(rest);
    mpz_clear(two);
    mpz_clear(five);
    return ends;
}

static bool leads_negative(const Expr *expr)
{
    return expr->n_terms && mpq_sgn(&expr->terms[0].coefficient) < 0;
}

/* Shown as its negative: -min(…) for max(-…), -ceil(x) for floor(-x). */
static bool is_flipped(const Atom *atom)
{
    if (atom->kind != ATOM_FUNCTION || (atom->function != EXPR_MAX && atom->function != EXPR_FLOOR))
        return false;
    size_t n_negative = 0, n_zero = 0;
    for (size_t i = 0; i < atom->n_arguments; i++) {
        n_negative += leads_negative(atom->arguments[i]);
        n_zero += atom->arguments[i]->n_terms == 0;
    }
    return n_negative > 0 && n_negative + n_zero == atom->n_arguments;
}

static bool are_opposite(const Expr *a, const Expr *b)
{
    if (a->n_terms != b->n_terms || a->n_terms == 0)
        return false;
    mpq_t sum;
    bool are = true;
    mpq_init(sum);
    for (size_t i = 0; i < a->n_terms && are; i++) {
        mpq_add(sum, &a->terms[i].coefficient, &b->terms[i].coefficient);
        are = a->terms[i].monomial == b->terms[i].monomial && mpq_sgn(sum) == 0;
    }
    mpq_clear(sum);
    return are;
}

static void print_indexed(Text *text, const Atom *atom)
{
    int64_t step;
    text_add(text, "%s(%s = ", atom->kind == ATOM_SUM ? "sum" : "largest", atom->index->name);
    print_expr(text, atom->arguments[SUM_FROM], false);
    text_add(text, ", ");
    print_expr(text, atom->arguments[SUM_TO], false);
    if (!expr_is_integer(atom->arguments[SUM_STEP], &step) || step != 1) {
        text_add(text, ", step ");
        print_expr(text, atom->arguments[SUM_STEP], false);
    }
    text_add(text, ", ");
    print_expr(text, atom->arguments[SUM_BODY], false);
    text_add(text, ")");
}

static void print_atom(Text *text, const Atom *atom)
{
    if (atom->kind == ATOM_SYMBOL) {
        text_add(text, "%s", atom->name);
        return;
    }
    if (atom->kind == ATOM_SUM || atom->kind == ATOM_LARGEST) {
        print_indexed(text, atom);
        return;
    }
    bool is_negated = is_flipped(atom), is_max = atom->kind == ATOM_FUNCTION && atom->function == EXPR_MAX;
    if (is_max && atom->n_arguments == 2 && are_opposite(atom->arguments[0], atom->arguments[1])) {
        text_add(text, "abs(");
        print_expr(text, atom->arguments[leads_negative(atom->arguments[0])], false);
        text_add(text, ")");
        return;
    }
    const char *name = atom->kind == ATOM_GROUP ? "group" : expr_function_name(atom->function);
    if (is_negated)
        name = is_max ? "min" : "ceil";
    text_add(text, "%s(", name);
    for (size_t i = 0; i < atom->n_arguments; i++) {
        text_add(text, i ? ", " : "");
        print_expr(text, atom->arguments[i], is_negated);
    }
    text_add(text, ")");
}

static void print_powers(Text *text, const Piece *piece, int sign, const char *before)
{
    for (size_t i = 0; i < piece->count; i++) {
        const Power *power = &piece->powers[i];
        int32_t exponent = power->exponent * sign;
        if (exponent < 0)
            continue;
        /* Squares of some functions reduce, their inverses don't. */
        bool is_repeated = sign < 0 && power->atom->kind != ATOM_SYMBOL;
        bool is_divisor = is_repeated && power->atom->kind == ATOM_GROUP && power->atom->arguments[0]->n_terms > 0;
        for (int32_t k = 0; k < (is_repeated ? exponent : 1); k++) {
            text_add(text, "%s", before);
            if (is_divisor) {
                text_add(text, "(");
                print_expr(text, power->atom->arguments[0], false);
                text_add(text, ")");
            } else {
                print_atom(text, power->atom);
            }
            before = sign > 0 ? "*" : "/";
        }
        if (!is_repeated && exponent > 1)
            text_add(text, "^%d", exponent);
    }
}

static bool shows_minus(const Piece *piece)
{
    bool is_minus = mpq_sgn(piece->coefficient) < 0;
    for (size_t i = 0; i < piece->count; i++)
        if (piece->powers[i].exponent % 2 && is_flipped(piece->powers[i].atom))
            is_minus = !is_minus;
    return is_minus;
}

/* Without its sign; `inside`: a sum that it multiplies, or NULL. */
static void print_piece(Text *text, const Piece *piece, const Pieces *inside)
{
    mpq_t size;
    mpq_init(size);
    mpq_abs(size, piece->coefficient);
    bool has_factor = inside != NULL, has_divisor = mpz_cmp_ui(mpq_denref(size), 1) != 0;
    for (size_t i = 0; i < piece->count; i++)
        has_factor = has_factor || piece->powers[i].exponent > 0;
    const char *before = "*";
    if (has_divisor && mpz_cmp_ui(mpq_denref(size), MOST_DENOMINATOR) > 0 && print_decimal(text, size))
        has_divisor = false;
    else if (has_factor && mpz_cmp_ui(mpq_numref(size), 1) == 0)
        before = "";
    else
        print_integer(text, mpq_numref(size));
    size_t length = text->bytes.count;
    print_powers(text, piece, 1, before);
    if (inside) {
        text_add(text, "%s(", text->bytes.count > length ? "*" : before);
        print_sum(text, inside, false);
        text_add(text, ")");
    }
    if (has_divisor) {
        text_add(text, "/");
        print_integer(text, mpq_denref(size));
    }
    print_powers(text, piece, -1, "/");
    mpq_clear(size);
}

static void print_sign(Text *text, bool is_minus, bool is_first)
{
    text_add(text, "%s", is_first ? (is_minus ? "-" : "") : (is_minus ? " - " : " + "));
}

/* Rational and powers that all pieces have. */
static void find_common(const Pieces *pieces, Piece *common)
{
    mpz_t numerator, denominator;
    const Piece *first = &pieces->list.items[0];
    bool is_plain = true;
    mpz_init(numerator);
    mpz_init_set_ui(denominator, 1);
    for (size_t i = 0; i < pieces->list.count; i++) {
        mpq_srcptr coefficient = pieces->list.items[i].coefficient;
        mpz_gcd(numerator, numerator, mpq_numref(coefficient));
        mpz_lcm(denominator, denominator, mpq_denref(coefficient));
        is_plain = is_plain && mpz_cmp_ui(denominator, MOST_DENOMINATOR) <= 0;
    }
    if (is_plain) {
        mpz_set(mpq_numref(common->coefficient), numerator);
        mpz_set(mpq_denref(common->coefficient), denominator);
        mpq_canonicalize(common->coefficient);
    }
    for (size_t i = 0; i < first->count; i++) {
        Power power = first->powers[i];
        for (size_t j = 1; j < pieces->list.count; j++) {
            int32_t other = exponent_in(&pieces->list.items[j], power.atom);
            power.exponent = other < power.exponent ? other : power.exponent;
        }
        if (power.exponent > 0 && power.atom->kind != ATOM_GROUP)
            common->powers[common->count++] = power;
    }
    bool is_trivial = common->count == 0 && mpq_cmp_ui(common->coefficient, 1, 1) == 0, all_minus = true;
    for (size_t i = 0; i < pieces->list.count; i++)
        all_minus = all_minus && shows_minus(&pieces->list.items[i]);
    /* What's inside begins without a minus, unless a minus is all that would stand outside. */
    if (shows_minus(common) != shows_minus(first) && (!is_trivial || all_minus))
        mpq_neg(common->coefficient, common->coefficient);
    mpz_clear(numerator);
    mpz_clear(denominator);
}

static void divide(const Pieces *pieces, const Piece *by, Pieces *quotients)
{
    for (size_t i = 0; i < pieces->list.count; i++) {
        const Piece *piece = &pieces->list.items[i];
        Power *powers = memory_resize(NULL, (piece->count + 1) * sizeof *powers);
        mpq_t coefficient;
        mpq_init(coefficient);
        mpq_div(coefficient, piece->coefficient, by->coefficient);
        for (size_t j = 0; j < piece->count; j++) {
            powers[j] = piece->powers[j];
            powers[j].exponent -= exponent_in(by, powers[j].atom);
        }
        pieces_add(quotients, coefficient, powers, piece->count);
        mpq_clear(coefficient);
        free(powers);
    }
}

static void print_flat(Text *text, const Pieces *pieces, bool is_first)
{
    for (size_t i = 0; i < pieces->list.count; i++) {
        print_sign(text, shows_minus(&pieces->list.items[i]), is_first && i == 0);
        print_piece(text, &pieces->list.items[i], NULL);
    }
}

/* With what is common before it. */
static void print_factored(Text *text, const Pieces *pieces, bool is_first)
{
    Pieces holder = {0}, inside = {0};
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    Piece *common = pieces_add(&holder, one, NULL, 0);
    free(common->powers);
    common->powers = memory_resize(NULL, (pieces->list.items[0].count + 1) * sizeof(Power));
    if (pieces->list.count > 1)
        find_common(pieces, common);
    bool is_one = common->count == 0 && mpq_equal(common->coefficient, one);
    if (pieces->list.count == 1 || is_one) {
        print_flat(text, pieces, is_first);
    } else {
        divide(pieces, common, &inside);
        print_sign(text, shows_minus(common), is_first);
        print_piece(text, common, &inside);
    }
    mpq_clear(one);
    pieces_free(&inside);
    pieces_free(&holder);
}

/* The operation's time in the piece, if it's there once. */
static const Atom *operation_in(const Piece *piece)
{
    for (size_t i = 0; i < piece->count; i++) {
        const Atom *atom = piece->powers[i].atom;
        if (atom->kind == ATOM_SYMBOL && strncmp(atom->name, "t_", 2) == 0 && piece->powers[i].exponent == 1)
            return atom;
    }
    return NULL;
}

static void print_sum(Text *text, const Pieces *pieces, bool may_group)
{
    size_t n = pieces->list.count;
    VEC(const Atom *) operations = {0};
    bool has_operation = false;
    for (size_t i = 0; i < n; i++) {
        const Atom *operation = may_group ? operation_in(&pieces->list.items[i]) : NULL;
        size_t at = 0;
        while (at < operations.count && operations.items[at] != operation)
            at++;
        if (at == operations.count)
            *vec_push(&operations) = operation;
        has_operation = has_operation || operation;
    }
    if (!has_operation && n) {
        print_factored(text, pieces, true);
    } else if (!n) {
        text_add(text, "0");
    }
    for (size_t k = 0; has_operation && k < operations.count; k++) {
        Pieces group = {0};
        for (size_t i = 0; i < n; i++) {
            const Piece *piece = &pieces->list.items[i];
            if (operation_in(piece) == operations.items[k])
                pieces_add(&group, piece->coefficient, piece->powers, piece->count);
        }
        print_factored(text, &group, k == 0);
        pieces_free(&group);
    }
    vec_free(&operations);
}

static void print_expr(Text *text, const Expr *expr, bool is_negated)
{
    Pieces pieces = {0};
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Term *term = &expr->terms[i];
        Piece *piece = pieces_add(&pieces, &term->coefficient, term->monomial->powers, term->monomial->count);
        if (is_negated)
            mpq_neg(piece->coefficient, piece->coefficient);
    }
    print_sum(text, &pieces, true);
    pieces_free(&pieces);
}

const char *expr_text(const Expr *expr, Arena *arena)
{
    Text text = {0};
    print_expr(&text, expr, false);
    return text_take(&text, arena);
}
