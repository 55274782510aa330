/* SPDX-License-Identifier: BSD-3-Clause */
/* See ti.h. */
#include "formats/ti_actions.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

/* SMPI's numbers of datatypes, by their sizes (trace/import/ti.c): complex numbers of 32 bytes. */
enum { SMALL_ELEMENT = 1, LARGE_ELEMENT = 32, LARGE_TYPE = 27 };

static const char *const message_names[] = {
    [MESSAGE_SEND] = "send", [MESSAGE_ISEND] = "isend", [MESSAGE_RECV] = "recv", [MESSAGE_IRECV] = "irecv"};

void ti_action(TiWriter *writer, const char *name)
{
    fprintf(writer->text.file, "%u %s", writer->process, name);
    writer->n_actions++;
}

void ti_end_action(TiWriter *writer)
{
    fputc('\n', writer->text.file);
}

uint64_t ti_elements(TiWriter *writer, double most_bytes)
{
    if (most_bytes <= INT_MAX)
        return SMALL_ELEMENT;
    if (most_bytes > (double)INT_MAX * LARGE_ELEMENT)
        writer->oversized = (uint64_t)most_bytes;
    return LARGE_ELEMENT;
}

void ti_count(TiWriter *writer, double bytes, uint64_t element_bytes)
{
    fprintf(writer->text.file, " %.0f", ceil(round(bytes) / (double)element_bytes));
}

void ti_types(TiWriter *writer, uint64_t element_bytes, int times)
{
    for (int i = 0; element_bytes != SMALL_ELEMENT && i < times; i++)
        fprintf(writer->text.file, " %d", LARGE_TYPE);
}

static void put_computation(ActionSink *sink, double seconds)
{
    TiWriter *writer = (TiWriter *)sink;
    ti_action(writer, "compute");
    fprintf(writer->text.file, " %.15g\n", seconds * writer->flops_per_s);
}

static void put_message_action(ActionSink *sink, MessageKind kind, uint32_t peer, int32_t tag, double bytes,
                               uint64_t handle)
{
    (void)handle; /* a replay finds a request by its sender, receiver and tag */
    TiWriter *writer = (TiWriter *)sink;
    const uint64_t element_bytes = ti_elements(writer, bytes);
    ti_action(writer, message_names[kind]);
    fprintf(writer->text.file, " %u %" PRId32, peer, tag);
    ti_count(writer, bytes, element_bytes);
    ti_types(writer, element_bytes, 1);
    ti_end_action(writer);
}

static void put_wait(ActionSink *sink, bool receives, uint32_t peer, int32_t tag, uint64_t handle)
{
    (void)handle;
    TiWriter *writer = (TiWriter *)sink;
    ti_action(writer, "wait");
    fprintf(writer->text.file, " %u %u %" PRId32 "\n", receives ? peer : writer->process,
            receives ? writer->process : peer, tag);
}

/* ---- Files ---- */

static bool check_size(const TiWriter *writer, Err *err)
{
    return !writer->oversized ||
           err_set(err, ERR_INPUT,
                   "process %u: a message of %" PRIu64 " bytes is larger than a time-independent trace can tell",
                   writer->process, writer->oversized);
}

static bool open_file(TextFile *text, const char *directory, const char *name, Arena *arena, Err *err)
{
    return text_file_open(text, arena_printf(arena, "%s/%s", directory, name), name, arena, err);
}

static bool write_process(TiWriter *writer, TraceWalk *walk, const char *directory, Arena *arena, Err *err)
{
    if (!open_file(&writer->text, directory, arena_printf(arena, "%u.txt", writer->process), arena, err))
        return false;
    fprintf(writer->text.file, "# a second of computation counts as %.6g flops\n", writer->flops_per_s);
    ti_action(writer, "init");
    ti_end_action(writer);
    const bool ok = walk_next(walk, &writer->sink, err) && check_size(writer, err);
    ti_action(writer, "finalize");
    ti_end_action(writer);
    return text_file_close(&writer->text, ok, err);
}

static bool write_index(const char *directory, uint32_t n_processes, Arena *arena, Err *err)
{
    TextFile text;
    if (!open_file(&text, directory, TI_INDEX, arena, err))
        return false;
    for (uint32_t process = 0; process < n_processes; process++)
        fprintf(text.file, "%u.txt\n", process);
    return text_file_close(&text, true, err);
}

static void add_notes(const TiWriter *writer, Notes *notes)
{
    if (writer->n_created)
        notes_add(notes, "creating a communicator, window or file counts as a barrier: %" PRIu64 " times",
                  writer->n_created);
    if (writer->n_proportional)
        notes_add(notes,
                  "a trace doesn't tell how MPI_Alltoallv divides up what a process sends; here each process gets a "
                  "share as it gets of all: %" PRIu64 " calls",
                  writer->n_proportional);
}

bool ti_write(EventSource *source, const char *directory, const TiOptions *options, const Progress *progress,
              Notes *notes, TiSummary *summary, Err *err)
{
    const uint32_t n = source->trace->application.n_processes;
    const WalkOptions walk_options = {options->library, options->leaves_out_collectives};
    TiWriter writer = {.sink = {put_computation, put_message_action, put_wait, ti_collective},
                       .flops_per_s = options->flops_per_s};
    TraceWalk *walk;
    if (!walk_read(source, &walk_options, progress, &walk, err))
        return false;
    Arena *arena = arena_new();
    bool ok = write_index(directory, n, arena, err);
    for (writer.process = 0; ok && writer.process < n; writer.process++) {
        ok = write_process(&writer, walk, directory, arena, err);
        progress_report(progress, "writing the trace", writer.process + 1, n);
    }
    if (ok) {
        walk_note(walk, notes);
        add_notes(&writer, notes);
        *summary = (TiSummary){.n_processes = n, .n_actions = writer.n_actions};
    }
    walk_free(walk);
    arena_free(arena);
    return ok;
}
