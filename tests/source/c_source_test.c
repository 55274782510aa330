/* SPDX-License-Identifier: BSD-3-Clause */
/* The C front end: its output for each construct (tests/data/source/X.c and X.txt), and its errors
 * for bad input. */
#include "base/files.h"
#include "base/text.h"
#include "source/program_text.h"
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Arena *arena;
static Err err;

static int set_up(void **state)
{
    arena = arena_new();
    err = (Err){0};
    return 0;
}

static int tear_down(void **state)
{
    arena_free(arena);
    return 0;
}

static bool read_source(const char *file, const char *options, SourceProgram **program)
{
    SourceOptions source = {.file = file, .options = options};
    return source_read_c(&source, arena, program, &err);
}

static const char *data(const char *name)
{
    return arena_printf(arena, "%s/source/%s", getenv("TEST_DATA"), name);
}

static void compare_with_golden(const char *name, const char *options)
{
    SourceProgram *program;
    const char *expected, *expected_path = data(arena_printf(arena, "%s.txt", name));
    if (!read_source(data(arena_printf(arena, "%s.c", name)), options, &program))
        fail_msg("%s", err.message);
    const char *text = program_text(program, arena);
    if (getenv("GOLDEN_WRITE"))
        assert_true(files_save_text(expected_path, text, &err));
    if (!files_load_text(expected_path, arena, &expected, &err))
        fail_msg("%s", err.message);
    assert_string_equal(text, expected);
}

/* Reads a source with this text, from a temporary file. */
static bool read_text(const char *text, const char *options, SourceProgram **program)
{
    char path[] = "/tmp/firma-source-XXXXXX.c";
    int file = mkstemps(path, 2);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    bool is_read = read_source(path, options, program);
    unlink(path);
    return is_read;
}

static void reads_operators_and_conversions(void **state)
{
    compare_with_golden("operators", "");
}

static void reads_statements(void **state)
{
    compare_with_golden("statements", "");
}

static void reads_structures_arrays_and_initial_values(void **state)
{
    compare_with_golden("data", "");
}

static void reads_calls(void **state)
{
    compare_with_golden("calls", "");
}

static void keeps_what_it_does_not_understand(void **state)
{
    compare_with_golden("strange", "");
}

static void sees_what_macros_stand_for(void **state)
{
    if (SEES_OPERATORS)
        compare_with_golden("macros", "");
    else /* Meson takes cmocka's skip() for a failure */
        print_message("# sees_what_macros_stand_for: skipped, for libclang is older than 17\n");
}

static void reads_functions_of_included_files(void **state)
{
    compare_with_golden("includes", "-DSCALE='3 + 4'");
}

static void names_the_place_of_an_error(void **state)
{
    SourceProgram *program;
    assert_false(read_text("int f(void)\n{\n    return missing;\n}\n", "", &program));
    assert_error(err, ERR_INPUT, ".c:3:12: use of undeclared identifier 'missing'");
}

static void counts_the_errors_that_it_does_not_name(void **state)
{
    SourceProgram *program;
    assert_false(read_text("int f(void) { return a + b + c; }\n", "", &program));
    assert_non_null(strstr(err.hint, "2 more errors follow"));
}

static void does_not_mind_warnings(void **state)
{
    SourceProgram *program;
    assert_true(read_text("int f(int n) { int *p = 5; n == 3; }\n", "-Wall -Wno-int-conversion", &program));
    assert_int_equal(program->n_functions, 1);
}

static void says_that_a_file_is_not_there(void **state)
{
    SourceProgram *program;
    assert_false(read_source("/nowhere/pi.c", "", &program));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err.message, "/nowhere/pi.c: No such file or directory");
}

static void says_that_an_include_is_not_there(void **state)
{
    SourceProgram *program;
    assert_false(read_text("\n#include \"nowhere.h\"\n", "", &program));
    assert_error(err, ERR_INPUT, ".c:2:10: 'nowhere.h' file not found");
}

static void refuses_options_that_end_in_a_backslash(void **state)
{
    SourceProgram *program;
    assert_false(read_source(data("header.h"), "-DA=\\", &program));
    assert_error(err, ERR_INPUT, "compiler options \"-DA=\\\"");
}

static void names_the_package_of_missing_own_headers(void **state)
{
    SourceProgram *program;
    assert_false(read_text("#include <stddef.h>\n", "-resource-dir=/nowhere -nostdinc", &program));
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(err.hint, "libclang-common-"));
}

