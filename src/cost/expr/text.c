/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as people write them: what several terms have in common stands before them, terms of the same operation's
 * time (symbols that begin with t_) stand together, and min, ceil and abs come back. What is printed is read as the
 * same expression: factors that are put outside are single terms, and never groups. */
#include "base/text.h"
#include "cost/expr/canonical.h"
#include "cost/expr/names.h"

/* A term whose powers may have been taken apart. */
typedef struct Piece {
    Rational coefficient;
    size_t count;
    const Power *powers;
} Piece;

typedef struct Pieces {
    size_t count;
    Piece *list;
} Pieces;

typedef struct Printer {
    Text text;
    Arena *scratch;
    RationalPool pool;
} Printer;

enum { MOST_DENOMINATOR = 1000, MOST_ZEROS = 3, MOST_PLACES = 350 };

static void print_expr(Printer *printer, const Expr *expr, bool is_negated);
static void print_sum(Printer *printer, const Pieces *pieces, bool may_group);

static int32_t exponent_in(const Piece *piece, const Atom *atom)
{
    for (size_t i = 0; i < piece->count; i++)
        if (piece->powers[i].atom == atom)
            return piece->powers[i].exponent;
    return 0;
}

static char *digits_of(const Printer *printer, fmpz integer)
{
    return fmpz_get_str(arena_alloc(printer->scratch, fmpz_sizeinbase(&integer, 10) + 2), 10, &integer);
}

static void print_integer(Printer *printer, fmpz integer)
{
    const char *digits = digits_of(printer, integer);
    size_t length = strlen(digits), n_zeros = 0;
    while (n_zeros + 1 < length && digits[length - 1 - n_zeros] == '0')
        n_zeros++;
    if (n_zeros >= 6)
        text_add(&printer->text, "%.*se%zu", (int)(length - n_zeros), digits, n_zeros);
    else
        text_add(&printer->text, "%s", digits);
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
static bool print_decimal(Printer *printer, Rational value)
{
    long places = 0;
    Rational ten = rational_of(&printer->pool, 10, 1);
    for (; places < MOST_PLACES && !rational_is_whole(value); places++)
        value = rational_multiply(&printer->pool, value, ten);
    if (!rational_is_whole(value))
        return false;
    const char *digits = digits_of(printer, value.num);
    print_digits(&printer->text, digits, (long)strlen(digits) - places);
    return true;
}

static bool leads_negative(const Expr *expr)
{
    return expr->n_terms && rational_sign(expr->terms[0].coefficient) < 0;
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

static bool are_opposite(Printer *printer, const Expr *a, const Expr *b)
{
    if (a->n_terms != b->n_terms || a->n_terms == 0)
        return false;
    for (size_t i = 0; i < a->n_terms; i++) {
        Rational sum = rational_add(&printer->pool, a->terms[i].coefficient, b->terms[i].coefficient);
        if (a->terms[i].monomial != b->terms[i].monomial || !rational_is_zero(sum))
            return false;
    }
    return true;
}

static void print_indexed(Printer *printer, const Atom *atom)
{
    int64_t step;
    text_add(&printer->text, "%s(%s = ", atom->kind == ATOM_SUM ? "sum" : "largest", atom->index->name);
    print_expr(printer, atom->arguments[SUM_FROM], false);
    text_add(&printer->text, ", ");
    print_expr(printer, atom->arguments[SUM_TO], false);
    if (!expr_is_integer(atom->arguments[SUM_STEP], &step) || step != 1) {
        text_add(&printer->text, ", step ");
        print_expr(printer, atom->arguments[SUM_STEP], false);
    }
    text_add(&printer->text, ", ");
    print_expr(printer, atom->arguments[SUM_BODY], false);
    text_add(&printer->text, ")");
}

static void print_atom(Printer *printer, const Atom *atom)
{
    if (atom->kind == ATOM_SYMBOL) {
        text_add(&printer->text, "%s", atom->name);
        return;
    }
    if (atom->index) {
        print_indexed(printer, atom);
        return;
    }
    bool is_negated = is_flipped(atom), is_max = atom->kind == ATOM_FUNCTION && atom->function == EXPR_MAX;
    if (is_max && atom->n_arguments == 2 && are_opposite(printer, atom->arguments[0], atom->arguments[1])) {
        text_add(&printer->text, "abs(");
        print_expr(printer, atom->arguments[leads_negative(atom->arguments[0])], false);
        text_add(&printer->text, ")");
        return;
    }
    const char *name = atom->kind == ATOM_GROUP ? "group" : expr_function_name(atom->function);
    if (is_negated)
        name = is_max ? "min" : "ceil";
    text_add(&printer->text, "%s(", name);
    for (size_t i = 0; i < atom->n_arguments; i++) {
        text_add(&printer->text, i ? ", " : "");
        print_expr(printer, atom->arguments[i], is_negated);
    }
    text_add(&printer->text, ")");
}

static void print_powers(Printer *printer, const Piece *piece, int sign, const char *before)
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
            text_add(&printer->text, "%s%s", before, is_divisor ? "(" : "");
            if (is_divisor)
                print_expr(printer, power->atom->arguments[0], false);
            else
                print_atom(printer, power->atom);
            text_add(&printer->text, is_divisor ? ")" : "");
            before = sign > 0 ? "*" : "/";
        }
        if (!is_repeated && exponent > 1)
            text_add(&printer->text, "^%d", exponent);
    }
}

static bool shows_minus(const Piece *piece)
{
    bool is_minus = rational_sign(piece->coefficient) < 0;
    for (size_t i = 0; i < piece->count; i++)
        if (piece->powers[i].exponent % 2 && is_flipped(piece->powers[i].atom))
            is_minus = !is_minus;
    return is_minus;
}

