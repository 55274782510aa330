/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. Lines such as
 *
 *     kernels.c:56:36: note:   vectorization factor = 2
 *     kernels.c:56:36: note:  ***** Choosing vector mode V2DF
 *     kernels.c:56:36: optimized: loop vectorized using 16 byte vectors
 *     kernels.c:432:24: optimized: applying unroll and jam with factor 2
 *     kernels.c:433:28: optimized: Loop nest 2 distributed: split to 3 loops and 0 library calls.
 *     kernels.c:30:24: optimized: Loop 4 distributed: split to 0 loops and 1 library calls.
 *
 * gcc tries several factors, also for the loop's rest. The last one before it chooses is the main loop's. Of several
 * versions of a loop, that with the largest factor counts. */
#include "cost/compiled/report.h"

#include "base/files.h"
#include "base/vec.h"
#include <stdio.h>

typedef struct Open {
    ReportedLoop loop;
    unsigned tried, chosen;
} Open;

typedef VEC(Open) OpenLoops;

static Open *loop_at(OpenLoops *loops, uint32_t line)
{
    for (size_t i = 0; i < loops->count; i++)
        if (loops->items[i].loop.line == line)
            return &loops->items[i];
    Open *new = vec_push(loops);
    *new = (Open){.loop = {.line = line}};
    return new;
}

static bool read_factor(const char *text, const char *before, unsigned *factor)
{
    const char *found = strstr(text, before);
    return found && sscanf(found + strlen(before), "%u", factor) == 1 && *factor > 0;
}

static void take_line(OpenLoops *loops, const char *line, const char *name)
{
    unsigned number;
    const char *found = strstr(line, name);
    while (found && (found > line && found[-1] != '/'))
        found = strstr(found + 1, name);
    if (!found || sscanf(found + strlen(name), ":%u:", &number) != 1)
        return;
    bool is_done = strstr(found, "optimized:") != NULL;
    unsigned factor;
    if (read_factor(found, "vectorization factor = ", &factor) ||
        read_factor(found, "Updating vectorization factor to ", &factor))
        loop_at(loops, number)->tried = factor;
    if (strstr(found, "Choosing vector mode"))
        loop_at(loops, number)->chosen = loop_at(loops, number)->tried;
    if (is_done && strstr(found, "loop vectorized")) {
        Open *open = loop_at(loops, number);
        open->loop.factor = open->loop.factor > open->chosen ? open->loop.factor : open->chosen;
    }
    if (is_done && read_factor(found, "unroll and jam with factor ", &factor))
        loop_at(loops, number)->loop.jammed = factor;
    if (is_done && read_factor(found, "distributed: split to ", &factor))
        loop_at(loops, number)->loop.parts = factor;
    if (is_done && strstr(found, "split to 0 loops"))
        loop_at(loops, number)->loop.is_call = true;
}

Report report_read(const char *text, const char *source, Arena *arena)
{
    OpenLoops loops = {0};
    const char *name = files_base_name(source);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        take_line(&loops, arena_strndup(arena, line, strcspn(line, "\n")), name);
    ReportedLoop *kept = arena_new_array(arena, ReportedLoop, loops.count);
    for (size_t i = 0; i < loops.count; i++)
        kept[i] = loops.items[i].loop;
    const Report report = {loops.count, kept};
    vec_free(&loops);
    return report;
}

const ReportedLoop *report_of(const Report *report, uint32_t line)
{
    for (size_t i = 0; i < report->n; i++)
        if (report->loops[i].line == line)
            return &report->loops[i];
    return NULL;
}
