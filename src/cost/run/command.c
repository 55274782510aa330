/* SPDX-License-Identifier: BSD-3-Clause */
/* See command.h. */
#include "cost/run/command.h"

#include "base/interrupts.h"
#include "base/monotonic.h"
#include "base/process.h"
#include "base/words.h"
#include <math.h>
#include <string.h>

enum { LOOK_MS = 100 };
/* MPICH 4.0 sometimes hangs in MPI_Finalize; Open MPI's mpirun sometimes hangs after MPI_Abort. */
static const double ENDING_S = 1;

/* If firma is killed, the caretaker alone sends SIGTERM (sweeps). A second one, as dies_with_us sends it, would make
 * Open MPI's mpirun leave its session directory. */
bool command_run(const char *const *words, const char *const *environment, CommandTakeLine take_line, void *self,
                 Arena *arena, int *status, Err *err)
{
    Process *process;
    ProcessOptions how = {.words = words, .environment = environment, .output = PROCESS_PIPE, .sweeps = true};
    const char *line;
    double deadline_s = INFINITY;
    bool has_ended = false, was_interrupted = false;
    if (!process_start(&how, arena, &process, err))
        return false;
    while (!has_ended && !was_interrupted && monotonic_s() < deadline_s) {
        ProcessNews news = process_read(process, LOOK_MS, &line);
        has_ended = news == PROCESS_ENDED;
        if (news == PROCESS_LINE && take_line(self, line) && !isfinite(deadline_s))
            deadline_s = monotonic_s() + ENDING_S;
        was_interrupted = interrupts_take() != 0;
    }
    *status = process_stop(process);
    if (!has_ended)
        *status = 0;
    return !was_interrupted || err_set(err, ERR_NEGATIVE, "interrupted");
}

void command_add(const char *const **words, size_t *n_words, const char *const *more, Arena *arena)
{
    const size_t n = words_count(more);
    const char **all = arena_new_array(arena, const char *, *n_words + n + 1);
    memcpy(all, *words, *n_words * sizeof *all);
    memcpy(all + *n_words, more, n * sizeof *all);
    *n_words += n;
    *words = all;
}

bool command_add_options(const char *const **words, size_t *n_words, const char *options, Arena *arena, Err *err)
{
    const char *const *parts, *wrong = words_split(options, arena, &parts, NULL);
    if (wrong)
        return err_set(err, ERR_INPUT, "options \"%s\": %s", options, wrong);
    command_add(words, n_words, parts, arena);
    return true;
}