/* With the sign that joins it to what stands before; `inside`: a sum that it multiplies, or NULL. */
static void print_piece(Printer *printer, const Piece *piece, const Pieces *inside, bool is_first)
{
    Text *text = &printer->text;
    bool is_minus = shows_minus(piece);
    text_add(text, "%s", is_first ? (is_minus ? "-" : "") : (is_minus ? " - " : " + "));
    Rational size = rational_absolute(&printer->pool, piece->coefficient);
    bool has_factor = inside != NULL, has_divisor = !rational_is_whole(size);
    for (size_t i = 0; i < piece->count; i++)
        has_factor = has_factor || piece->powers[i].exponent > 0;
    const char *before = "*";
    if (size.den > MOST_DENOMINATOR && print_decimal(printer, size))
        has_divisor = false;
    else if (has_factor && size.num == 1)
        before = "";
    else
        print_integer(printer, size.num);
    size_t length = text->bytes.count;
    print_powers(printer, piece, 1, before);
    if (inside) {
        text_add(text, "%s(", text->bytes.count > length ? "*" : before);
        print_sum(printer, inside, false);
        text_add(text, ")");
    }
    if (has_divisor) {
        text_add(text, "/");
        print_integer(printer, size.den);
    }
    print_powers(printer, piece, -1, "/");
}

/* Rational and powers that all pieces have. */
static Piece common_of(Printer *printer, const Pieces *pieces)
{
    const Piece *first = &pieces->list[0];
    Power *powers = arena_new_array(printer->scratch, Power, first->count);
    Piece common = {rational_zero, 0, powers};
    bool is_plain = true, all_minus = true;
    for (size_t i = 0; i < pieces->count; i++) {
        common.coefficient = rational_gcd(&printer->pool, common.coefficient, pieces->list[i].coefficient);
        is_plain = is_plain && common.coefficient.den <= MOST_DENOMINATOR;
        all_minus = all_minus && shows_minus(&pieces->list[i]);
    }
    if (!is_plain)
        common.coefficient = rational_one;
    for (size_t i = 0; i < first->count; i++) {
        Power power = first->powers[i];
        for (size_t j = 1; j < pieces->count; j++) {
            int32_t other = exponent_in(&pieces->list[j], power.atom);
            power.exponent = other < power.exponent ? other : power.exponent;
        }
        if (power.exponent > 0 && power.atom->kind != ATOM_GROUP)
            powers[common.count++] = power;
    }
    /* What's inside begins without a minus, unless a minus is all that would stand outside. */
    bool is_trivial = common.count == 0 && rational_is_one(common.coefficient);
    if (shows_minus(&common) != shows_minus(first) && (!is_trivial || all_minus))
        common.coefficient = rational_negate(&printer->pool, common.coefficient);
    return common;
}

static Pieces divide(Printer *printer, const Pieces *pieces, const Piece *by)
{
    Pieces quotients = {pieces->count, arena_new_array(printer->scratch, Piece, pieces->count)};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->list[i];
        Piece *quotient = &quotients.list[i];
        quotient->coefficient = rational_divide(&printer->pool, piece->coefficient, by->coefficient);
        Power *powers = arena_new_array(printer->scratch, Power, piece->count);
        quotient->powers = powers;
        for (size_t j = 0; j < piece->count; j++) {
            Power power = piece->powers[j];
            power.exponent -= exponent_in(by, power.atom);
            if (power.exponent)
                powers[quotient->count++] = power;
        }
    }
    return quotients;
}

/* With what is common before it. */
static void print_factored(Printer *printer, const Pieces *pieces, bool is_first)
{
    Piece common = common_of(printer, pieces);
    if (pieces->count > 1 && (common.count > 0 || !rational_is_one(common.coefficient))) {
        Pieces inside = divide(printer, pieces, &common);
        print_piece(printer, &common, &inside, is_first);
        return;
    }
    for (size_t i = 0; i < pieces->count; i++)
        print_piece(printer, &pieces->list[i], NULL, is_first && i == 0);
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

/* Pieces of the same operation together, in the order in which operations come first. */
static void print_sum(Printer *printer, const Pieces *pieces, bool may_group)
{
    bool *is_printed = arena_new_array(printer->scratch, bool, pieces->count);
    for (size_t first = 0; first < pieces->count; first++) {
        if (is_printed[first])
            continue;
        Pieces group = {0, arena_new_array(printer->scratch, Piece, pieces->count - first)};
        const Atom *operation = operation_in(&pieces->list[first]);
        for (size_t i = first; i < pieces->count; i++)
            if (!may_group || operation_in(&pieces->list[i]) == operation) {
                group.list[group.count++] = pieces->list[i];
                is_printed[i] = true;
            }
        print_factored(printer, &group, first == 0);
    }
    if (!pieces->count)
        text_add(&printer->text, "0");
}

static void print_expr(Printer *printer, const Expr *expr, bool is_negated)
{
    Pieces pieces = {expr->n_terms, arena_new_array(printer->scratch, Piece, expr->n_terms)};
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Term *term = &expr->terms[i];
        Rational coefficient = is_negated ? rational_negate(&printer->pool, term->coefficient) : term->coefficient;
        pieces.list[i] = (Piece){coefficient, term->monomial->count, term->monomial->powers};
    }
    print_sum(printer, &pieces, true);
}

const char *expr_text(const Expr *expr, Arena *arena)
{
    Printer printer = {.scratch = arena_new()};
    print_expr(&printer, expr, false);
    rational_pool_free(&printer.pool);
    arena_free(printer.scratch);
    return text_take(&printer.text, arena);
}
