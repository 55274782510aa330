/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles tasks for executors: a library for each batch in C, classes for Java. Private to this
 * folder. */
#pragma once

#include "cost/run/tasks.h"
#include <jansson.h>

/* Which executor runs a batch's tasks, and by which entry: see cost/run/protocol.h. */
typedef struct TaskPlace {
    uint32_t executor, entry;
} TaskPlace;

/* Compiles all batches into `directory`. lists: [n_batches]. executors: a new array of command lines. places:
 * [n_batches]. ERR_INPUT: the compiler's message, with file and line. */
bool compile_tasks(const RunRequest *request, const TaskList *lists, const char *directory, Arena *arena,
                   json_t **executors, TaskPlace *places, Err *err);

/* One batch of a language; index: of the batch. threads: of TaskList. */
bool compile_c(const RunRequest *request, size_t index, uint32_t threads, const char *directory, Arena *arena,
               const char **library, Err *err);
bool compile_java(const PaslBatch *batch, const char *classes, Arena *arena, Err *err);

/* ERR_INPUT: an array of a batch in C has another name than the entry's parameter. */
bool arrays_check_names(const PaslApplication *application, const PaslBatch *batch, Arena *arena, Err *err);

/* Class path of the batch's options; NULL: none. */
bool compile_class_path(const PaslBatch *batch, Arena *arena, const char **path, Err *err);

/* compiler.c: runs a compiler. Its first error becomes the Err. `package`: to install if the
 * compiler is missing. */
bool compile_by(const char *const *words, const char *package, const PaslBatch *batch, Arena *arena, Err *err);
