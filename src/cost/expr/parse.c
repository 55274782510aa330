/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the text of expressions:
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/" | "%") signed }
 *     signed  = "-" signed | power
 *     power   = primary [ "^" signed ]
 *     primary = number | symbol | function "(" sum { "," sum } ")" | "(" sum ")"
 *             | "group" "(" sum ")"                               a sum that isn't multiplied out
 *             | ("sum" | "largest") "(" index "=" sum "," sum [ "," "step" sum ] "," sum ")"
 */
#include "cost/expr/canonical.h"
#include "cost/expr/names.h"

#include <ctype.h>
#include <stdio.h>

enum { MOST_DEPTH = 200, MOST_NAME = 200, MOST_DIGITS = 5000, MOST_ARGUMENTS = 10000 };

typedef struct Reader {
    ExprSpace *space;
    const char *at;
    ExprPlace place;
    unsigned depth;
    Err *err;
} Reader;

static void advance(Reader *reader)
{
    if (*reader->at == '\n') {
        reader->place.line++;
        reader->place.column = 1;
    } else {
        reader->place.column++;
    }
    reader->at++;
}

static char next(Reader *reader)
{
    while (*reader->at && strchr(" \t\r\n", *reader->at))
        advance(reader);
    return *reader->at;
}

static bool accept(Reader *reader, char c)
{
    if (next(reader) != c)
        return false;
    advance(reader);
    return true;
}

static bool fail(const Reader *reader, const char *what)
{
    return err_set(reader->err, ERR_INPUT, "%s:%u:%u: %s", reader->place.file, reader->place.line, reader->place.column,
                   what);
}

static bool fail_expected(Reader *reader, const char *expected)
{
    char found[24] = "the end", what[160];
    unsigned char c = (unsigned char)next(reader);
    if (c >= 32 && c < 127)
        snprintf(found, sizeof found, "`%c`", c);
    else if (c)
        snprintf(found, sizeof found, "byte 0x%02x", c);
    snprintf(what, sizeof what, "expected %s, found %s", expected, found);
    return fail(reader, what);
}

static bool expect(Reader *reader, char c)
{
    char expected[8];
    snprintf(expected, sizeof expected, "`%c`", c);
    return accept(reader, c) || fail_expected(reader, expected);
}

static bool read_sum(Reader *reader, const Expr **expr);
static bool read_signed(Reader *reader, const Expr **expr);

/* Reads 12, 1.5 or 1e9, exactly. An `e` without a digit behind it isn't a part of the number. */
static bool read_number(Reader *reader, const Expr **expr)
{
    char digits[MOST_DIGITS + 1];
    size_t n = 0;
    long exponent = 0;
    bool after_point = false, has_digit = false;
    for (;; advance(reader)) {
        char c = *reader->at;
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!isdigit((unsigned char)c))
            break;
        if (n == MOST_DIGITS)
            return fail(reader, "the number has more than 5000 digits");
        has_digit = true;
        digits[n++] = c;
        exponent -= after_point;
    }
    if (!has_digit)
        return fail_expected(reader, "a digit");
    digits[n] = 0;
    const char *e = reader->at;
    if ((e[0] == 'e' || e[0] == 'E') &&
        (isdigit((unsigned char)e[1]) || ((e[1] == '-' || e[1] == '+') && isdigit((unsigned char)e[2])))) {
        char *end;
        long power = strtol(e + 1, &end, 10);
        if (power > MOST_DIGITS || power < -MOST_DIGITS)
            return fail(reader, "the number's exponent is beyond 5000");
        exponent += power;
        while (reader->at < end)
            advance(reader);
    }
    *expr = expr_of_rational(reader->space, rational_of_decimal(reader->space->pool, digits, exponent));
    return true;
}