static void reads_whole_programs(void **state)
{
    const char *folder = getenv("TEST_PROGRAMS"), *options = getenv("TEST_PROGRAMS_OPTIONS");
    DIR *directory = opendir(folder);
    size_t n_read = 0;
    assert_non_null(directory);
    if (!*options)
        print_message("# reads_whole_programs: skipped, for there is no MPI\n");
    for (const struct dirent *entry; *options && (entry = readdir(directory));) {
        SourceProgram *program;
        if (!files_has_suffix(entry->d_name, ".c"))
            continue;
        if (!read_source(arena_printf(arena, "%s/%s", folder, entry->d_name), options, &program))
            fail_msg("%s", err.message);
        assert_non_null(source_find(program, "main"));
        n_read++;
    }
    closedir(directory);
    assert_true(n_read > 10 || !*options);
}

static void reads_directives_of_openmp_if_the_options_turn_them_on(void **state)
{
    SourceProgram *program;
    const char *source = "void f(int n, double *a)\n{\n#pragma omp parallel for num_threads(3)\n"
                         "    for (int i = 0; i < n; i++)\n        a[i] = 0;\n#pragma omp task\n    a[0] = 1;\n}\n";
    assert_true(read_text(source, "-fopenmp", &program));
    const SourceStatement *loop = program->functions[0].body->children[0];
    assert_int_equal(loop->kind, SOURCE_FOR);
    assert_true(loop->team && loop->team->starts && loop->team->shares);
    assert_int_equal(loop->team->n_threads, 3);
    assert_int_equal(program->n_notes, 1);
    assert_int_equal(program->notes[0].place.line, 6);
    assert_true(read_text(source, "", &program));
    assert_null(program->functions[0].body->children[0]->team);
    assert_int_equal(program->n_notes, 2);
}

static void strange_directives_do_no_harm(void **state)
{
    static const char *const strange[] = {"parallel for num_threads",
                                          "parallel for num_threads(",
                                          "parallel for num_threads(-1)",
                                          "parallel for num_threads(2",
                                          "(",
                                          "",
                                          "for schedule(static,(1)",
                                          "parallel for\\\n"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        SourceProgram *program;
        const char *source = arena_printf(
            arena,
            "void f(int n, double *a)\n{\n#pragma omp %s\n    for (int i = 0; i < n; i++)\n        a[i] = 0;\n}\n#pragma omp %s",
            strange[i], strange[i]);
        assert_true(read_text(source, "-fopenmp", &program));
        const SourceTeam *team = program->functions[0].body->children[0]->team;
        assert_true(!team || team->n_threads <= 2);
    }
}

static void takes_a_variable_for_changed_that_assembler_code_names(void **state)
{
    SourceProgram *program;
    assert_true(read_text("int f(int n)\n{\n    __asm__(\"\" : \"+r\"(n));\n    return n;\n}\n", "", &program));
    assert_false(program->functions[0].parameters[0]->is_constant);
}

static void does_not_go_too_deep(void **state)
{
    SourceProgram *program;
    Text source = {0};
    text_add(&source, "int f(int n)\n{\n    return n");
    for (size_t i = 0; i < 5000; i++)
        text_add(&source, " + n");
    text_add(&source, ";\n}\n");
    assert_true(read_text(text_take(&source, arena), "", &program));
    assert_non_null(strstr(program_text(program, arena), "unknown"));
}

static void finds_a_function_by_its_unique_last_part(void **state)
{
    const SourceFunction functions[] = {{.name = "Pi.count"}, {.name = "Pi.run"}, {.name = "Primes.run"}};
    const SourceProgram program = {.n_functions = 3, .functions = functions};
    assert_ptr_equal(source_find(&program, "count"), &functions[0]);
    assert_ptr_equal(source_find(&program, "Primes.run"), &functions[2]);
    assert_null(source_find(&program, "run"));
    assert_null(source_find(&program, "ount"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reads_operators_and_conversions),
        TEST(reads_statements),
        TEST(reads_structures_arrays_and_initial_values),
        TEST(reads_calls),
        TEST(keeps_what_it_does_not_understand),
        TEST(sees_what_macros_stand_for),
        TEST(reads_functions_of_included_files),
        TEST(names_the_place_of_an_error),
        TEST(counts_the_errors_that_it_does_not_name),
        TEST(does_not_mind_warnings),
        TEST(says_that_a_file_is_not_there),
        TEST(says_that_an_include_is_not_there),
        TEST(refuses_options_that_end_in_a_backslash),
        TEST(names_the_package_of_missing_own_headers),
        TEST(reads_whole_programs),
        TEST(reads_directives_of_openmp_if_the_options_turn_them_on),
        TEST(strange_directives_do_no_harm),
        TEST(takes_a_variable_for_changed_that_assembler_code_names),
        TEST(does_not_go_too_deep),
        TEST(finds_a_function_by_its_unique_last_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
