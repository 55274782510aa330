/* SPDX-License-Identifier: BSD-3-Clause */
/* The Java front end: its output for each construct (tests/data/source/java/X.java and X.txt), and
 * its errors for bad input. If GOLDEN_WRITE is set, the test writes the texts anew. */
#include "base/files.h"
#include "source/program_text.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Arena *arena;
static Err err;
static char folder[sizeof "/tmp/firma-java-XXXXXX"];

static int set_up(void **state)
{
    arena = arena_new();
    err = (Err){0};
    strcpy(folder, "/tmp/firma-java-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    files_remove_tree(folder);
    arena_free(arena);
    return 0;
}

static bool read_source(const char *file, const char *options, SourceProgram **program)
{
    SourceOptions source = {.file = file, .options = options};
    return source_read_java(&source, arena, program, &err);
}

static void compare_with_golden(const char *name)
{
    const char *data = arena_printf(arena, "%s/source/java/%s", getenv("TEST_DATA"), name), *expected;
    const char *expected_path = arena_printf(arena, "%s.txt", data);
    SourceProgram *program;
    if (!read_source(arena_printf(arena, "%s.java", data), "", &program))
        fail_msg("%s", err.message);
    const char *text = program_text(program, arena);
    if (getenv("GOLDEN_WRITE"))
        assert_true(files_save_text(expected_path, text, &err));
    if (!files_load_text(expected_path, arena, &expected, &err))
        fail_msg("%s", err.message);
    assert_string_equal(text, expected);
}

static const char *write_source(const char *name, const char *text)
{
    const char *path = arena_printf(arena, "%s/%s.java", folder, name);
    assert_true(files_save_text(path, text, &err));
    return path;
}

static bool read_text(const char *text, SourceProgram **program)
{
    return read_source(write_source("Task", text), "", program);
}

static void reads_operators_and_conversions(void **state)
{
    compare_with_golden("Operators");
}

static void reads_statements(void **state)
{
    compare_with_golden("Statements");
}

static void reads_classes_arrays_and_calls(void **state)
{
    compare_with_golden("Objects");
}

static void keeps_what_it_does_not_understand(void **state)
{
    compare_with_golden("Strange");
}

static void names_the_place_of_an_error(void **state)
{
    SourceProgram *program;
    assert_false(read_text("class Task {\n    int f() {\n        return 1 +* 2;\n    }\n}\n", &program));
    assert_error(err, ERR_INPUT, "Task.java:3:19: illegal start of expression");
}

static void says_what_javac_expects(void **state)
{
    SourceProgram *program;
    assert_false(read_text("class Task {\n    int f() {\n        return 1\n    }\n}\n", &program));
    assert_error(err, ERR_INPUT, "Task.java:3:17: ';' expected");
}

static void refuses_statements_outside_of_classes(void **state)
{
    SourceProgram *program;
    assert_false(read_text("class Task {}\n\nint f() { return 1; }\n", &program));
    assert_error(err, ERR_INPUT, "Task.java:3:1: class, interface, enum, or record expected");
}

static void says_that_a_file_is_not_there(void **state)
{
    SourceProgram *program;
    assert_false(read_source("/nowhere/Pi.java", "", &program));
    assert_error(err, ERR_INPUT, "/nowhere/Pi.java");
}

static void refuses_nesting_that_has_no_end(void **state)
{
    enum { DEPTH = 100000 };
    SourceProgram *program;
    char *text = arena_alloc(arena, 2 * DEPTH + 64), *at = text + sprintf(text, "class Task { int f = ");
    memset(at, '(', DEPTH);
    at[DEPTH] = '1';
    memset(at + DEPTH + 1, ')', DEPTH);
    strcpy(at + 2 * DEPTH + 1, "; }\n");
    assert_false(read_text(text, &program));
    assert_error(err, ERR_INPUT, "nested deeper than");
}

static void refuses_classes_that_extend_themselves(void **state)
{
    SourceProgram *program;
    assert_false(read_text("class A extends B { int f() { return g() + x; } }\n"
                           "class B extends A { int h(A a, B b) { return a.f() + b.f() + new B().z; } }\n",
                           &program));
    assert_error(err, ERR_INPUT, "Task.java:1:1: cyclic inheritance involving A");
}

static void refuses_a_name_that_nothing_declares(void **state)
{
    SourceProgram *program;
    assert_false(read_text("class Task {\n    int f(int n) {\n        return m + n + k;\n    }\n}\n", &program));
    assert_error(err, ERR_INPUT, "Task.java:3:16: cannot find symbol; symbol: variable m; location: class Task");
    assert_non_null(strstr(err.hint, "1 more error follows"));
}

static void compiles_itself_where_the_build_had_no_such_jdk(void **state)
{
    SourceProgram *program;
    const char *built = arena_strdup(arena, getenv("FIRMA_LIBDIR"));
    const char *copy = arena_printf(arena, "mkdir %s/java && cp %s/java/*.java %s/java", folder, built, folder);
    assert_int_equal(system(copy), 0);
    assert_int_equal(setenv("FIRMA_LIBDIR", folder, 1), 0);
    bool is_read = read_text("class Task { int f() { return 1; } }\n", &program);
    assert_int_equal(setenv("FIRMA_LIBDIR", built, 1), 0);
    assert_true(is_read);
    assert_non_null(source_find(program, "f"));
}

static void says_that_a_jdk_is_missing(void **state)
{
    SourceProgram *program;
    const char *path = arena_strdup(arena, getenv("PATH"));
    assert_int_equal(setenv("PATH", folder, 1), 0);
    bool is_read = read_text("class Task {}\n", &program);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_false(is_read);
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(err.hint, "install a JDK"));
}