/* Reads a name, with its index in brackets if with_brackets. */
static bool read_name(Reader *reader, bool with_brackets, char name[MOST_NAME + 1])
{
    size_t n = 0;
    char c = next(reader);
    if (!isalpha((unsigned char)c) && c != '_')
        return fail_expected(reader, "a name");
    bool in_brackets = false;
    while ((c = *reader->at)) {
        bool is_part = isalnum((unsigned char)c) || c == '_';
        if (in_brackets)
            is_part = is_part || strchr(", .-:/", c);
        if (c == '[' && with_brackets && !in_brackets)
            in_brackets = is_part = true;
        bool is_end = c == ']' && in_brackets;
        if (!is_part && !is_end)
            break;
        if (n == MOST_NAME)
            return fail(reader, "the name has more than 200 characters");
        name[n++] = c;
        advance(reader);
        if (is_end) {
            name[n] = 0;
            return true;
        }
    }
    name[n] = 0;
    return !in_brackets || fail_expected(reader, "`]`");
}

/* Whether the word `step` begins a step (`step 2`, `step -1`, `step s`). It may also be the
 * function, or a symbol in the body. */
static bool begins_step(Reader *reader)
{
    char c = next(reader);
    return isalnum((unsigned char)c) || c == '_' || (c == '-' && isdigit((unsigned char)reader->at[1]));
}

/* Reads `index = from, to, step s, body)` behind the opening bracket. */
static bool read_indexed(Reader *reader, bool is_sum, const Expr **expr)
{
    char index[MOST_NAME + 1];
    const Expr *from, *to, *step = reader->space->one, *body;
    if (!read_name(reader, false, index) || !expect(reader, '=') || !read_sum(reader, &from) || !expect(reader, ',') ||
        !read_sum(reader, &to) || !expect(reader, ','))
        return false;
    next(reader);
    Reader before = *reader;
    char word[MOST_NAME + 1];
    bool has_step = is_sum && isalpha((unsigned char)*reader->at) && read_name(reader, false, word) &&
                    strcmp(word, "step") == 0 && begins_step(reader);
    if (!has_step) {
        *reader = before;
    } else if (!read_sum(reader, &step) || !expect(reader, ',')) {
        return false;
    }
    if (!read_sum(reader, &body) || !expect(reader, ')'))
        return false;
    *expr = is_sum ? expr_sum(reader->space, index, from, to, step, body)
                   : expr_largest(reader->space, index, from, to, body);
    return true;
}

static bool read_call(Reader *reader, const ExprFunctionName *function, const Expr **expr)
{
    VEC(const Expr *) arguments = {0};
    bool is_read = true;
    do {
        const Expr *argument = NULL;
        is_read =
            arguments.count < MOST_ARGUMENTS ? read_sum(reader, &argument) : fail(reader, "more than 10000 arguments");
        if (is_read)
            *vec_push(&arguments) = argument;
    } while (is_read && accept(reader, ','));
    is_read = is_read && expect(reader, ')');
    if (is_read && (arguments.count < function->n_least || arguments.count > function->n_most)) {
        char what[80];
        snprintf(what, sizeof what, "%s takes %s%zu argument%s, not %zu", function->name,
                 function->n_most > function->n_least ? "at least " : "", function->n_least,
                 function->n_least == 1 ? "" : "s", arguments.count);
        is_read = fail(reader, what);
    }
    if (is_read)
        *expr = expr_function(reader->space, function->function, arguments.items, arguments.count);
    vec_free(&arguments);
    return is_read;
}

static bool read_named(Reader *reader, const Expr **expr)
{
    char name[MOST_NAME + 1];
    Reader start = *reader;
    if (!read_name(reader, true, name))
        return false;
    const ExprFunctionName *function = expr_function_by_name(name);
    bool is_group = strcmp(name, "group") == 0;
    bool is_sum = strcmp(name, "sum") == 0, is_largest = strcmp(name, "largest") == 0;
    Reader after = *reader;
    if (next(reader) != '(') {
        *reader = after; /* blanks behind a name don't belong to the expression */
        *expr = expr_symbol(reader->space, name);
        return true;
    }
    if (!function && !is_sum && !is_largest && !is_group) {
        char what[MOST_NAME + 40];
        snprintf(what, sizeof what, "there is no function `%s`", name);
        return fail(&start, what);
    }
    advance(reader);
    if (is_group) {
        if (!read_sum(reader, expr) || !expect(reader, ')'))
            return false;
        *expr = expr_group(reader->space, *expr, 1);
        return true;
    }
    return function ? read_call(reader, function, expr) : read_indexed(reader, is_sum, expr);
}

