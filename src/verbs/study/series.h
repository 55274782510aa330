/* SPDX-License-Identifier: BSD-3-Clause */
/* A study on several numbers of processes: a folder DIR/pN for each, and the times of all full runs in DIR/runs.csv,
 * which `firma scale` reads. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/host_load.h"
#include <jansson.h>

typedef struct Series {
    const char *directory;
    uint32_t n;
    const uint64_t *processes; /* [n] */
    json_t *documents;         /* of --json, one for each number */
    struct SeriesRows *rows;
} Series;

/* ERR_USAGE: the command doesn't contain {processes}. Nothing is written yet. salt: of hidden arguments; NULL: they
 * aren't hidden. */
bool series_plan(char *const *command, const char *salt, const char *directory, uint32_t n, const uint64_t *processes,
                 Arena *arena, Series *series, Err *err);

/* The command and the folder for one of the numbers. */
char *const *series_command(const Series *series, uint32_t index, Arena *arena);
const char *series_directory(const Series *series, uint32_t index, Arena *arena);
const char *series_runs_path(const Series *series, Arena *arena);

/* Makes the directory, and opens the file of runs. An existing file of the same command grows, and loses
 * the times of these numbers. writer: this firma's command line. */
bool series_open(Series *series, const char *writer, Arena *arena, Err *err);

/* Adds a full run's time, from MPI_Init to MPI_Finalize. */
bool series_add(Series *series, uint32_t index, double time_s, const HostLoad *load, Err *err);

void series_close(Series *series);
