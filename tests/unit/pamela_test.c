/* SPDX-License-Identifier: BSD-3-Clause */
/* PAMELA: the meaning of texts, and errors in wrong ones. */
#include "base/text.h"
#include "cost/lang/pamela.h"
#include "unit/fixture.h"

static const PamelaModel *read(const char *text)
{
    PamelaModel *model;
    Err err;
    if (!pamela_parse("a.pamela", text, NULL, arena, &model, &err))
        fail_msg("%s", err.message);
    return model;
}

/* The body of the last sub-model. */
static const PamelaNode *body(const char *text)
{
    const PamelaModel *model = read(text);
    return model->subs[model->n_subs - 1].body;
}

static void refuse(const char *text, const char *message)
{
    PamelaModel *model = NULL;
    Err err = {0};
    assert_false(pamela_parse("a.pamela", text, NULL, arena, &model, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err.message, message);
    assert_null(model);
}

static void print(const char *text, const char *printed)
{
    assert_string_equal(pamela_text(read(text), arena), printed);
}

static void a_count_stands_before_its_operation(void **state)
{
    const PamelaNode *node = body("parameter n\nmain = { (n + 1) sum_double; floor(n/2) f[p]; n g; n; sum_double }");
    static const char *const counts[] = {"n + 1", "floor(n/2)", "n", "1", "1"};
    static const char *const names[] = {"sum_double", "f", "g", "n", "sum_double"};
    assert_int_equal(node->n_children, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(node->children[i]->kind, PAMELA_OPERATION);
        assert_string_equal(node->children[i]->name, names[i]);
        assert_string_equal(expr_text(node->children[i]->amount, arena), counts[i]);
    }
}

static void brackets_around_a_composition_make_no_sequence(void **state)
{
    assert_int_equal(body("main = { a || b }")->kind, PAMELA_PARALLEL);
    assert_int_equal(body("main = { { a || b } }")->kind, PAMELA_SEQUENCE);
    assert_int_equal(body("main = { a || b; c }")->kind, PAMELA_SEQUENCE);
    assert_int_equal(body("main = { a }")->kind, PAMELA_SEQUENCE);
}

static void a_submodel_may_be_a_composition(void **state)
{
    print("main = { a } || b || { c || d } # of d",
          "main = {\n  {\n    a;\n  } ||\n  b ||\n  {  # of d\n    c ||\n    d\n  }\n}\n");
}

static void else_belongs_to_the_nearest_conditional(void **state)
{
    const PamelaNode *node = body("main = if (a, 1/2) if (b, 1/3) x else y");
    assert_int_equal(node->children[1]->n_children, 0);
    assert_string_equal(node->children[0]->children[1]->name, "y");
    print("main = if (a, 1/2) if (b, 1/3) x else {} else y",
          "main = if (a, 1/2)\n  if (b, 1/3)\n    x\n  else {}\nelse\n  y\n");
}

static void a_condition_is_any_text_up_to_the_last_comma(void **state)
{
    assert_string_equal(body("main = if (f(a, b) <= g[1, 2], 1/2) x")->name, "f(a, b) <= g[1, 2]");
    assert_string_equal(body("main = if (c == ',' || s != \"),#\", 1/2) x")->name, "c == ',' || s != \"),#\"");
    assert_string_equal(body("main = if (\"f(a, \\\"(\", 1/2) x")->name, "f(a, \"(");
    assert_null(body("main = if (1/2) x")->name);
}

static void a_name_of_a_submodel_is_a_call_wherever_it_is_defined(void **state)
{
    const PamelaModel *model = read("main = { later; later(); other }\nlater = x");
    const PamelaNode *node = model->subs[0].body;
    assert_int_equal(node->children[0]->kind, PAMELA_CALL);
    assert_int_equal(node->children[1]->kind, PAMELA_CALL);
    assert_int_equal(node->children[2]->kind, PAMELA_OPERATION);
    assert_ptr_equal(pamela_find(model, "later"), &model->subs[1]);
    assert_null(pamela_find(model, "other"));
}

static void nodes_keep_their_place(void **state)
{
    const PamelaNode *node = body("main = {\n  é; # ü\n  2 b\n}");
    assert_int_equal(node->children[1]->line, 3);
    assert_int_equal(node->children[1]->column, 3);
}

static void comments_stay_with_their_nodes(void **state)
{
    print("# of n\nparameter n // more\n\nmain = {  # body\n # before\n # loop\n seq (i = 1, n) { # behind\n a # of a\n"
          " // last\n }\n b; c; # of c\n }\n # end",
          "# of n\n# more\nparameter n\n\n# body\n# end\nmain = {\n  # before\n  # loop\n  # behind\n"
          "  seq (i = 1, n) {\n    # of a\n    # last\n    a;\n  }\n  b; c;  # of c\n}\n");
}

static void models_may_share_a_space(void **state)
{
    ExprSpace *space = expr_space_new(arena);
    PamelaModel *first, *second;
    Err err;
    assert_true(pamela_parse("a", "parameter n = 3\na = n x", space, arena, &first, &err));
    assert_true(pamela_parse("b", "parameter m = 3\nb = m x", space, arena, &second, &err));
    assert_ptr_equal(first->parameters[0].value, second->parameters[0].value);
}

static void what_is_wrong_is_named_with_place_and_expectation(void **state)
{
    refuse("", "a.pamela:1:1: expected a sub-model, such as `main = { … }`, found the end of the file");
    refuse("main = {\n a b }", "a.pamela:2:4: expected `;`, `||` or `}`, found `b`");
    refuse("main = {\n a;\n", "a.pamela:3:1: expected `}` for the `{` in line 1, found the end of the file");
    refuse("main = seq (i = 1 10) a", "a.pamela:1:19: expected `,`, found `10`");
    refuse("main = seq (i = 1, 10, 0) a", "a.pamela:1:24: the step is 0");
    refuse("main = if (a, 3/2) b", "a.pamela:1:15: expected a probability from 0 to 1, found 1.5");
    refuse("main = use(\"disk, 1)",
           "a.pamela:1:12: expected the name of a resource, found a quote that isn't closed on "
           "its line");
    refuse("main = 3 seq (i = 1, 2) a", "a.pamela:1:10: expected the name of an operation or of a sub-model after the "
                                        "count, found `seq`");
    refuse("main = { a; } \x01", "a.pamela:1:15: expected `parameter` or the name of a sub-model, found `\\x01`");
}

static void names_have_to_be_declared_once(void **state)
{
    refuse("main = 2*n a", "a.pamela:1:8: `n` is neither a parameter nor an index here");
    refuse("main = { seq (i = 1, 2) a; i*2 b }", "a.pamela:1:29: expected `;`, `||` or `}`, found `*`");
    refuse("main = -2 a", "a.pamela:1:8: a count is below 0");
    refuse("main = delay(3 - 5)", "a.pamela:1:14: a time in seconds is below 0");
    refuse("f(n) = a\nmain = delay(n)", "a.pamela:2:14: `n` is neither a parameter nor an index here");
    refuse("parameter n\nparameter n", "a.pamela:2:11: there is a parameter `n` already");
    refuse("a = x\na = y", "a.pamela:2:1: there is a sub-model `a` already");
    refuse("a(n, n) = x", "a.pamela:1:6: `a` has two parameters `n`");
}

static void calls_have_to_fit(void **state)
{
    refuse("main = f(1)", "a.pamela:1:8: there is no sub-model `f`");
    refuse("f(a, b) = x\nmain = f(1)", "a.pamela:2:8: `f` expects 2 arguments, found 1");
    refuse("f(a) = x\nmain = f", "a.pamela:2:8: `f` expects 1 argument, found 0");
}

static void recursion_is_named_as_a_chain(void **state)
{
    refuse("main = { a }\na = { x; b }\nb = { c; y }\nc = a", "a.pamela:4:5: recursion: a -> b -> c -> a");
}

static void refuse_repeated(const char *piece, size_t times, const char *message)
{
    Text text = {0};
    text_add(&text, "main = ");
    for (size_t i = 0; i < times; i++)
        text_add(&text, "%s", piece);
    refuse(text_take(&text, arena), message);
}

static void a_million_brackets_are_refused(void **state)
{
    refuse_repeated("{", 1000000, "a.pamela:1:1009: statements are nested more than 1000 deep");
    refuse_repeated("seq (i = 1, 2) ", 900, "a.pamela:1:1512: loops are nested more than 100 deep");
    refuse_repeated("if (a, 0) ", 2000, "a.pamela:1:10008: statements are nested more than 1000 deep");
    refuse_repeated("{} || ", 1000001, "a.pamela:1:6000008: the model has more than 1000000 nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(a_count_stands_before_its_operation),
        fixture_test(brackets_around_a_composition_make_no_sequence),
        fixture_test(a_submodel_may_be_a_composition),
        fixture_test(else_belongs_to_the_nearest_conditional),
        fixture_test(a_condition_is_any_text_up_to_the_last_comma),
        fixture_test(a_name_of_a_submodel_is_a_call_wherever_it_is_defined),
        fixture_test(nodes_keep_their_place),
        fixture_test(comments_stay_with_their_nodes),
        fixture_test(models_may_share_a_space),
        fixture_test(what_is_wrong_is_named_with_place_and_expectation),
        fixture_test(names_have_to_be_declared_once),
        fixture_test(calls_have_to_fit),
        fixture_test(recursion_is_named_as_a_chain),
        fixture_test(a_million_brackets_are_refused),
    };
    return cmocka_run_group_tests_name("pamela", tests, NULL, NULL);
}
