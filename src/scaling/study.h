/* SPDX-License-Identifier: BSD-3-Clause */
/* A study of scaling: a program that is run on several numbers of processes and with several sizes, again and again;
 * and the file where each time stands as soon as it is known, so that a study goes on where it was interrupted. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct StudyPoint {
    uint64_t n; /* 0: the study has no sizes */
    uint64_t p;
    uint32_t n_done;   /* in the file */
    uint32_t n_failed; /* now */
} StudyPoint;

typedef struct Study {
    char *const *words; /* of the command, with {processes} and {size}; NULL ends */
    const char *clock;  /* what times are of: "wall", "application" */
    bool has_sizes;
    uint32_t repeats, n_points;
    StudyPoint *points;
} Study;

/* A point that failed so often isn't tried again. */
enum { STUDY_FAILURES = 2 };

/* ERR_USAGE: the command has no {processes}; it has {size} and there are no sizes, or none and there are. sizes: none if n_sizes
 * is 0. */
bool study_make(char *const *words, const char *clock, uint32_t n_sizes, const uint64_t *sizes, uint32_t n_processes,
                const uint64_t *processes, uint32_t repeats, Arena *arena, Study *study, Err *err);

/* The next run: each point once, then each in the reverse order, and so on, whatever has been done already; false: all
 * is done. */
bool study_next(const Study *study, uint32_t *point);

/* How many runs are left. */
uint64_t study_left(const Study *study);

/* The command of a point. */
char **study_command(const Study *study, const StudyPoint *point, Arena *arena);

typedef struct StudyFile StudyFile;

/* Opened to append, and made with its first line if it isn't there; n_done of each point is what stands in it already.
 * A last line that is cut off is taken away. ERR_INPUT with the line: it isn't a study's, or one of another command or
 * clock. ERR_ENVIRONMENT: it can't be written. */
bool study_open(const char *path, Study *study, Arena *arena, StudyFile **file, bool *was_cut_off, Err *err);

/* On the disk before it returns. */
bool study_add(StudyFile *file, Study *study, uint32_t point, double time_s, Err *err);

void study_close(StudyFile *file);
