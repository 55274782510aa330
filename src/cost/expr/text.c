/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes expressions as people do. Common factors stand before a bracket. Terms with the same
 * operation's time (a symbol that begins with t_) stand together. min, ceil and abs are restored.
 *
 * The text reads as the same expression, because factors before brackets are single terms and never
 * groups. */
#include "base/text.h"
#include "cost/expr/canonical.h"
#include "cost/expr/names.h"

/* A term to print; common factors may have been divided out. */
typedef struct PrintedTerm {
    Rational coefficient;
    size_t count;
    const Power *powers;
} PrintedTerm;

typedef struct PrintedTerms {
    size_t count;
    PrintedTerm *list;
} PrintedTerms;

typedef struct Printer {
    Text text;
    Arena *scratch;
    RationalPool pool;
} Printer;

enum { MOST_DENOMINATOR = 1000, MOST_ZEROS = 3, MOST_PLACES = 350 };

static void print_expr(Printer *printer, const Expr *expr, bool is_negated);
static void print_sum(Printer *printer, const PrintedTerms *terms, bool may_group);

static int32_t exponent_in(const PrintedTerm *term, const Atom *atom)
{
    for (size_t i = 0; i < term->count; i++)
        if (term->powers[i].atom == atom)
            return term->powers[i].exponent;
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

/* 0.digits · 10^point: 0.00015, 1.5, but 1.5e-9. Either `digits` doesn't end in 0, or point is its
 * length. */
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

/* Prints the value as a decimal such as 1.5e-9. False if the decimal doesn't end. value >= 0. */
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

/* Whether the atom is printed with the opposite sign: -min(…) for max(-…), -ceil(x) for
 * floor(-x). */
static bool is_shown_negated(const Atom *atom)
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
    bool is_negated = is_shown_negated(atom), is_max = atom->kind == ATOM_FUNCTION && atom->function == EXPR_MAX;
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

static void print_powers(Printer *printer, const PrintedTerm *term, int sign, const char *before)
{
    for (size_t i = 0; i < term->count; i++) {
        const Power *power = &term->powers[i];
        int32_t exponent = power->exponent * sign;
        if (exponent <= 0)
            continue;
        /* The reader multiplies no more than MOST_POWER factors at once, so x^100 is printed as
         * x^64*x^36. Squares of some functions reduce, but squares of their inverses don't; so 1/f^2 is
         * printed as 1/f/f. */
        bool is_repeated = sign < 0 && power->atom->kind != ATOM_SYMBOL;
        bool is_divisor = is_repeated && power->atom->kind == ATOM_GROUP && power->atom->arguments[0]->n_terms > 0;
        for (int32_t left = exponent, most = is_repeated ? 1 : MOST_POWER; left > 0; left -= most) {
            text_add(&printer->text, "%s%s", before, is_divisor ? "(" : "");
            if (is_divisor)
                print_expr(printer, power->atom->arguments[0], false);
            else
                print_atom(printer, power->atom);
            text_add(&printer->text, is_divisor ? ")" : "");
            if (!is_repeated && left > 1)
                text_add(&printer->text, "^%d", left < most ? left : most);
            before = sign > 0 ? "*" : "/";
        }
    }
}

static bool shows_minus(const PrintedTerm *term)
{
    bool is_minus = rational_sign(term->coefficient) < 0;
    for (size_t i = 0; i < term->count; i++)
        if (term->powers[i].exponent % 2 && is_shown_negated(term->powers[i].atom))
            is_minus = !is_minus;
    return is_minus;
}

/* Prints a term with the sign that joins it to the term before. `inside`: a sum that the term
 * multiplies, or NULL. */
static void print_term(Printer *printer, const PrintedTerm *term, const PrintedTerms *inside, bool is_first)
{
    Text *text = &printer->text;
    bool is_minus = shows_minus(term);
    text_add(text, "%s", is_first ? (is_minus ? "-" : "") : (is_minus ? " - " : " + "));
    Rational size = rational_absolute(&printer->pool, term->coefficient);
    bool has_factor = inside != NULL, has_divisor = !rational_is_whole(size);
    for (size_t i = 0; i < term->count; i++)
        has_factor = has_factor || term->powers[i].exponent > 0;
    const char *before = "*";
    if (size.den > MOST_DENOMINATOR && print_decimal(printer, size))
        has_divisor = false;
    else if (has_factor && size.num == 1)
        before = "";
    else
        print_integer(printer, size.num);
    size_t length = text->bytes.count;
    print_powers(printer, term, 1, before);
    if (inside) {
        text_add(text, "%s(", text->bytes.count > length ? "*" : before);
        print_sum(printer, inside, false);
        text_add(text, ")");
    }
    if (has_divisor) {
        text_add(text, "/");
        print_integer(printer, size.den);
    }
    print_powers(printer, term, -1, "/");
}

/* The rational factor and the powers that all terms share. */
static PrintedTerm common_of(Printer *printer, const PrintedTerms *terms)
{
    const PrintedTerm *first = &terms->list[0];
    Power *powers = arena_new_array(printer->scratch, Power, first->count);
    PrintedTerm common = {rational_zero, 0, powers};
    bool is_plain = true, all_minus = true;
    for (size_t i = 0; i < terms->count; i++) {
        common.coefficient = rational_gcd(&printer->pool, common.coefficient, terms->list[i].coefficient);
        is_plain = is_plain && common.coefficient.den <= MOST_DENOMINATOR;
        all_minus = all_minus && shows_minus(&terms->list[i]);
    }
    if (!is_plain)
        common.coefficient = rational_one;
    for (size_t i = 0; i < first->count; i++) {
        Power power = first->powers[i];
        for (size_t j = 1; j < terms->count; j++) {
            int32_t other = exponent_in(&terms->list[j], power.atom);
            power.exponent = other < power.exponent ? other : power.exponent;
        }
        if (power.exponent > 0 && power.atom->kind != ATOM_GROUP)
            powers[common.count++] = power;
    }
    /* The sum inside begins without a minus, unless only a minus would stand outside. */
    bool is_trivial = common.count == 0 && rational_is_one(common.coefficient);
    if (shows_minus(&common) != shows_minus(first) && (!is_trivial || all_minus))
        common.coefficient = rational_negate(&printer->pool, common.coefficient);
    return common;
}

static PrintedTerms divide(Printer *printer, const PrintedTerms *terms, const PrintedTerm *by)
{
    PrintedTerms quotients = {terms->count, arena_new_array(printer->scratch, PrintedTerm, terms->count)};
    for (size_t i = 0; i < terms->count; i++) {
        const PrintedTerm *term = &terms->list[i];
        PrintedTerm *quotient = &quotients.list[i];
        quotient->coefficient = rational_divide(&printer->pool, term->coefficient, by->coefficient);
        Power *powers = arena_new_array(printer->scratch, Power, term->count);
        quotient->powers = powers;
        for (size_t j = 0; j < term->count; j++) {
            Power power = term->powers[j];
            power.exponent -= exponent_in(by, power.atom);
            if (power.exponent)
                powers[quotient->count++] = power;
        }
    }
    return quotients;
}

/* Prints the common factor, and then the rest in brackets. */
static void print_factored(Printer *printer, const PrintedTerms *terms, bool is_first)
{
    PrintedTerm common = common_of(printer, terms);
    if (terms->count > 1 && (common.count > 0 || !rational_is_one(common.coefficient))) {
        PrintedTerms inside = divide(printer, terms, &common);
        print_term(printer, &common, &inside, is_first);
        return;
    }
    for (size_t i = 0; i < terms->count; i++)
        print_term(printer, &terms->list[i], NULL, is_first && i == 0);
}

/* The operation's time in the term, if it occurs once. */
static const Atom *operation_in(const PrintedTerm *term)
{
    for (size_t i = 0; i < term->count; i++) {
        const Atom *atom = term->powers[i].atom;
        if (atom->kind == ATOM_SYMBOL && strncmp(atom->name, "t_", 2) == 0 && term->powers[i].exponent == 1)
            return atom;
    }
    return NULL;
}

/* Prints terms of the same operation together. Operations are ordered by their first term. */
static void print_sum(Printer *printer, const PrintedTerms *terms, bool may_group)
{
    bool *is_printed = arena_new_array(printer->scratch, bool, terms->count);
    for (size_t first = 0; first < terms->count; first++) {
        if (is_printed[first])
            continue;
        PrintedTerms group = {0, arena_new_array(printer->scratch, PrintedTerm, terms->count - first)};
        const Atom *operation = operation_in(&terms->list[first]);
        for (size_t i = first; i < terms->count; i++)
            if (!may_group || operation_in(&terms->list[i]) == operation) {
                group.list[group.count++] = terms->list[i];
                is_printed[i] = true;
            }
        print_factored(printer, &group, first == 0);
    }
    if (!terms->count)
        text_add(&printer->text, "0");
}

static void print_expr(Printer *printer, const Expr *expr, bool is_negated)
{
    PrintedTerms terms = {expr->n_terms, arena_new_array(printer->scratch, PrintedTerm, expr->n_terms)};
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Term *term = &expr->terms[i];
        Rational coefficient = is_negated ? rational_negate(&printer->pool, term->coefficient) : term->coefficient;
        terms.list[i] = (PrintedTerm){coefficient, term->monomial->count, term->monomial->powers};
    }
    print_sum(printer, &terms, true);
}

const char *expr_text(const Expr *expr, Arena *arena)
{
    Printer printer = {.scratch = arena_new()};
    print_expr(&printer, expr, false);
    rational_pool_free(&printer.pool);
    arena_free(printer.scratch);
    return text_take(&printer.text, arena);
}
