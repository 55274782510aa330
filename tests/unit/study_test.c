/* SPDX-License-Identifier: BSD-3-Clause */
/* Studies of scaling: the runs and their order, the words of their commands, and the file from
 * which a study resumes. */
#include "scaling/study.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const uint64_t sizes[] = {10, 20}, processes[] = {1, 4};
static char *words[] = {"mpirun", "-n", "{processes}", "./app", "--size={size}x{size}", NULL};
static char path[] = "/tmp/firma-study-XXXXXX";

static Study make(char *const *command, uint32_t n_sizes, uint32_t repeats, Arena *arena)
{
    Err err = {0};
    Study study;
    if (!study_make(command, "wall", n_sizes, sizes, 2, processes, repeats, arena, &study, &err))
        fail_msg("%s", err.message);
    return study;
}

static int make_file(void **state)
{
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_file(void **state)
{
    return unlink(path);
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static const char *read_text(Arena *arena)
{
    char *text = arena_alloc(arena, 4096);
    FILE *file = fopen(path, "r");
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
    return text;
}

static void rounds_go_there_and_back(void **state)
{
    static const uint32_t expected[] = {0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3};
    Arena *arena = arena_new();
    Study study = make(words, 2, 3, arena);
    uint32_t point;
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(study_left(&study), 12 - i);
        assert_true(study_next(&study, &point));
        assert_int_equal(point, expected[i]);
        study.points[point].n_done++;
    }
    assert_false(study_next(&study, &point));
    arena_free(arena);
}

static void a_point_that_fails_is_given_up(void **state)
{
    Arena *arena = arena_new();
    Study study = make(words, 2, 5, arena);
    uint32_t point, tried = 0;
    while (study_next(&study, &point)) {
        tried += point == 2;
        if (point == 2)
            study.points[point].n_failed++;
        else
            study.points[point].n_done++;
    }
    assert_int_equal(tried, STUDY_FAILURES);
    assert_int_equal(study.points[0].n_done, 5);
    arena_free(arena);
}

static void places_are_filled_in_wherever_they_stand(void **state)
{
    Arena *arena = arena_new();
    const Study study = make(words, 2, 1, arena);
    char **command = study_command(&study, &study.points[3], arena);
    assert_string_equal(command[2], "4");
    assert_string_equal(command[4], "--size=20x20");
    assert_null(command[5]);
    arena_free(arena);
}

static void commands_have_to_have_the_places_that_vary(void **state)
{
    static char *no_np[] = {"app", "{size}", NULL}, *no_n[] = {"app", "{processes}", NULL};
    Arena *arena = arena_new();
    Study study;
    Err err = {0};
    assert_false(study_make(no_np, "wall", 2, sizes, 2, processes, 1, arena, &study, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_false(study_make(no_n, "wall", 2, sizes, 2, processes, 1, arena, &study, &err));
    assert_false(study_make(words, "wall", 0, NULL, 2, processes, 1, arena, &study, &err));
    arena_free(arena);
}

static StudyFile *open_study(Study *study, bool *was_cut_off, Arena *arena)
{
    Err err = {0};
    StudyFile *file;
    if (!study_open(path, "test", study, arena, &file, was_cut_off, &err))
        fail_msg("%s", err.message);
    return file;
}

static void what_stands_in_the_file_is_not_run_again(void **state)
{
    static char *quoted[] = {"sh", "-c", "echo \"{processes}\", {size}", NULL};
    Arena *arena = arena_new();
    bool was_cut_off;
    Err err = {0};
    write_text("");
    Study study = make(quoted, 2, 2, arena);
    StudyFile *file = open_study(&study, &was_cut_off, arena);
    assert_true(study_add(file, &study, 3, 0.25, 1.5, &err));
    assert_true(study_add(file, &study, 3, 0.5, 1, &err));
    assert_true(study_add(file, &study, 0, 1, 1, &err));
    study_close(file);
    Study again = make(quoted, 2, 2, arena);
    study_close(open_study(&again, &was_cut_off, arena));
    assert_false(was_cut_off);
    assert_int_equal(again.points[3].n_done, 2);
    assert_int_equal(again.points[0].n_done, 1);
    assert_int_equal(study_left(&again), 8 - 3);
    assert_string_equal(read_text(arena), "n,p,time,slowdown,clock,command\n"
                                          "20,4,0.25,1.5,wall,\"sh -c echo \"\"{processes}\"\", {size}\"\n"
                                          "20,4,0.5,1,wall,\"sh -c echo \"\"{processes}\"\", {size}\"\n"
                                          "10,1,1,1,wall,\"sh -c echo \"\"{processes}\"\", {size}\"\n");
    arena_free(arena);
}

static void lines_of_points_that_are_measured_anew_are_removed(void **state)
{
    static const char first[] = "p,time,slowdown,clock,command\n", old[] = "1,2,1,wall,other\n4,1,1,wall,other\n",
                      other[] = "2,2,1,wall,\"app {processes}\"\n";
    static char *command[] = {"app", "{processes}", NULL};
    Arena *arena = arena_new();
    bool was_cut_off;
    Err err = {0};
    Study study;
    write_text(arena_printf(arena, "%s%s%s", first, old, other));
    assert_true(study_make(command, "wall", 0, NULL, 2, processes, 1, arena, &study, &err));
    study.replaces = true;
    study_close(open_study(&study, &was_cut_off, arena));
    assert_string_equal(read_text(arena), arena_printf(arena, "%s%s", first, other));
    assert_int_equal(study_left(&study), 2);
    arena_free(arena);
}

static void a_line_that_is_cut_off_is_taken_away(void **state)
{
    static const char *const beginnings[] = {"n,p,ti", "n,p,time,slowdown,clock,command\n",
                                             "n,p,time,slowdown,clock,command\n10,1,0.2"};
    static const bool are_cut_off[] = {true, false, true};
    for (size_t i = 0; i < 3; i++) {
        Arena *arena = arena_new();
        bool was_cut_off;
        write_text(beginnings[i]);
        Study study = make(words, 2, 1, arena);
        study_close(open_study(&study, &was_cut_off, arena));
        assert_int_equal(was_cut_off, are_cut_off[i]);
        assert_string_equal(read_text(arena), "n,p,time,slowdown,clock,command\n");
        assert_int_equal(study_left(&study), 4);
        arena_free(arena);
    }
}

static void files_of_other_studies_are_refused_and_left_alone(void **state)
{
    static const char *const texts[] = {
        "p,time\n1,2\n", "n,p,time,slowdown,clock,command\n10,1,2,1,wall,other\n",
        "n,p,time,slowdown,clock,command\n10,1,2,1,application,\"mpirun -n {processes} ./app --size={size}x{size}\"\n",
        "garbage"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_new();
        bool was_cut_off;
        Err err = {0};
        StudyFile *file;
        write_text(texts[i]);
        Study study = make(words, 2, 1, arena);
        assert_false(study_open(path, "test", &study, arena, &file, &was_cut_off, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        assert_string_equal(read_text(arena), texts[i]);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_go_there_and_back),
        cmocka_unit_test(a_point_that_fails_is_given_up),
        cmocka_unit_test(places_are_filled_in_wherever_they_stand),
        cmocka_unit_test(commands_have_to_have_the_places_that_vary),
        cmocka_unit_test(what_stands_in_the_file_is_not_run_again),
        cmocka_unit_test(lines_of_points_that_are_measured_anew_are_removed),
        cmocka_unit_test(a_line_that_is_cut_off_is_taken_away),
        cmocka_unit_test(files_of_other_studies_are_refused_and_left_alone),
    };
    return cmocka_run_group_tests_name("studies", tests, make_file, remove_file);
}
