/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of PVM tasks (trace/tasks.h), by files as the recorder writes them. */
#include "test.h"
#include "trace/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"

static char directory[] = "/tmp/firma-tasks-XXXXXX";

/* A task that enrolled at this time, with the tasks that it spawned, n of them. */
static void write_task(int32_t task, int32_t parent, int64_t enter_ns, const int32_t *spawned, size_t n)
{
    static ProcessFile process;
    char path[256];
    process = (ProcessFile){.version = SEGMENT_VERSION,
                            .flavour = MPI_FLAVOUR_PVM,
                            .task = task,
                            .parent = parent,
                            .init_enter_ns = enter_ns};
    memcpy(process.magic, PROCESS_MAGIC, sizeof process.magic);
    snprintf(path, sizeof path, "%s/host-%d.process", directory, task);
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(&process, sizeof process, 1, file), 1);
    fclose(file);
    snprintf(path, sizeof path, "%s/host-%d.tasks", directory, task);
    file = n ? fopen(path, "wb") : NULL;
    for (size_t i = 0; i < n; i++) {
        const TaskRecord record = {.time_ns = enter_ns + 100, .task = spawned[i]};
        assert_int_equal(fwrite(&record, sizeof record, 1, file), 1);
    }
    if (file)
        fclose(file);
}

static int make_directory(void **state)
{
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    return files_remove_tree(directory) ? 0 : -1;
}

static void ranks_follow_the_order_of_spawning(void **state)
{
    Arena *arena = arena_new();
    write_task(7, -23, 50, (const int32_t[]){30, 10, 20}, 3); /* 20 leaves no record */
    write_task(10, 7, 60, (const int32_t[]){5}, 1);           /* spawned before its parent's pvm_spawn returned */
    write_task(30, 7, 70, NULL, 0);
    write_task(5, 10, 65, NULL, 0);
    const Tasks tasks = tasks_load(directory, true, arena);
    const int32_t by_rank[] = {7, 30, 10, 20, 5};
    assert_int_equal(tasks.n, 5);
    for (int32_t rank = 0; rank < 5; rank++)
        assert_int_equal(tasks_rank(&tasks, by_rank[rank]), rank);
    assert_int_equal(tasks_rank(&tasks, 8), -1);
    arena_free(arena);
}

static void a_task_has_no_rank_before_its_parent_lists_it(void **state)
{
    Arena *arena = arena_new();
    write_task(7, -23, 50, NULL, 0);
    write_task(10, 7, 60, NULL, 0);
    Tasks tasks = tasks_load(directory, false, arena);
    assert_int_equal(tasks.n, 1);
    assert_int_equal(tasks_rank(&tasks, 10), -1);
    tasks = tasks_load(directory, true, arena);
    assert_int_equal(tasks_rank(&tasks, 10), 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranks_follow_the_order_of_spawning, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_task_has_no_rank_before_its_parent_lists_it, make_directory,
                                        remove_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
