/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors as values. A function that can fail returns bool and takes `Err *err` last. It returns
 * true on success. On false, *err says what happened, where, and what to do, and the function's
 * outputs are unchanged. The kind of the error becomes firma's exit status. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

typedef enum ErrKind {
    ERR_NONE = 0,
    ERR_NEGATIVE = 1,    /* the question was answered, and the answer is no */
    ERR_USAGE = 2,       /* the command line is wrong */
    ERR_INPUT = 3,       /* a file is broken, or isn't what it should be */
    ERR_ENVIRONMENT = 4, /* the machine lacks something: a library, a launcher, disk, memory */
    ERR_BUG = 70         /* firma itself has a bug */
} ErrKind;

typedef struct Err {
    ErrKind kind;
    char message[2048]; /* one sentence: where (file, line or offset) and what */
    char hint[1024];    /* what to do about it; may be empty */
} Err;

/* Sets *err and returns false, so a function can end with `return err_set(…)`. A second call
 * overwrites the first error. */
bool err_set(Err *err, ErrKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds what the user can do about the error. Returns false. */
bool err_hint(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message. A caller adds where the error happened in this way. Returns
 * false. */
bool err_prefix(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
