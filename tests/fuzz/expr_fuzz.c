/* SPDX-License-Identifier: BSD-3-Clause */
/* Random texts of expressions, some of them damaged. Each must be read, or be refused as bad input
 * with its place. A printed expression must read as the same expression. Evaluation must end. The
 * random numbers are always the same. */
#include "cost/expr/expr.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "test.h"

#include <string.h>

enum { ROUNDS = 6000, ROUNDS_A_SPACE = 200 };

static const char *const leaves[] = {"n", "m", "i", "j", "t_a", "x[1,2]", "0", "1", "2", "7", "1.5e-9", "10^9", "1/3"};
static const char *const shapes[] = {
    "(@ + @)",
    "(@ - @)",
    "@*@",
    "@*@",
    "@/@",
    "@/2",
    "(@)/(@)",
    "(@)^2",
    "(@)^-1",
    "max(@, @)",
    "min(@, @, 0)",
    "floor(@/3)",
    "ceil(@)",
    "abs(@)",
    "step(@)",
    "sqrt(@)",
    "log(@)",
    "exp(@)",
    "pow(@, @)",
    "harmonic(@)",
    "@ % 3",
    "group(@)",
    "-@",
    "log2(@)",
    "sum(i = @, @, @)",
    "sum(j = i, n, step 3, @)",
    "sum(i = n, @, step -2, i*@)",
    "largest(i = m, n, @)",
};
static const char damages[] = "()+-*/%^,=[]. \n\xff\x01isum0";

/* Replaces each @ by an expression. */
static void make_text(char *text, size_t size, int depth)
{
    size_t length = strlen(text);
    bool is_leaf = depth == 0 || length > size / 2;
    const char *shape = is_leaf ? leaves[random_below(sizeof leaves / sizeof *leaves)]
                                : shapes[random_below(sizeof shapes / sizeof *shapes)];
    for (; *shape; shape++) {
        if (*shape == '@') {
            make_text(text, size, depth - 1);
            length = strlen(text);
        } else {
            text[length++] = *shape;
            text[length] = 0;
        }
    }
}

static void damage_text(char *text)
{
    for (uint32_t i = random_below(3); i > 0 && text[0]; i--)
        text[random_below((uint32_t)strlen(text))] = damages[random_below(sizeof damages - 1)];
}

static void check_text(ExprSpace *space, Arena *arena, const char *text, size_t *n_read)
{
    ExprPlace place = {"text", 1, 1};
    const Expr *expr, *again;
    Err err;
    fuzz_begin("expression", text, strlen(text));
    if (!expr_parse(space, text, &place, &expr, &err)) {
        assert_int_equal(err.kind, ERR_INPUT);
        assert_memory_equal(err.message, "text:", 5);
        return;
    }
    ++*n_read;
    const char *printed = expr_text(expr, arena);
    place = (ExprPlace){"text", 1, 1};
    if (!expr_parse(space, printed, &place, &again, &err)) {
        if (strstr(printed, "group(0)") == NULL) /* a division by zero has no text that can be read again */
            fail_msg("%s\nwas printed as\n%s\n%s", text, printed, err.message);
        return;
    }
    if (again != expr)
        fail_msg("%s\nwas printed as\n%s\nand read as\n%s", text, printed, expr_text(again, arena));
    ExprBinding bindings[] = {{"n", {5, 5}}, {"m", {2, 3}},         {"i", {-1, -1}},
                              {"j", {2, 2}}, {"t_a", {1e-9, 2e-9}}, {"x[1,2]", {0.5, 0.5}}};
    Interval value = {1, 1};
    if (expr_evaluate(expr, bindings, sizeof bindings / sizeof *bindings, &value, NULL, &err))
        assert_true(value.low <= value.high);
    else
        assert_int_equal(err.kind, ERR_INPUT);
}

static void texts_are_read_or_refused(void **state)
{
    FuzzCorpus kept = fuzz_load_corpus("expression");
    Arena *arena = arena_new();
    ExprSpace *space = expr_space_new(arena);
    size_t n_read = 0, n = fuzz_inputs(ROUNDS);
    for (size_t i = 0; i < kept.n; i++)
        check_text(space, arena, kept.texts[i].bytes, &n_read);
    n_read = 0;
    for (size_t round = 0; round < n; round++) {
        char text[2048];
        if (round % ROUNDS_A_SPACE == 0) {
            arena_free(arena);
            arena = arena_new();
            space = expr_space_new(arena);
        }
        text[0] = 0;
        make_text(text, sizeof text, 1 + (int)random_below(4));
        if (random_below(3) == 0)
            damage_text(text);
        check_text(space, arena, text, &n_read);
    }
    fuzz_begin("", NULL, 0);
    fuzz_free_corpus(&kept);
    arena_free(arena);
    print_message("# %zu of %zu texts were expressions\n", n_read, n);
    assert_true(n_read > n / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(texts_are_read_or_refused, fuzz_teardown)};
    return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
