/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.h as a command, for tests and benchmarks. Errors go to stderr, with firma's exit
 * status:
 *
 *     checkpointing words DIRECTORY                                 prints the words before the launcher, one a line
 *     checkpointing save LAUNCHER STATE run|end DIRECTORY PATH...   prints seconds, bytes of images, bytes of files
 *     checkpointing take STATE PATH DESTINATION
 *     checkpointing restore STATE [SOURCE=TARGET | cpus=LIST,...]... exits with the launcher's status
 *
 * `restore` prints "restored PID SECONDS" before it waits. "cpus=0/1" binds rank 0 to CPU 0 and
 * rank 1 to CPU 1. "limit=SECONDS" ends the job after this time. BACK_END in the environment is the
 * name of the back end; by default the best one that is installed. */
#include "base/err.h"
#include "signature/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_LIMIT = 64 };

static int complain(const Err *err)
{
    fprintf(stderr, "%s\n", err->message);
    if (err->hint[0])
        fprintf(stderr, "  hint: %s\n", err->hint);
    return err->kind;
}

static int save(const CheckpointTool *tool, int n, char **words, Arena *arena)
{
    Err err = {0};
    CheckpointCost cost;
    CheckpointSave what = {.launcher = atoi(words[0]),
                           .state = words[1],
                           .leave_running = strcmp(words[2], "run") == 0,
                           .directory = words[3],
                           .paths = (const char *const *)words + 4,
                           .n_paths = (size_t)n - 4};
    if (!checkpoint_save(tool, &what, arena, &cost, &err))
        return complain(&err);
    printf("%.3f %llu %llu\n", cost.time_s, (unsigned long long)cost.images_bytes,
           (unsigned long long)cost.files_bytes);
    return 0;
}

static int restore(const CheckpointTool *tool, int n, char **words, Arena *arena)
{
    Err err = {0};
    Restored *restored;
    CheckpointBind binds[WORDS_LIMIT];
    const char *cpus[WORDS_LIMIT] = {NULL};
    int limit_ms = -1;
    CheckpointRestore what = {.state = words[0], .binds = binds};
    for (int i = 1; i < n && i < WORDS_LIMIT; i++) {
        char *value = strchr(words[i], '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (strcmp(words[i], "limit") == 0) {
            limit_ms = (int)(atof(value) * 1e3);
        } else if (strcmp(words[i], "cpus") == 0) {
            what.cpus_of_rank = cpus;
            for (char *one; (one = strsep(&value, "/")) && what.n_ranks < WORDS_LIMIT;)
                cpus[what.n_ranks++] = one;
        } else {
            binds[what.n_binds++] = (CheckpointBind){words[i], value};
        }
    }
    if (!checkpoint_restore(tool, &what, arena, &restored, &err))
        return complain(&err);
    printf("restored %d %.3f\n", (int)restored_pid(restored), restored_time_s(restored));
    fflush(stdout);
    restored_wait(restored, limit_ms);
    restored_end(restored);
    return restored_status(restored);
}

static int take(int n, char **words, Arena *arena)
{
    Err err = {0};
    return n == 3 && checkpoint_take_out(words[0], words[1], words[2], arena, &err) ? 0 : complain(&err);
}

static int print_words(const CheckpointTool *tool, const char *directory, Arena *arena)
{
    Err err = {0};
    const char *const *words;
    if (!checkpoint_launch_words(tool, MPI_FLAVOUR_NONE, directory, arena, &words, &err))
        return complain(&err);
    for (; *words; words++)
        puts(*words);
    return 0;
}

int main(int argc, char **argv)
{
    Arena *arena = arena_new();
    CheckpointTool tool;
    Err err = {0};
    int status = ERR_USAGE;
    if (!checkpoint_find(getenv("BACK_END"), arena, &tool, &err)) {
        status = complain(&err);
    } else if (argc == 3 && strcmp(argv[1], "words") == 0) {
        status = print_words(&tool, argv[2], arena);
    } else if (argc >= 6 && strcmp(argv[1], "save") == 0) {
        status = save(&tool, argc - 2, argv + 2, arena);
    } else if (argc >= 3 && strcmp(argv[1], "restore") == 0) {
        status = restore(&tool, argc - 2, argv + 2, arena);
    } else if (argc >= 2 && strcmp(argv[1], "take") == 0) {
        status = take(argc - 2, argv + 2, arena);
    }
    arena_free(arena);
    return status;
}
