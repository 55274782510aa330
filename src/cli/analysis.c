/* SPDX-License-Identifier: BSD-3-Clause */
/* See analysis.h. */
#include "cli/analysis.h"

#include "base/files.h"
#include "signature/phases/phases.h"
#include "trace/host_load.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool analysis_is_signature(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && !files_has_suffix(path, ".otf2");
}

bool analysis_is_study(const char *path, Arena *arena)
{
    return files_exist(arena_printf(arena, "%s/" STUDY_LOG, path)) &&
           files_exist(arena_printf(arena, "%s/" STUDY_SIGNATURE, path));
}

static int is_numbered(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] == 'p' && isdigit((unsigned char)name[1]) && !name[1 + strspn(name + 1, "0123456789")];
}

size_t analysis_studies(const char *path, Arena *arena, const char *const **studies)
{
    VEC(const char *) found = {0};
    struct dirent **entries;
    int n = 0;
    if (analysis_is_study(path, arena))
        *vec_push(&found) = path;
    else if (files_exist(arena_printf(arena, "%s/" STUDY_RUNS, path)))
        n = scandir(path, &entries, is_numbered, alphasort);
    for (int i = 0; i < n; i++) {
        const char *study = arena_printf(arena, "%s/%s", path, entries[i]->d_name);
        if (analysis_is_study(study, arena))
            *vec_push(&found) = study;
        free(entries[i]);
    }
    if (n > 0)
        free(entries);
    size_t n_found = found.count;
    *studies = vec_copy(&found, arena);
    vec_free(&found);
    return n_found;
}

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const Reading *reading = self;
    progress_report(reading->bar, what, shared_archive_records_read(reading->archive),
                    shared_archive_records_total(reading->archive));
}

bool reading_open(Cli *cli, const char *trace, const OrderOptions *options, Reading *reading, Err *err)
{
    enum { READING_SHARE = 4 }; /* reading takes 1/4 of ordering's memory in addition */
    uint64_t memory_bytes = options ? options->memory_bytes / READING_SHARE : 0;
    SharedArchive *archive;
    if (!shared_archive_open(cli->team, trace, memory_bytes, &archive, err))
        return false;
    *reading = (Reading){.archive = archive,
                         .source = shared_archive_source(archive),
                         .bar = &cli->progress,
                         .progress = {reading, cli->progress.report ? report_reading : NULL}};
    cli_note_incomplete(cli, trace, reading->source->trace->incomplete, reading->source->trace->n_incomplete);
    return true;
}

void reading_close(Cli *cli, Reading *reading)
{
    shared_archive_close(reading->archive);
    cli_progress_end(cli);
}

void analysis_note_signature(Cli *cli, const char *path, const Signature *signature)
{
    static const char *const unknown = "some process never reached MPI_Finalize"; /* older files name no reason */
    if (signature->n_incomplete)
        cli_note_incomplete(cli, path, signature->incomplete, signature->n_incomplete);
    else if (!signature->complete)
        cli_note_incomplete(cli, path, &unknown, 1);
}

bool analysis_load_signature(Cli *cli, const char *path, Signature **signature, Err *err)
{
    if (!signature_load(path, cli->arena, signature, err))
        return false;
    analysis_note_signature(cli, path, *signature);
    return true;
}

void analysis_note_load(const Cli *cli, const PhaseTimes *times)
{
    const HostLoad load = {times->n_processors, times->busy_processors, times->throttles};
    const char *busy = host_load_text(&load, cli->arena), *hot = host_throttle_text(&load, cli->arena);
    if (busy)
        cli_note(cli, "%s", busy);
    if (hot)
        cli_note(cli, "%s", hot);
}

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, options, &reading, err))
        return false;
    bool found =
        phases_find(reading.source, parameters, options, &reading.progress, cli->arena, signature, report, err);
    reading_close(cli, &reading);
    char resolved[PATH_MAX];
    if (found && files_resolve(trace, resolved))
        (*signature)->trace = arena_strdup(cli->arena, resolved);
    found = found && signature_check_chosen(*signature, trace, err);
    if (found)
        analysis_note_signature(cli, trace, *signature);
    return found;
}
