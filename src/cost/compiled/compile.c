/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a source to assembler text, as it is compiled to be run. */
#include "cost/compiled/compile.h"

#include "base/files.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/words.h"
#include <errno.h>

enum { LONGEST_MS = 300000 };

static bool run(const char *source, const char *options, const char *directory, Arena *arena, Err *err)
{
    static const char *const compiler[] = {"cc", NULL};
    const char *const *given = NULL;
    char *output = "";
    int status = 0;
    bool is_split = !words_split(options, arena, &given, NULL);
    /* Places of variables aren't asked, and take gcc most of its time. */
    const char *const rest[] = {"-g",
                                "-fno-var-tracking",
                                "-S",
                                "-masm=att",
                                arena_printf(arena, "-fopt-info-loop-optimized=%s/loops", directory),
                                arena_printf(arena, "-fdump-tree-vect-details=%s/vectors", directory),
                                "-o",
                                arena_printf(arena, "%s/code.s", directory),
                                source,
                                NULL};
    const ProcessOptions how = {
        .words = is_split ? words_join((const char *const *const[]){compiler, given, rest, NULL}, arena) : NULL,
        .environment = process_in_english,
        .output = PROCESS_PIPE,
        .dies_with_us = SIGKILL};
    bool ran = is_split && process_capture(&how, LONGEST_MS, arena, &output, &status) && status == 0;
    return ran || err_set(err, ERR_ENVIRONMENT, "the compiler makes no assembler text: %.*s",
                          (int)strcspn(output, "\n"), output);
}

/* Without optimisation, there is none. */
static Report read_report(const char *source, const char *directory, Arena *arena)
{
    static const char *const names[] = {"loops", "vectors"};
    const char *text, *all = "";
    Err ignored;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (files_load_text(arena_printf(arena, "%s/%s", directory, names[i]), arena, &text, &ignored))
            all = arena_printf(arena, "%s%s", all, text);
    return report_read(all, source, arena);
}

bool compiled_open(const char *source, const char *options, const char *scheduler, Arena *arena, CompiledCode **code,
                   Err *err)
{
    char *directory = owner_make_temporary(NULL, "firma-compiled", NULL, arena);
    const char *text;
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory (TMPDIR): %s", strerror(errno));
    bool fine = run(source, options, directory, arena, err) &&
                files_load_text(arena_printf(arena, "%s/code.s", directory), arena, &text, err);
    if (fine) {
        CompiledCode *made = arena_alloc(arena, sizeof *made);
        made->source = source;
        made->scheduler = scheduler;
        made->assembly = assembly_read(text, source, arena);
        made->report = read_report(source, directory, arena);
        *code = made;
    }
    files_remove_tree(directory);
    return fine;
}

const char *compiled_source(const CompiledCode *code)
{
    return code->source;
}
