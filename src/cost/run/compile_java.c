/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles tasks in Java to classes. */
#include "cost/run/compile.h"

#include "cost/run/command.h"
#include <string.h>

bool compile_java(const PaslBatch *batch, const char *classes, Arena *arena, Err *err)
{
    /* A short run of the compiler: the JVM's thorough optimizations would take longer than they save. */
    const char *const first[] = {
        "javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-encoding", "UTF-8", "-parameters", "-d", classes};
    const char *const *words = first;
    size_t n = sizeof first / sizeof *first;
    if (!command_add_options(&words, &n, batch->options, arena, err))
        return false;
    const char **all = arena_new_array(arena, const char *, n + 2);
    memcpy(all, words, n * sizeof *all);
    all[n] = batch->source;
    return compile_by(all, "openjdk-17-jdk-headless", batch, arena, err);
}

static bool is_class_path(const char *word)
{
    return strcmp(word, "-cp") == 0 || strcmp(word, "-classpath") == 0 || strcmp(word, "--class-path") == 0;
}

bool compile_class_path(const PaslBatch *batch, Arena *arena, const char **path, Err *err)
{
    const char *const *words = NULL;
    size_t n = 0;
    *path = NULL;
    if (!command_add_options(&words, &n, batch->options, arena, err))
        return false;
    for (size_t i = 0; i + 1 < n; i++)
        if (is_class_path(words[i]))
            *path = words[i + 1];
    return true;
}
