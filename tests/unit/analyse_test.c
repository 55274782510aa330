/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen on programs that are built here: features that only some languages have, and errors. */
#include "cost/source/analyse.h"
#include "unit/fixture.h"

#include <math.h>

#define EXPRESSION(...) (&(SourceExpression){.place = {"A.java", 3, 1}, __VA_ARGS__})
#define OPERANDS(...)                                                                                                  \
    .operands = (SourceExpression *const[]){__VA_ARGS__},                                                              \
    .n_operands = sizeof((SourceExpression *const[]){__VA_ARGS__}) / sizeof(SourceExpression *)
#define STATEMENT(...) (&(SourceStatement){.place = {"A.java", 2, 1}, __VA_ARGS__})
#define EXPRESSIONS(...)                                                                                               \
    .expressions = (SourceExpression *const[]){__VA_ARGS__},                                                           \
    .n_expressions = sizeof((SourceExpression *const[]){__VA_ARGS__}) / sizeof(SourceExpression *)
#define CHILDREN(...)                                                                                                  \
    .children = (SourceStatement *const[]){__VA_ARGS__},                                                               \
    .n_children = sizeof((SourceStatement *const[]){__VA_ARGS__}) / sizeof(SourceStatement *)
#define READ(of) EXPRESSION(.kind = SOURCE_VARIABLE, .type = (of)->type, .variable = (of))

static bool analyse(const char *name, SourceVariable *parameter, SourceStatement *body, Analysis **analysis, Err *err)
{
    const AnalysisOptions options = {0};
    SourceFunction *function = arena_alloc(arena, sizeof *function);
    SourceProgram *program = arena_alloc(arena, sizeof *program);
    SourceVariable **parameters = arena_new_array(arena, SourceVariable *, 1);
    parameters[0] = parameter;
    *function = (SourceFunction){
        .name = name, .place = {"A.java", 1, 1}, .n_parameters = 1, .parameters = parameters, .body = body};
    *program = (SourceProgram){.language = "java", .n_functions = 1, .functions = function};
    return analyse_task(program, "f", &options, expr_space_new(arena), arena, analysis, err);
}

static void assert_model(const char *name, SourceVariable *parameter, SourceStatement *body, const char *expected)
{
    Analysis *analysis;
    Err err = {0};
    if (!analyse(name, parameter, body, &analysis, &err))
        fail_msg("%s", err.message);
    assert_string_equal(pamela_text(analysis->model, arena), expected);
}

static void counts_elements_of_a_new_array(void **state)
{
    SourceVariable n = {.name = "n", .type = CPU_INT32, .value = NAN, .is_parameter = true};
    SourceVariable array = {.name = "array", .type = CPU_REFERENCE, .value = NAN};
    SourceVariable x = {.name = "x", .type = CPU_DOUBLE, .value = NAN};
    SourceExpression *made = EXPRESSION(.kind = SOURCE_NEW, .type = CPU_REFERENCE, OPERANDS(READ(&n)));
    SourceStatement *body =
        STATEMENT(.kind = SOURCE_BLOCK,
                  CHILDREN(STATEMENT(.kind = SOURCE_DECLARE, .variable = &array, EXPRESSIONS(made)),
                           STATEMENT(.kind = SOURCE_FOR_EACH, .variable = &x, EXPRESSIONS(READ(&array)),
                                     CHILDREN(STATEMENT(.kind = SOURCE_EXPRESSION, EXPRESSIONS(READ(&x)))))));
    assert_model("A.f", &n, body,
                 "A_f(n) = {  # A.java:1: A.f\n"
                 "  assign_int32; access_int32; allocate_reference; assign_reference; access_reference;\n"
                 "  field_int32; compare_int32;\n"
                 "  seq (i = 1, n) {  # A.java:2\n"
                 "    element_double; assign_double; access_double; sum_int32; compare_int32;\n"
                 "  }\n"
                 "}\n");
}

