/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic expressions: equal ones have one form, printing and parsing give the same, errors name
 * their place, values are right. */
#include "cost/expr/expr.h"
#include "test.h"

#include <math.h>

typedef struct Room {
    Arena *arena;
    ExprSpace *space;
} Room;

static int enter(void **state)
{
    static Room room;
    room.arena = arena_new();
    room.space = expr_space_new(room.arena);
    *state = &room;
    return 0;
}

static int leave(void **state)
{
    arena_free(((Room *)*state)->arena);
    return 0;
}

static const Expr *read_expr(const Room *room, const char *text)
{
    ExprPlace place = {"text", 1, 1};
    const Expr *expr;
    Err err;
    if (!expr_parse(room->space, text, &place, &expr, &err))
        fail_msg("%s: %s", text, err.message);
    return expr;
}

static const char *error_of(const Room *room, const char *text)
{
    static Err err;
    ExprPlace place = {"app.pasl", 7, 11};
    const Expr *expr;
    assert_false(expr_parse(room->space, text, &place, &expr, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    return err.message;
}

static Interval value_at(const Room *room, const char *text, const ExprBinding *bindings, size_t count)
{
    Interval value;
    Err err;
    if (!expr_evaluate(read_expr(room, text), bindings, count, &value, NULL, &err))
        fail_msg("%s: %s", text, err.message);
    return value;
}

/* A binding of n alone. */
static double exact_at(const Room *room, const char *text, double n)
{
    ExprBinding binding = {"n", {n, n}};
    Interval value = value_at(room, text, &binding, 1);
    assert_true(value.low == value.high);
    return value.low;
}

static void assert_same(const Room *room, const char *a, const char *b)
{
    if (read_expr(room, a) != read_expr(room, b))
        fail_msg("%s is %s, but %s is %s", a, expr_text(read_expr(room, a), room->arena), b,
                 expr_text(read_expr(room, b), room->arena));
}

static void logarithms_of_powers_of_two_are_exact(void **state)
{
    const Room *room = *state;
    for (int k = -40; k <= 52; k++)
        assert_true(exact_at(room, "log2(n)", ldexp(1, k)) == k);
    assert_true(exact_at(room, "floor(log2(n))", 8) == 3);
    assert_true(exact_at(room, "ceil(log2(n))", 1 << 20) == 20);
    assert_true(exact_at(room, "floor(log2(n))", 7) == 2);
    assert_true(exact_at(room, "log(n)", 1) == 0);
}

static void equal_expressions_are_the_same_pointer(void **state)
{
    const Room *room = *state;
    static const char *const pairs[][2] = {
        {"(a + b)*(a - b)", "a^2 - b*b"},
        {"(n + 1)/(n + 1)", "1"},
        {"x/(2*n + 2)", "x/2/(n + 1)"},
        {"n/n", "1"},
        {"0.1 + 0.2", "3/10"},
        {"10^9", "1e9"},
        {"max(b, a, max(c, a))", "max(a, b, c)"},
        {"max(n, n + 3)", "n + 3"},
        {"min(a, b)", "-max(-a, -b)"},
        {"abs(-7/2)", "3.5"},
        {"n % 4", "n - 4*floor(n/4)"},
        {"floor(floor(n/2) + 7/2)", "floor(n/2) + 3"},
        {"step(2*n - 4)", "step(n - 2)"},
        {"step(n)*step(n)", "step(n)"},
        {"step(n - 1)*step(n + 2)*step(-n + 7)*step(m)", "step(n - 1)*step(7 - n)*step(m)"},
        {"step(n - 3)*step(3 - n)*step(n - 4)*step(4 - n)", "0"},
        {"(1 - step(3 - n))*(1 - step(5 - n))*(1 - step(9 - n))", "1 - step(9 - n)"},
        {"max(0, n)^2", "n*max(n, 0)"},
        {"sqrt(9/4)", "1.5"},
        {"-2^2", "-4"},
        {"harmonic(3)", "11/6"},
        {"sum(i = 1, 100, i)", "5050"},
        {"sum(i = 5, 1, i)", "0"},
        {"sum(i = 5, 1, step -2, i)", "9"},
        {"sum(i = 1, n, t*i) ", "t*sum(j = 1, n, j)"},
        {"sum(i = 1, 10, sum(j = i, 10, 1))", "55"},
        {"sum(i = 1, 9, step(-(i % 2)))", "4"},
        {"sum(i = 0, n, 2*sqrt(i)*t)", "2*t*sum(i = 0, n, sqrt(i))"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_same(room, pairs[i][0], pairs[i][1]);
}

static void texts_are_as_people_write_them(void **state)
{
    const Room *room = *state;
    static const char *const pairs[][2] = {
        {"n*(n + 1)/2*t_sum_double + 3*t_sum_double + n*t_mul", "t_sum_double*(n^2 + n + 6)/2 + n*t_mul"},
        {"n*n/2 + n/2", "n*(n + 1)/2"},
        {"1500000000", "15e8"},
        {"0.0000000015*n", "1.5e-9*n"},
        {"7.85398e-1*n", "0.785398*n"},
        {"123.456789*n", "123.456789*n"},
        {"1.5e-4*n", "0.00015*n"},
        {"-a - b", "-(a + b)"},
        {"min(a, b) + ceil(n/2) + abs(x)", "ceil(n/2) + min(a, b) + abs(x)"},
        {"sum(i = 1, n, 1)", "max(0, n)"},
        {"sum(i = 1, n, step 2, log(i))", "sum(i = 1, n, step 2, log(i))"},
        {"t_sum_double[fast] + alpha[0,1]", "alpha[0,1] + t_sum_double[fast]"},
        {"0*n", "0"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(expr_text(read_expr(room, pairs[i][0]), room->arena), pairs[i][1]);
}

static void texts_are_read_as_the_same_expression(void **state)
{
    const Room *room = *state;
    static const char *const texts[] = {
        "x/(n + 1) + n/(n + 1) - 3/(a*b)",
        "1/n^2 - n^-3/7",
        "2^n*exp(-n)*log2(n) + n^0.5",
        "sum(i = n, 1, step -1, sqrt(i)*x) - largest(j = 1, n, j^2*x)",
        "sum(i = 1, n, step s, i)*t_a + sum(i = 1, n, step*sqrt(i))",
        "1/3 + 1234567/89012347 - 0.000123456",
        "(a + 1)^30/(b - a)/(b - a)",
        "sum(i = 1, n, sum(j = i, m, step 3, i*j*t_a[old]))",
        "max(0, -n, -m)*min(-n, -m)^3",
        "1e1000*n/7",
        "n^64*n^36*x^2/m^64/m^64/m^2",
        "239299329230617529590083*n^49/562949953421312e441",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Expr *expr = read_expr(room, texts[i]);
        assert_same(room, expr_text(expr, room->arena), texts[i]);
    }
}

static void the_inverse_of_an_inverse_square_reduces(void **state)
{
    const Room *room = *state;
    assert_same(room, "1/(1/step(n)^2)", "step(n)");
    assert_same(room, "(m/step(n)^2)^-1", "step(n)/m");
    assert_same(room, "1/(m/max(0, n)^2)", "n*max(0, n)/m");
}

static void errors_name_place_and_what_was_expected(void **state)
{
    const Room *room = *state;
    static const char *const pairs[][2] = {
        {"1 +", "app.pasl:7:14: expected a number, a name, or `(`, found the end"},
        {"1 +\n  *2", "app.pasl:8:3: expected a number, a name, or `(`, found `*`"},
        {"(a", "app.pasl:7:13: expected `)`, found the end"},
        {"a b", "app.pasl:7:13: expected an operator or the end, found `b`"},
        {"foo(3)", "app.pasl:7:11: there is no function `foo`"},
        {"sqrt(1, 2)", "app.pasl:7:21: sqrt takes 1 argument, not 2"},
        {"n/0", "app.pasl:7:13: division by zero"},
        {"sum(i, 3)", "app.pasl:7:16: expected `=`, found `,`"},
        {"t[a", "app.pasl:7:14: expected `]`, found the end"},
        {"\x80", "app.pasl:7:11: expected a number, a name, or `(`, found byte 0x80"},
        {"1e9999", "app.pasl:7:12: the number's exponent is beyond 5000"},
        {"1e4000*n*1e4000*m", "app.pasl:7:26: a number has more than 4900 digits"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(error_of(room, pairs[i][0]), pairs[i][1]);
}

static void prefix_ends_where_the_expression_does(void **state)
{
    const Room *room = *state;
    const char *text = "2*n sum_double; x";
    ExprPlace place = {"model", 3, 5};
    const Expr *expr;
    Err err;
    assert_true(expr_parse_prefix(room->space, &text, &place, &expr, &err));
    assert_ptr_equal(expr, read_expr(room, "2*n"));
    assert_string_equal(text, " sum_double; x");
    assert_int_equal(place.column, 8);
}

static void sums_are_exact_where_ranges_are_empty(void **state)
{
    const Room *room = *state;
    assert_true(exact_at(room, "sum(i = 1, n, i)", 4) == 10);
    assert_true(exact_at(room, "sum(i = 1, n, i)", -4) == 0);
    assert_true(exact_at(room, "sum(i = 1, 3, sum(j = n, i, 1))", 3) == 1);
    assert_true(exact_at(room, "sum(i = 1, n, sum(j = i, 7, step 3, 1))", 9) == 12);
    assert_true(exact_at(room, "sum(i = 1, n, 1/i)", 2) == 1.5);
    assert_true(exact_at(room, "sum(i = 1, 9, step((i - 1)*(i - 9)) + n)", 0) == 2);
}

static void sums_that_stay_are_exact(void **state)
{
    const Room *room = *state;
    assert_true(exact_at(room, "sum(i = 1, n, i*floor(n/i) + step(floor(n/i) - i))", 40) == 1348);
    assert_true(exact_at(room, "largest(i = 1, n, floor(n/i) - 1/i)", 40) == 39);
    assert_true(exact_at(room, "sum(i = n, 1, step -2, floor(n/i))", 7) == 11);
    assert_true(exact_at(room, "sum(i = 1, n, 2*floor(n/i)/3) - sum(i = 1, n, floor(n/i)/6)", 4) == 4);
}

/* Bodies of all kinds that are added up in columns, and some that leave them halfway: numbers beyond 64 bits, and
 * roots of large numbers. */
static void a_sum_is_that_of_its_terms(void **state)
{
    const Room *room = *state;
    static const char *const bodies[] = {"floor(n/i) + floor((n + 3)/(2*i + 1))",
                                         "floor(n/i - max(i^2, i*floor(n/i))/i - 1/i)",
                                         "i*step(n - i^2) - max(0, n - 3*i, floor(i/7))",
                                         "floor(sqrt(i + n)) + 3*floor(log2(i))",
                                         "floor(-n/(i - 5000)) + floor(i/3)*floor(i/5)",
                                         "floor(n/(i + 1))*floor(i*i/(i + 1)) % 7",
                                         "floor(10^12*i^2/(n + i)) % 11",
                                         "floor(sqrt(10^8*i)) % 13"};
    static const double ranges[][3] = {{1, 1000, 1}, {1000, 1, -3}, {2, 257, 1}, {7, 9, 1}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
            const double from = ranges[k][0], to = ranges[k][1], step = ranges[k][2];
            const Expr *body = read_expr(room, bodies[i]);
            const char *text = arena_printf(room->arena, "sum(i = %g, %g, step %g, %s)", from, to, step, bodies[i]);
            ExprBinding bindings[] = {{"n", {999983, 999983}}, {"i", {0, 0}}};
            Interval sum = value_at(room, text, bindings, 1), term;
            double expected = 0;
            Err err;
            for (double index = from; step > 0 ? index <= to : index >= to; index += step, expected += term.low) {
                bindings[1].value = (Interval){index, index};
                assert_true(expr_evaluate(body, bindings, 2, &term, NULL, &err));
            }
            if (sum.low != expected || sum.high != expected)
                fail_msg("%s is %.17g, not %.17g", text, sum.low, expected);
        }
}

static void an_inner_index_may_have_the_outer_ones_name(void **state)
{
    assert_true(exact_at(*state, "sum(i = 1, n, sum(i = 1, i, floor(n/i)))", 40) == 5136);
}

/* Some values exceed 2^63, the range of the quick evaluation: sum of i^9 floor(n/i)^3. */
static void sums_of_long_numbers_are_exact(void **state)
{
    assert_true(exact_at(*state, "sum(i = 1, n, i^9*floor(n/i)^3)", 1000) == 1.0122799814350931e29);
}

static void expressions_together_have_the_values_they_have_alone(void **state)
{
    const Room *room = *state;
    static const char *const texts[] = {"sum(i = 1, n, floor(n/i))*t", "n + t", "2*sum(i = 1, n, floor(n/i)) + 1",
                                        "sum(i = 1, n*10^9, sqrt(i))"};
    enum { N = sizeof texts / sizeof *texts };
    ExprBinding bindings[] = {{"n", {1000, 1000}}, {"t", {1, 2}}};
    const Expr *exprs[N];
    Interval values[N];
    Err err;
    for (size_t i = 0; i < N; i++)
        exprs[i] = read_expr(room, texts[i]);
    for (size_t n = N - 1; n <= N; n++) {
        bool approximated;
        assert_true(expr_evaluate_all(exprs, n, bindings, 2, values, &approximated, &err));
        assert_int_equal(approximated, n == N);
        for (size_t i = 0; i < n; i++) {
            Interval alone = value_at(room, texts[i], bindings, 2);
            assert_true(alone.low == values[i].low && alone.high == values[i].high);
        }
    }
}

static void large_terms_that_cancel_lose_nothing(void **state)
{
    const Room *room = *state;
    assert_true(exact_at(room, "(n + 1)^8 - n^8 - 8*n^7 - 28*n^6 - 56*n^5 - 70*n^4 - 56*n^3 - 28*n^2", 1e9) == 8e9 + 1);
}

static void intervals_hold_all_values(void **state)
{
    const Room *room = *state;
    ExprBinding bindings[] = {{"n", {3, 3}}, {"t", {1, 2}}, {"x", {-1, 2}}};
    Interval value = value_at(room, "n*t + x^2", bindings, 3);
    assert_true(value.low <= 3 && value.low > 2.999 && value.high >= 10 && value.high < 10.001);
    value = value_at(room, "max(t, x, 1.5)", bindings, 3);
    assert_true(value.low == 1.5 && value.high == 2);
    value = value_at(room, "step(x)*n", bindings, 3);
    assert_true(value.low <= 0 && value.high >= 3);
}

static void long_sums_are_intervals_that_hold_them(void **state)
{
    const Room *room = *state;
    ExprBinding binding = {"n", {1e12, 1e12}};
    Interval value;
    bool approximated;
    Err err;
    assert_true(expr_evaluate(read_expr(room, "sum(i = 1, n, sqrt(i))"), &binding, 1, &value, &approximated, &err));
    assert_true(approximated);
    double sum = 2.0 / 3 * 1e18 + 0.5e6;
    assert_true(value.low <= sum && value.high >= sum && value.high - value.low < 1e-3 * sum);
}

static void symbols_without_a_value_are_all_named(void **state)
{
    const Room *room = *state;
    ExprBinding binding = {"n", {1, 1}};
    Interval value = {5, 6};
    Err err;
    assert_false(expr_evaluate(read_expr(room, "n*a + sum(i = 1, b, log(i))"), &binding, 1, &value, NULL, &err));
    assert_string_equal(err.message, "these names have no value: a, b");
    assert_true(value.low == 5 && value.high == 6);
    assert_false(expr_evaluate(read_expr(room, "1/(n - 1)"), &binding, 1, &value, NULL, &err));
    assert_string_equal(err.message, "division by zero");
}

static void substitution_closes_sums_and_captures_nothing(void **state)
{
    const Room *room = *state;
    const char *names[] = {"n"};
    const Expr *with[] = {read_expr(room, "i")};
    const Expr *sum = read_expr(room, "sum(i = 1, 4, log(i + n))");
    assert_ptr_equal(expr_substitute(room->space, sum, names, with, 1),
                     read_expr(room, "sum(i_1 = 1, 4, log(i_1 + i))"));
    with[0] = expr_integer(room->space, 3);
    assert_ptr_equal(expr_substitute(room->space, read_expr(room, "sum(i = 1, n, i)"), names, with, 1),
                     expr_integer(room->space, 6));
}

static void a_copy_in_another_space_is_the_same_expression(void **state)
{
    const Room *room = *state;
    static const char *const texts[] = {
        "n*(n + 1)/2*t_a + max(a, b, 3)",
        "x/(n + 1) + 1/3 - 12345678901234567890123*floor(n/7)",
        "sum(i = 1, n, sum(j = i, m, step 3, sqrt(i*j))*t_a[old]) + largest(j = 1, n, j^2*x)",
    };
    ExprSpace *other = expr_space_new(room->arena);
    expr_symbol(other, "x"); /* created in another order */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Room there = {room->arena, other};
        assert_ptr_equal(expr_import(other, read_expr(room, texts[i])), read_expr(&there, texts[i]));
    }
}

static void symbols_come_in_order_of_name(void **state)
{
    const Room *room = *state;
    const char *const *names;
    const Expr *expr = read_expr(room, "z*b + sum(i = a, 9, log(i))/max(c, i)");
    assert_int_equal(expr_symbols(room->space, expr, &names), 5);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[3], "i");
    assert_string_equal(names[4], "z");
    assert_true(expr_has_symbol(expr, "c"));
    assert_false(expr_has_symbol(expr, "n"));
}

static void real_numbers_are_short_decimals(void **state)
{
    const Room *room = *state;
    double value;
    assert_ptr_equal(expr_real(room->space, 0.1), expr_rational(room->space, 1, 10));
    assert_ptr_equal(expr_real(room->space, -1.5e-9), read_expr(room, "-1.5e-9"));
    assert_ptr_equal(expr_real(room->space, 0), expr_integer(room->space, 0));
    assert_true(expr_is_number(expr_real(room->space, 3e300), &value) && value == 3e300);
}

static void products_beyond_the_limit_stay_products(void **state)
{
    const Room *room = *state;
    const Expr *power = read_expr(room, "(a + b + c + d + e)^9");
    const Expr *product = expr_multiply(room->space, power, read_expr(room, "(a + b + c + d + f)^9"));
    assert_same(room, expr_text(product, room->arena), expr_text(product, room->arena));
    assert_ptr_equal(read_expr(room, expr_text(product, room->arena)), product);
}

static void degrees_are_those_of_the_fastest_term(void **state)
{
    const Room *room = *state;
    static const struct {
        const char *text;
        int64_t degree;
    } cases[] = {{"3*m + 2", 0},          {"n + m^5", 1},
                 {"n*floor(n/2) + n", 2}, {"n*m", 1},
                 {"n*log2(n)", 1},        {"1/n + m", 0},
                 {"max(0, n - 2)^2", 2},  {"sqrt(n)", 1},
                 {"m*pow(2, n)", 64},     {"sum(i = 1, n, floor(i^2/(i + 1)))", 2},
                 {"n/(n + 1)", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(expr_degree(read_expr(room, cases[i].text), "n"), cases[i].degree);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_expressions_are_the_same_pointer),
        TEST(logarithms_of_powers_of_two_are_exact),
        TEST(texts_are_as_people_write_them),
        TEST(texts_are_read_as_the_same_expression),
        TEST(the_inverse_of_an_inverse_square_reduces),
        TEST(errors_name_place_and_what_was_expected),
        TEST(prefix_ends_where_the_expression_does),
        TEST(sums_are_exact_where_ranges_are_empty),
        TEST(sums_that_stay_are_exact),
        TEST(a_sum_is_that_of_its_terms),
        TEST(an_inner_index_may_have_the_outer_ones_name),
        TEST(sums_of_long_numbers_are_exact),
        TEST(expressions_together_have_the_values_they_have_alone),
        TEST(large_terms_that_cancel_lose_nothing),
        TEST(intervals_hold_all_values),
        TEST(long_sums_are_intervals_that_hold_them),
        TEST(symbols_without_a_value_are_all_named),
        TEST(substitution_closes_sums_and_captures_nothing),
        TEST(a_copy_in_another_space_is_the_same_expression),
        TEST(symbols_come_in_order_of_name),
        TEST(real_numbers_are_short_decimals),
        TEST(products_beyond_the_limit_stay_products),
        TEST(degrees_are_those_of_the_fastest_term),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
