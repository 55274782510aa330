/* SPDX-License-Identifier: BSD-3-Clause */
/* See series.h. The file of runs is that of `firma scale run --traced`. */
#include "verbs/study/series.h"

#include "base/files.h"
#include "cli/cli.h"
#include "model/times.h"
#include "scaling/study.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

typedef struct SeriesRows {
    Study study;
    StudyFile *file; /* NULL: not open */
} SeriesRows;

bool series_plan(char *const *command, const char *salt, const char *directory, uint32_t n, const uint64_t *processes,
                 Arena *arena, Series *series, Err *err)
{
    SeriesRows *rows = arena_new_array(arena, SeriesRows, 1);
    *series = (Series){.directory = directory, .n = n, .processes = processes, .rows = rows};
    if (!study_make(command, "application", 0, NULL, n, processes, 1, arena, &rows->study, err))
        return false;
    rows->study.salt = salt;
    rows->study.replaces = true;
    return true;
}

char *const *series_command(const Series *series, uint32_t index, Arena *arena)
{
    return study_command(&series->rows->study, &series->rows->study.points[index], arena);
}

const char *series_directory(const Series *series, uint32_t index, Arena *arena)
{
    return arena_printf(arena, "%s/p%" PRIu64, series->directory, series->processes[index]);
}

const char *series_runs_path(const Series *series, Arena *arena)
{
    return arena_printf(arena, "%s/" STUDY_RUNS, series->directory);
}

bool series_open(Series *series, const char *writer, Arena *arena, Err *err)
{
    bool was_cut_off;
    if (mkdir(series->directory, 0700) != 0 && !files_is_directory(series->directory))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", series->directory, strerror(errno));
    return study_open(series_runs_path(series, arena), writer, &series->rows->study, arena, &series->rows->file,
                      &was_cut_off, err);
}

bool series_add(Series *series, uint32_t index, double time_s, const HostLoad *load, Err *err)
{
    double slowdown = slowdown_by_others((double)series->processes[index], load->busy_processors, load->n_processors);
    return study_add(series->rows->file, &series->rows->study, index, time_s, slowdown, err);
}

void series_close(Series *series)
{
    if (series->rows->file)
        study_close(series->rows->file);
}
