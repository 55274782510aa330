/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of sources. X.c.expected and X.java.expected hold the models and findings of each function
 * in tests/golden/amgen/X.c and X.java as the entry. FIRMA_GOLDEN is the folder. If GOLDEN_WRITE is
 * set, the test writes the expected texts anew. */
#include "base/files.h"
#include "base/text.h"
#include "cost/source/analyse.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Prints a model, and checks that the text reads as the same model. */
static const char *model_text(const PamelaModel *model, Arena *arena)
{
    const char *text = pamela_text(model, arena);
    PamelaModel *again;
    Err err = {0};
    if (!pamela_parse("model", text, NULL, arena, &again, &err))
        fail_msg("%s\n%s", err.message, text);
    assert_string_equal(pamela_text(again, arena), text);
    return text;
}

static void add_entry(Text *shown, const SourceProgram *program, const char *entry, bool for_context, Arena *arena)
{
    const AnalysisOptions options = {.for_context = for_context};
    Analysis *analysis;
    Err err = {0};
    if (!analyse_task(program, entry, &options, expr_space_new(arena), arena, &analysis, &err))
        fail_msg("%s: %s", entry, err.message);
    text_add(shown, "==== %s\n%s", entry, model_text(analysis->model, arena));
    for (size_t i = 0; i < analysis->n_findings; i++) {
        const AnalysisFinding *finding = &analysis->findings[i];
        text_add(shown, "%u: %s: %s\n", finding->place.line, finding->parameter ? finding->parameter : "-",
                 finding->message);
    }
}

static void compare(const char *name)
{
    Arena *arena = arena_new();
    const char *path = arena_printf(arena, "%s/%s", getenv("FIRMA_GOLDEN"), name), *expected;
    const char *expected_path = arena_printf(arena, "%s.expected", path);
    SourceOptions options = {.file = path, .options = strcmp(name, "threads.c") == 0 ? "-fopenmp" : ""};
    SourceProgram *program;
    Text shown = {0};
    Err err = {0};
    bool is_java = files_has_suffix(name, ".java");
    if (!(is_java ? source_read_java : source_read_c)(&options, arena, &program, &err)) {
        if (err.kind != ERR_ENVIRONMENT)
            fail_msg("%s", err.message);
        print_message("# %s: skipped: %s\n", name, err.message); /* Meson takes cmocka's skip() for a failure */
        arena_free(arena);
        return;
    }
    for (size_t i = 0; i < program->n_functions; i++)
        add_entry(&shown, program, program->functions[i].name, strncmp(name, "context.", strlen("context.")) == 0,
                  arena);
    const char *text = text_take(&shown, arena);
    if (getenv("GOLDEN_WRITE"))
        assert_true(files_save_text(expected_path, text, &err));
    assert_true(files_load_text(expected_path, arena, &expected, &err));
    assert_string_equal(text, expected);
    arena_free(arena);
}

static void counts_operations_by_the_type_they_are_computed_in(void **state)
{
    compare("operations.c");
}

static void models_the_papers_figure_2(void **state)
{
    compare("figure2.c");
}

static void models_the_papers_figure_2_in_java(void **state)
{
    compare("figure2.java");
}

static void sees_counts_of_loops_in_the_parameters(void **state)
{
    compare("counted.c");
}

static void names_what_it_cannot_see(void **state)
{
    compare("unknown.c");
}

static void gives_conditionals_a_probability(void **state)
{
    compare("conditionals.c");
}

static void assumes_cases_where_data_tell_the_parameter(void **state)
{
    compare("decided.c");
}

static void asks_for_iterations_where_those_of_a_mean_are_not_the_mean(void **state)
{
    compare("means.c");
}

static void computes_sizes_of_arrays_that_the_program_computes(void **state)
{
    compare("sizes.c");
}

static void takes_guards_as_not_taken(void **state)
{
    compare("guards.c");
}

static void takes_guards_as_not_taken_in_java(void **state)
{
    compare("guards.java");
}

static void makes_called_functions_sub_models(void **state)
{
    compare("calls.c");
}

static void closes_recursions(void **state)
{
    compare("recursion.c");
}

static void follows_sizes_through_fields(void **state)
{
    compare("fields.c");
}

static void follows_lengths_in_java(void **state)
{
    compare("lengths.java");
}

static void prices_functions_of_the_library(void **state)
{
    compare("library.c");
}

static void prices_methods_of_the_library_in_java(void **state)
{
    compare("library.java");
}

static void finds_the_targets_of_pointers(void **state)
{
    compare("pointers.c");
}

static void finds_the_methods_of_interfaces(void **state)
{
    compare("interfaces.java");
}

static void models_overloads_and_objects_in_java(void **state)
{
    compare("overloads.java");
}

static void divides_loops_among_threads(void **state)
{
    compare("threads.c");
}

static void also_counts_what_compiled_code_depends_on(void **state)
{
    compare("context.c");
}

static void also_counts_what_compiled_java_depends_on(void **state)
{
    compare("context.java");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_operations_by_the_type_they_are_computed_in),
        cmocka_unit_test(models_the_papers_figure_2),
        cmocka_unit_test(models_the_papers_figure_2_in_java),
        cmocka_unit_test(sees_counts_of_loops_in_the_parameters),
        cmocka_unit_test(names_what_it_cannot_see),
        cmocka_unit_test(gives_conditionals_a_probability),
        cmocka_unit_test(assumes_cases_where_data_tell_the_parameter),
        cmocka_unit_test(asks_for_iterations_where_those_of_a_mean_are_not_the_mean),
        cmocka_unit_test(computes_sizes_of_arrays_that_the_program_computes),
        cmocka_unit_test(takes_guards_as_not_taken),
        cmocka_unit_test(takes_guards_as_not_taken_in_java),
        cmocka_unit_test(makes_called_functions_sub_models),
        cmocka_unit_test(closes_recursions),
        cmocka_unit_test(follows_sizes_through_fields),
        cmocka_unit_test(follows_lengths_in_java),
        cmocka_unit_test(prices_functions_of_the_library),
        cmocka_unit_test(prices_methods_of_the_library_in_java),
        cmocka_unit_test(finds_the_targets_of_pointers),
        cmocka_unit_test(finds_the_methods_of_interfaces),
        cmocka_unit_test(models_overloads_and_objects_in_java),
        cmocka_unit_test(divides_loops_among_threads),
        cmocka_unit_test(also_counts_what_compiled_code_depends_on),
        cmocka_unit_test(also_counts_what_compiled_java_depends_on),
    };
    return cmocka_run_group_tests_name("amgen", tests, NULL, NULL);
}