static void reads_classes_on_the_class_path(void **state)
{
    SourceProgram *program;
    write_source("Other", "class Other { static long f(int n) { return n; } }\n");
    char path[] = "/tmp/firma-java-task-XXXXXX.java", *command = arena_printf(arena, "-g -cp /nowhere:%s", folder);
    int file = mkstemps(path, 5);
    const char *text = "class Task { long g() { return Other.f(3); } }\n";
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    bool is_read = read_source(path, command, &program);
    unlink(path);
    assert_true(is_read);
    assert_int_equal(program->n_functions, 2);
    assert_non_null(source_find(program, "Other.f"));
}

static void names_the_place_of_an_error_in_a_class_beside_it(void **state)
{
    SourceProgram *program;
    write_source("Other", "class Other { static long f( }\n");
    assert_false(read_text("class Task { long g() { return Other.f(3); } }\n", &program));
    assert_error(err, ERR_INPUT, "Other.java:1:30: illegal start of type");
}

static void refuses_options_that_end_in_a_backslash(void **state)
{
    SourceProgram *program;
    assert_false(read_source(write_source("Task", "class Task {}\n"), "-cp \\", &program));
    assert_error(err, ERR_INPUT, "compiler options \"-cp \\\"");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reads_operators_and_conversions),
        TEST(reads_statements),
        TEST(reads_classes_arrays_and_calls),
        TEST(keeps_what_it_does_not_understand),
        TEST(names_the_place_of_an_error),
        TEST(says_what_javac_expects),
        TEST(refuses_statements_outside_of_classes),
        TEST(says_that_a_file_is_not_there),
        TEST(refuses_nesting_that_has_no_end),
        TEST(refuses_classes_that_extend_themselves),
        TEST(refuses_a_name_that_nothing_declares),
        TEST(compiles_itself_where_the_build_had_no_such_jdk),
        TEST(says_that_a_jdk_is_missing),
        TEST(reads_classes_on_the_class_path),
        TEST(names_the_place_of_an_error_in_a_class_beside_it),
        TEST(refuses_options_that_end_in_a_backslash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