static void takes_a_parameters_value_for_the_length_of_its_array(void **state)
{
    SourceVariable array = {.name = "array", .type = CPU_REFERENCE, .value = NAN, .is_parameter = true};
    SourceVariable i = {.name = "i", .type = CPU_INT32, .value = NAN};
    SourceExpression *zero = EXPRESSION(.kind = SOURCE_NUMBER, .type = CPU_INT32, .value = 0);
    SourceExpression *length = EXPRESSION(.kind = SOURCE_LENGTH, .type = CPU_INT32, OPERANDS(READ(&array)));
    SourceExpression *less =
        EXPRESSION(.kind = SOURCE_BINARY, .type = CPU_INT32, .operator= "<", OPERANDS(READ(&i), length));
    SourceExpression *next =
        EXPRESSION(.kind = SOURCE_INCREMENT, .type = CPU_INT32, .operator= "++", OPERANDS(READ(&i)));
    SourceStatement *body =
        STATEMENT(.kind = SOURCE_FOR, EXPRESSIONS(less, next),
                  CHILDREN(STATEMENT(.kind = SOURCE_DECLARE, .variable = &i, EXPRESSIONS(zero)), NULL));
    assert_model("A.f", &array, body,
                 "A_f(array) = {  # A.java:1: A.f\n"
                 "  assign_reference; assign_int32; access_int32; access_reference; field_int32;\n"
                 "  compare_int32;\n"
                 "  seq (i = 1, array) {  # A.java:2\n"
                 "    2 access_int32; sum_int32; assign_int32; access_reference; field_int32; compare_int32;\n"
                 "  }\n"
                 "}\n");
}

static void knows_methods_of_math_and_random(void **state)
{
    SourceVariable x = {.name = "x", .type = CPU_DOUBLE, .value = NAN, .is_parameter = true};
    SourceExpression *root =
        EXPRESSION(.kind = SOURCE_CALL, .type = CPU_DOUBLE, .name = "Math.sqrt", OPERANDS(READ(&x)));
    SourceExpression *random = EXPRESSION(.kind = SOURCE_CALL, .type = CPU_INT32, .name = "generator.nextInt");
    SourceExpression *other = EXPRESSION(.kind = SOURCE_CALL, .type = CPU_INT32, .name = "System.nanoTime");
    SourceStatement *body =
        STATEMENT(.kind = SOURCE_BLOCK, CHILDREN(STATEMENT(.kind = SOURCE_EXPRESSION, EXPRESSIONS(root)),
                                                 STATEMENT(.kind = SOURCE_EXPRESSION, EXPRESSIONS(random)),
                                                 STATEMENT(.kind = SOURCE_EXPRESSION, EXPRESSIONS(other))));
    assert_model("A.f", &x, body,
                 "parameter cost_System_nanoTime at \"A.java:3\"  # seconds of a call of System.nanoTime, whose source "
                 "isn't available\n\n"
                 "A_f(x) = {  # A.java:1: A.f\n"
                 "  assign_double; access_double; sqrt_double; random_int32; cost_System_nanoTime;\n"
                 "}\n");
}

static void counts_calls_of_a_recursion_without_an_end_by_a_parameter(void **state)
{
    SourceVariable n = {.name = "n", .type = CPU_INT32, .value = NAN, .is_parameter = true};
    SourceExpression *again = EXPRESSION(.kind = SOURCE_CALL, .type = CPU_INT32, .name = "A.f", OPERANDS(READ(&n)));
    assert_model(
        "A.f", &n, STATEMENT(.kind = SOURCE_EXPRESSION, EXPRESSIONS(again)),
        "parameter calls_A_1 at \"A.java:1\"  # mean number of calls of A.f, with its own calls, each time it is "
        "called from elsewhere\n\n"
        "A_f_once = {  # A.java:1: A.f\n"
        "  assign_int32; access_int32; call_int32; return_int32;\n"
        "}\n\n"
        "A_f(n) = {  # A.java:1: A.f\n"
        "  calls_A_1 A_f_once();\n"
        "}\n");
}

static void says_which_entry_is_missing(void **state)
{
    SourceVariable n = {.name = "n", .type = CPU_INT32, .value = NAN, .is_parameter = true};
    Analysis *analysis = NULL;
    Err err = {0};
    assert_false(analyse("A.g", &n, STATEMENT(.kind = SOURCE_BLOCK), &analysis, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err.message, "the source has no function `f` with a body");
}

int main(void)
{
#define TEST(name) fixture_test(name)
    const struct CMUnitTest tests[] = {
        TEST(counts_elements_of_a_new_array),   TEST(takes_a_parameters_value_for_the_length_of_its_array),
        TEST(knows_methods_of_math_and_random), TEST(counts_calls_of_a_recursion_without_an_end_by_a_parameter),
        TEST(says_which_entry_is_missing),
    };
    return cmocka_run_group_tests_name("analyse", tests, NULL, NULL);
}
