/* SPDX-License-Identifier: BSD-3-Clause */
/* See tools.h. */
#include "cost/cpu/tools.h"

#include "base/libraries.h"
#include "base/process.h"
#include <string.h>

#define WORKER_FOLDER "cost/cpu/worker"

const char *const cpu_languages[] = {"c", "java", NULL};

static const char *const *words(Arena *arena, const char *const *list, size_t n)
{
    const char **copy = arena_new_array(arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = list[i];
    copy[n] = NULL;
    return copy;
}
#define WORDS(arena, list) words((arena), (list), sizeof(list) / sizeof *(list))

static bool command_of_c(double seconds, Arena *arena, const char *const **command, Err *err)
{
    const char *program = libraries_find_program("firma-cpu-c", WORKER_FOLDER, arena);
    if (!program)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks firma-cpu-c, which measures C") ||
               err_hint(err, "install firma again");
    const char *const list[] = {program, arena_printf(arena, "%.6g", seconds)};
    *command = WORDS(arena, list);
    return true;
}

/* The JVM's options make it compile kernels before they are timed, and keep it from vectorising
 * loops, as for C. */
static bool command_of_java(double seconds, const char *directory, Arena *arena, const char *const **prepare,
                            const char *const **command, Err *err)
{
    const char *source = libraries_find_source("FirmaCpu.java", WORKER_FOLDER, arena);
    if (!source)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks FirmaCpu.java, which measures Java") ||
               err_hint(err, "install firma again");
    bool has_jvm = process_find("java", NULL, arena) != NULL;
    if (!has_jvm || !process_find("javac", NULL, arena))
        return err_set(err, ERR_ENVIRONMENT, "java: no %s is on PATH", has_jvm ? "compiler (javac)" : "JVM") ||
               err_hint(err, "install a JDK (on Debian: apt-get install openjdk-17-jdk-headless)");
    const char *const compiling[] = {"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-d", directory, source};
    const char *const running[] = {"java",
                                   "-Xbatch",
                                   "-XX:-UseSuperWord",
                                   "-XX:-OptimizeFill",
                                   "-XX:CompileCommand=quiet",
                                   "-XX:CompileCommand=dontinline,FirmaCpu::called_*",
                                   "-cp",
                                   directory,
                                   "FirmaCpu",
                                   arena_printf(arena, "%.6g", seconds)};
    *prepare = WORDS(arena, compiling);
    *command = WORDS(arena, running);
    return true;
}

bool cpu_command(const char *language, double seconds, const char *directory, Arena *arena, const char *const **prepare,
                 const char *const **command, Err *err)
{
    *prepare = NULL;
    if (strcmp(language, "c") == 0)
        return command_of_c(seconds, arena, command, err);
    if (strcmp(language, "java") == 0)
        return command_of_java(seconds, directory, arena, prepare, command, err);
    return err_set(err, ERR_USAGE, "firma doesn't measure the language `%s`", language) ||
           err_hint(err, "firma measures c and java");
}
