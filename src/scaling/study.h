/* SPDX-License-Identifier: BSD-3-Clause */
/* A study of scaling: runs of a program on several numbers of processes, with several sizes,
 * repeated several times. Its file holds each time as soon as it is measured. So a study can
 * continue where it was interrupted. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct StudyPoint {
    uint64_t n; /* 0: the study has no sizes */
    uint64_t p;
    uint32_t n_done;   /* number of runs in the file */
    uint32_t n_failed; /* number of failed runs since the start */
} StudyPoint;

typedef struct Study {
    char *const *words; /* the command, with {processes} and {size}; ended by NULL */
    const char *salt;   /* NULL: the file holds the whole command, else its first word */
    const char *clock;  /* what times measure: "wall", "application" */
    bool has_sizes;
    bool replaces; /* lines of its points that are in the file are removed first */
    uint32_t repeats, n_points;
    StudyPoint *points;
} Study;

/* After this many failures, a point isn't tried again. */
enum { STUDY_FAILURES = 2 };

/* ERR_USAGE: the command has no {processes}; or it has {size} without sizes, or sizes without
 * {size}. n_sizes: 0 for none. */
bool study_make(char *const *words, const char *clock, uint32_t n_sizes, const uint64_t *sizes, uint32_t n_processes,
                const uint64_t *processes, uint32_t repeats, Arena *arena, Study *study, Err *err);

/* The next run: each point once, then each in reverse order, and so on, by the number of runs that
 * are done. False: all are done. */
bool study_next(const Study *study, uint32_t *point);

/* Number of runs that are left. */
uint64_t study_left(const Study *study);

/* The command for a point. */
char **study_command(const Study *study, const StudyPoint *point, Arena *arena);

typedef struct StudyFile StudyFile;

/* Opens the file for appending, and makes it with its first line if it doesn't exist. Sets n_done
 * of each point from the file's lines. Removes an incomplete last line. ERR_INPUT names the line:
 * the file isn't a study's, or belongs to another command or clock. ERR_ENVIRONMENT: the file can't
 * be written, or another process writes it. FILE.lock names the writer by firma's command line. */
bool study_open(const char *path, const char *writer, Study *study, Arena *arena, StudyFile **file, bool *was_cut_off,
                Err *err);

/* Adds a line. When this returns, the line is on the disk. slowdown: factor by which other programs may have slowed the
 * run down. */
bool study_add(StudyFile *file, Study *study, uint32_t point, double time_s, double slowdown, Err *err);

void study_close(StudyFile *file);