static bool read_primary(Reader *reader, const Expr **expr)
{
    char c = next(reader);
    if (isdigit((unsigned char)c) || c == '.')
        return read_number(reader, expr);
    if (isalpha((unsigned char)c) || c == '_')
        return read_named(reader, expr);
    if (!accept(reader, '('))
        return fail_expected(reader, "a number, a name, or `(`");
    return read_sum(reader, expr) && expect(reader, ')');
}

static bool follows(Reader *reader, const char *operators)
{
    Reader before = *reader;
    char c = next(reader);
    if (c && strchr(operators, c))
        return true;
    *reader = before;
    return false;
}

static bool read_power(Reader *reader, const Expr **expr)
{
    const Expr *arguments[2];
    if (!read_primary(reader, &arguments[0]))
        return false;
    *expr = arguments[0];
    if (!follows(reader, "^"))
        return true;
    advance(reader);
    if (!read_signed(reader, &arguments[1]))
        return false;
    *expr = expr_function(reader->space, EXPR_POW, arguments, 2);
    return true;
}

static bool read_signed(Reader *reader, const Expr **expr)
{
    if (++reader->depth > MOST_DEPTH)
        return fail(reader, "expressions are nested more than 200 deep");
    bool is_negative = accept(reader, '-');
    bool is_read = is_negative ? read_signed(reader, expr) : read_power(reader, expr);
    if (is_read && is_negative)
        *expr = expr_negate(reader->space, *expr);
    reader->depth--;
    return is_read;
}

/* No number may have more bits than MOST_NUMBER_BITS, which are 4932 decimal digits. So each printed number can be read
 * again. */
static bool check_size(Reader *reader, const Expr *expr)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        if (rational_bits(expr->terms[i].coefficient) > MOST_NUMBER_BITS)
            return fail(reader, "a number has more than 4900 digits");
    return true;
}

static bool read_product(Reader *reader, const Expr **expr)
{
    if (!read_signed(reader, expr))
        return false;
    while (follows(reader, "*/%")) {
        char sign = *reader->at;
        const Expr *right;
        advance(reader);
        Reader before = *reader;
        if (!read_signed(reader, &right))
            return false;
        if (sign != '*' && right == reader->space->zero)
            return fail(&before, "division by zero");
        if (sign == '*')
            *expr = expr_multiply(reader->space, *expr, right);
        else if (sign == '/')
            *expr = expr_divide(reader->space, *expr, right);
        else
            *expr = expr_function(reader->space, EXPR_MOD, (const Expr *[]){*expr, right}, 2);
        if (!check_size(reader, *expr))
            return false;
    }
    return true;
}

static bool read_sum(Reader *reader, const Expr **expr)
{
    Polynomial sum = {0};
    bool is_read = true;
    char sign = '+';
    for (;;) {
        const Expr *part;
        is_read = read_product(reader, &part);
        if (!is_read)
            break;
        polynomial_add_expr(&sum, sign == '-' ? expr_negate(reader->space, part) : part);
        if (!follows(reader, "+-"))
            break;
        sign = *reader->at;
        advance(reader);
    }
    const Expr *total = polynomial_take(reader->space, &sum);
    if (!is_read || !check_size(reader, total))
        return false;
    *expr = total;
    return true;
}

bool expr_parse_prefix(ExprSpace *space, const char **text, ExprPlace *place, const Expr **expr, Err *err)
{
    Reader reader = {.space = space, .at = *text, .place = *place, .err = err};
    const Expr *read;
    if (!read_sum(&reader, &read))
        return false;
    *expr = read;
    *text = reader.at;
    *place = reader.place;
    return true;
}

bool expr_parse(ExprSpace *space, const char *text, const ExprPlace *place, const Expr **expr, Err *err)
{
    Reader reader = {.space = space, .at = text, .place = *place, .err = err};
    const Expr *read;
    if (!read_sum(&reader, &read))
        return false;
    if (next(&reader))
        return fail_expected(&reader, "an operator or the end");
    *expr = read;
    return true;
}
