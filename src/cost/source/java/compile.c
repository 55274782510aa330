/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the JDK's compiler, with a time limit: nesting, size and type resolution of a source can
 * make it run very long. */
#include "cost/source/java/read.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/json.h"
#include "base/libraries.h"
#include "base/monotonic.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_LIMIT_S = 180, CPU_LIMIT_S = 120, LOOK_MS = 100 };

/* The JVM reserves several times the heap that -Xmx grants. */
static const uint64_t MEMORY_LIMIT_BYTES = (uint64_t)8 << 30;

static bool fail_without_jdk(const char *said, Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "the JDK's compiler, which reads Java sources, doesn't run: %s", said);
    return err_hint(err, "install a JDK, 17 or later (on Debian: apt-get install openjdk-17-jdk-headless)");
}

/* Runs until the compiler ends, the time is up, or the user interrupts. The caller blocks
 * interrupts. *said: the compiler's first line, other than the JVM's message about options in the
 * environment. */
static bool run_until_end(Process *process, const char *source, const char **said, Arena *arena, Err *err)
{
    double deadline_s = monotonic_s() + TIME_LIMIT_S;
    *said = "";
    while (monotonic_s() < deadline_s) {
        const char *line;
        ProcessNews news = process_read(process, LOOK_MS, &line);
        if (news == PROCESS_ENDED)
            return true;
        if (news == PROCESS_LINE && !**said && strncmp(line, "Picked up ", strlen("Picked up ")) != 0)
            *said = arena_strdup(arena, line);
        if (interrupts_take())
            return err_set(err, ERR_NEGATIVE, "interrupted");
    }
    return err_set(err, ERR_INPUT, "%s: the JDK's compiler was stopped after %d s", source, TIME_LIMIT_S);
}

static bool run(const char *const *words, const char *source, Arena *arena, Err *err)
{
    const ProcessOptions how = {.words = words,
                                .environment = (const char *const[]){"LC_ALL=C.UTF-8", NULL},
                                .output = PROCESS_PIPE,
                                .memory_bytes = MEMORY_LIMIT_BYTES,
                                .cpu_s = CPU_LIMIT_S,
                                .dies_with_us = SIGTERM};
    Process *process;
    const char *said;
    if (!process_find("java", NULL, arena) || !process_find("javac", NULL, arena))
        return fail_without_jdk("java or javac isn't on PATH", err);
    if (!process_start(&how, arena, &process, err))
        return false;
    bool has_ended = run_until_end(process, source, &said, arena, err);
    int status = process_stop(process);
    if (!has_ended)
        return false;
    if (status == 128 + SIGXCPU || status == 128 + SIGKILL)
        return err_set(err, ERR_INPUT, "%s: the JDK's compiler was stopped after %d s of CPU time", source,
                       CPU_LIMIT_S);
    if (strstr(said, "OutOfMemoryError"))
        return err_set(err, ERR_INPUT, "%s: the JDK's compiler needs more than 1 GiB of memory", source);
    return status == 0 || fail_without_jdk(*said ? said : arena_printf(arena, "it ended with status %d", status), err);
}

static bool compile_in(const char *folder, const SourceOptions *options, const char *const *words, Arena *arena,
                       json_t **root, Err *err)
{
    const char *program = libraries_find_source("java/FirmaSource.java", "cost/source", arena);
    const char *output = arena_printf(arena, "%s/program.json", folder);
    if (!program)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks FirmaSource.java, which reads Java sources") ||
               err_hint(err, "install firma again");
    const char *const first[] = {"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss16m", "-Xmx1g",
                                 /* Otherwise the compiler reads files of the working directory. */
                                 "-cp", folder, "--add-exports=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED",
                                 "--add-exports=jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED", program,
                                 arena_strndup(arena, program, (size_t)(files_base_name(program) - program)), folder,
                                 output, options->file, NULL};
    const char *const *all = words_join((const char *const *const[]){first, words, NULL}, arena);
    return run(all, options->file, arena, err) && json_load_document(output, "firma java source", 1, root, err);
}

bool java_compile(const SourceOptions *options, Arena *arena, json_t **root, Err *err)
{
    const char *const *words, *wrong = words_split(options->options, arena, &words, NULL);
    if (wrong)
        return err_set(err, ERR_INPUT, "%s: compiler options \"%s\": %s", options->file, options->options, wrong);
    sigset_t before;
    interrupts_hold(&before);
    const char *folder = owner_make_temporary(NULL, "firma-java", NULL, arena);
    if (!folder)
        err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory (TMPDIR): %s", strerror(errno));
    bool is_read = folder && compile_in(folder, options, words, arena, root, err);
    if (folder)
        files_remove_tree(folder);
    interrupts_release(&before);
    return is_read;
}
