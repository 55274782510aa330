/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks' sources to what executors run: a library each for C, classes for Java. Private to the folder. */
#pragma once

#include "cost/run/run.h"
#include <jansson.h>

/* Where a batch's tasks are run: cost/run/protocol.h. */
typedef struct TaskPlace {
    uint32_t executor, entry;
} TaskPlace;

/* executors: a new array of command lines. places: [n_batches]. All is made in the directory. ERR_INPUT with file and
 * line, in the compiler's words. */
bool compile_tasks(const PaslApplication *application, const char *directory, Arena *arena, json_t **executors,
                   TaskPlace *places, Err *err);

/* Each language's part; index: of the batch. */
bool compile_c(const PaslApplication *application, size_t index, const char *directory, Arena *arena,
               const char **library, Err *err);
bool compile_java(const PaslBatch *batch, const char *classes, Arena *arena, Err *err);

/* Where else the batch's classes are, by its options; NULL: nowhere. */
bool compile_class_path(const PaslBatch *batch, Arena *arena, const char **path, Err *err);

/* compiler.c: what the compiler says is the error. `package`: that it's in. */
bool compile_by(const char *const *words, const char *package, const PaslBatch *batch, Arena *arena, Err *err);
