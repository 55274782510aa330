/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes an archive: turns its definitions into a Trace, and into tables that make
 * reading events fast. Any tool may have written the archive. So the numbers and the order of
 * definitions are arbitrary. */
#include "trace/archive.h"

#include "base/files.h"
#include "base/json.h"
#include "model/application.h"
#include "trace/archive_names.h"
#include "trace/otf2_errors.h"
#include "trace/ownership.h"
#include "trace/reader/anchor.h"
#include "trace/reader/batches.h"
#include "trace/reader/definitions.h"
#include "trace/reader/events.h"
#include "trace/reader/files.h"
#include "trace/reader/sequences.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char *property(Archive *archive, const char *name)
{
    char *value = NULL, *copy;
    if (OTF2_Reader_GetProperty(archive->reader, name, &value) != OTF2_SUCCESS || !value)
        return "";
    copy = arena_strdup(archive->arena, value);
    free(value);
    return copy;
}

/* A property that holds a JSON array of texts. */
static const char *const *property_texts(Archive *archive, const char *name, uint32_t *count)
{
    json_t *array = json_loads(property(archive, name), 0, NULL);
    size_t n = json_array_size(array);
    const char **texts = arena_new_array(archive->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_to_text(json_array_get(array, i), archive->arena);
        texts[i] = text ? text : "";
    }
    json_decref(array);
    *count = (uint32_t)n;
    return texts;
}

/* A property that holds a JSON array of numbers, one for each process. NULL: it doesn't. */
static const uint64_t *property_counts(Archive *archive, const char *name)
{
    json_t *array = json_loads(property(archive, name), 0, NULL), *item;
    uint64_t *counts = arena_new_array(archive->arena, uint64_t, archive->n_processes);
    size_t i, n = json_array_size(array);
    bool ok = n == archive->n_processes;
    json_array_foreach(array, i, item) {
        ok = ok && json_integer_value(item) >= 0;
        if (ok)
            counts[i] = (uint64_t)json_integer_value(item);
    }
    json_decref(array);
    return ok ? counts : NULL;
}

/* PROPERTY_PLACES. NULL: not known. */
static const ProcessPlace *property_places(Archive *archive)
{
    json_t *array = json_loads(property(archive, PROPERTY_PLACES), 0, NULL), *item;
    ProcessPlace *places = arena_new_array(archive->arena, ProcessPlace, archive->n_processes);
    size_t i;
    bool ok = json_array_size(array) == archive->n_processes;
    json_array_foreach(array, i, item) {
        if (!ok)
            break;
        places[i] = (ProcessPlace){json_to_text(json_array_get(item, 0), archive->arena),
                                   json_to_text(json_array_get(item, 1), archive->arena)};
        ok = places[i].host && places[i].processors;
    }
    json_decref(array);
    return ok ? places : NULL;
}

/* A property that holds a number. 0: it doesn't. */
static double property_number(Archive *archive, const char *name)
{
    char *end;
    const char *text = property(archive, name);
    double number = text_number(text, &end);
    return end > text && *end == '\0' ? number : 0;
}

static void read_properties(Archive *archive)
{
    Application *application = &archive->trace.application;
    application->executable = property(archive, PROPERTY_EXECUTABLE);
    application->build_id = property(archive, PROPERTY_BUILD_ID);
    application->mpi_library = property(archive, PROPERTY_MPI_LIBRARY);
    application->n_processes = archive->n_processes;
    application->arguments = property_texts(archive, PROPERTY_ARGUMENTS, &application->n_arguments);
    application->arguments_truncated = strcmp(property(archive, PROPERTY_ARGUMENTS_TRUNCATED), "true") == 0;
    application->arguments_hash = property(archive, PROPERTY_ARGUMENTS_HASH);
    uint32_t n_hosts;
    const char *const *hosts = property_texts(archive, PROPERTY_HOSTS, &n_hosts);
    archive->trace.host = n_hosts ? hosts[0] : "";
    archive->trace.places = property_places(archive);
    double shared = property_number(archive, PROPERTY_RANKS_PER_PROCESSOR);
    archive->trace.ranks_per_processor = shared > 0 && shared <= PROCESS_LIMIT ? shared : 0;
    double cost_s = property_number(archive, PROPERTY_RECORDING_COST_S);
    archive->trace.recording_cost_s = cost_s > 0 && cost_s < 1 ? cost_s : 0;
    double slowdown = property_number(archive, PROPERTY_SLOWDOWN);
    archive->trace.slowdown = slowdown >= 1 && slowdown <= PROCESS_LIMIT ? slowdown : 0;
    archive->trace.recorded_calls = property_counts(archive, PROPERTY_RECORDED_CALLS);
    archive->trace.n_recorded = archive->trace.recorded_calls ? archive->n_processes : 0;
    tables_read_neighbours(archive, property(archive, PROPERTY_NEIGHBOURS), (Comm *)archive->trace.comms);
    archive->trace.incomplete = property_texts(archive, PROPERTY_INCOMPLETE, &archive->trace.n_incomplete);
}

static bool build(Archive *archive, Err *err)
{
    Definitions definitions = {.archive = archive, .scratch = arena_new()};
    bool ok = definitions_read(archive, &definitions, err) && tables_build_processes(archive, &definitions, err) &&
              tables_build_comms(archive, &definitions, err);
    if (ok) {
        tables_build_regions(archive, &definitions);
        tables_find_own(archive, &definitions);
        read_properties(archive);
    }
    definitions_free(&definitions);
    return ok;
}

/* The first trace in a directory, such as that of `firma study`. NULL: it has none. */
static const char *trace_below(const char *path, Arena *arena)
{
    DIR *stream = opendir(path);
    const char *first = NULL;
    struct stat status;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        const char *found = arena_printf(arena, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && stat(arena_printf(arena, "%s/" ARCHIVE_NAME ".otf2", found), &status) == 0 &&
            (!first || strcmp(found, first) < 0))
            first = found;
    }
    if (stream)
        closedir(stream);
    return first;
}

/* Finds the anchor file: "DIR" -> "DIR/traces.otf2", or the only anchor file in the directory. */
static bool find_anchor(const char *path, Arena *arena, const char **anchor, Err *err)
{
    struct stat status;
    const char *inner;
    if (stat(path, &status) != 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        if (!files_has_suffix(path, ".otf2")) {
            err_set(err, ERR_INPUT, "%s: not the anchor file of an OTF2 archive, whose name ends in .otf2", path);
            return err_hint(err, "give the trace's directory, or the .otf2 file in it");
        }
        *anchor = arena_strdup(arena, path);
        return true;
    }
    *anchor = arena_printf(arena, "%s/" ARCHIVE_NAME ".otf2", path);
    if (stat(*anchor, &status) == 0)
        return true;
    *anchor = NULL;
    DIR *stream = opendir(path);
    size_t n = 0;
    if (!stream)
        return err_set(err, errno == EACCES ? ERR_ENVIRONMENT : ERR_INPUT, "%s: %s", path, strerror(errno));
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (files_has_suffix(entry->d_name, ".otf2")) {
            *anchor = arena_printf(arena, "%s/%s", path, entry->d_name);
            n++;
        }
    }
    closedir(stream);
    if (n == 1)
        return true;
    if (n == 0 && (inner = trace_below(path, arena)))
        return err_set(err, ERR_INPUT, "%s: this directory isn't a trace itself (*.otf2)", path) ||
               err_hint(err, "did you mean %s?", inner);
    if (n == 0 && recording_is_at(path, arena))
        return err_set(err, ERR_INPUT, "%s: is the recording of a run, and no trace yet", path) ||
               err_hint(err, "`firma trace --convert %s` makes a trace of it", path);
    err_set(err, ERR_INPUT,
            n ? "%s: this directory holds more than one trace" : "%s: this directory holds no trace (*.otf2)", path);
    return err_hint(err, n ? "give the .otf2 file" : "`firma trace` creates a trace");
}

enum { MANY_READERS = 1024, FEW_READERS = 256, LEAST_READERS = 1, SPARE_FILES = 64 };

static uint64_t limit_open_files(void)
{
    struct rlimit files = {0};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max &&
        files.rlim_cur < MANY_READERS + SPARE_FILES) {
        files.rlim_cur = files.rlim_max < MANY_READERS + SPARE_FILES ? files.rlim_max : MANY_READERS + SPARE_FILES;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    uint64_t limit = files.rlim_cur > 2 * SPARE_FILES ? files.rlim_cur - SPARE_FILES : SPARE_FILES;
    return limit < MANY_READERS ? limit : MANY_READERS;
}

/* An open location takes a file, and a buffer of the archive's chunk size, which OTF2 clears. So
 * opening a location costs as much as reading a thousand records. If there are many locations, only
 * some of them stay open. A visit to another location reads as much of it as fits into memory, and
 * packs the events. */
void archive_limit_memory(Archive *archive, uint32_t n_processes, uint64_t memory_bytes)
{
    uint64_t chunk_bytes = 0, definition_bytes = 0, n_open = limit_open_files();
    size_t n_locations = archive->n_locations * (size_t)n_processes / archive->n_processes;
    OTF2_Reader_GetChunkSize(archive->reader, &chunk_bytes, &definition_bytes);
    if (chunk_bytes && n_open > memory_bytes / 4 / chunk_bytes)
        n_open = memory_bytes / 4 / chunk_bytes;
    if (n_open < LEAST_READERS)
        n_open = LEAST_READERS;
    archive->visit_bytes = 0;
    if (n_locations > n_open) {
        enum { MUCH_MORE = 4, LEAST_VISIT_BYTES = 4096 };
        if (n_locations > MUCH_MORE * n_open && n_open > FEW_READERS)
            n_open = FEW_READERS;
        archive->visit_bytes = memory_bytes / 2 / n_locations;
        if (archive->visit_bytes < LEAST_VISIT_BYTES)
            archive->visit_bytes = LEAST_VISIT_BYTES;
    }
    archive->open_limit = (uint32_t)n_open;
}

static bool open_archive(const char *path, Archive **archive, Err *err)
{
    Arena *arena = arena_new();
    Archive *opened = arena_new_array(arena, Archive, 1);
    opened->arena = arena;
    bool ok = find_anchor(path, arena, &opened->anchor, err) && anchor_check(opened->anchor, err);
    if (ok) {
        opened->events_path = arena_strndup(arena, opened->anchor, strlen(opened->anchor) - 5);
        opened->reader = shelf_open(opened->anchor, err);
        ok = opened->reader != NULL;
    }
    ok = ok && build(opened, err);
    if (ok) {
        OTF2_Compression compression = OTF2_COMPRESSION_NONE;
        OTF2_Reader_GetCompression(opened->reader, &compression);
        opened->compressed = compression != OTF2_COMPRESSION_NONE;
        archive_limit_memory(opened, opened->n_processes, ARCHIVE_DEFAULT_MEMORY_BYTES);
        opened->callbacks = reader_event_callbacks();
        ok = opened->callbacks || otf2_errors_set(err, opened->anchor, "cannot read events");
    }
    if (!ok) {
        archive_close(opened);
        return false;
    }
    opened->source = (EventSource){.trace = &opened->trace, .read = reader_read_events};
    *archive = opened;
    return true;
}

static bool has_threads(const Archive *archive)
{
    bool has = false;
    for (uint32_t i = 0; i < archive->n_processes; i++)
        has |= archive->processes[i].n_locations > 1;
    return has;
}

bool archive_open(const char *path, Archive **archive, Err *err)
{
    Archive *scanned;
    if (!open_archive(path, archive, err))
        return false;
    if (has_threads(*archive) && open_archive(path, &scanned, &(Err){0})) {
        sequences_find(*archive, scanned);
        archive_close(scanned);
    }
    return true;
}

void archive_close(Archive *archive)
{
    if (!archive)
        return;
    for (size_t i = 0; i < archive->n_locations; i++) {
        Location *location = &archive->locations[i];
        location_close(location);
        location_forget_events(location);
        vec_free(&location->held);
    }
    if (archive->callbacks)
        OTF2_EvtReaderCallbacks_Delete(archive->callbacks);
    free(archive->shared_events);
    shelves_close(archive);
    if (archive->reader)
        OTF2_Reader_Close(archive->reader);
    ref_table_free(&archive->regions);
    ref_table_free(&archive->contexts);
    ref_table_free(&archive->comms);
    ref_table_free(&archive->windows);
    vec_free(&archive->read_comms);
    map_free(&archive->common);
    arena_free(archive->arena);
}

EventSource *archive_source(Archive *archive)
{
    return &archive->source;
}

uint64_t archive_process_records(const Archive *archive, uint32_t process)
{
    assert(process < archive->n_processes);
    const Process *read = &archive->processes[process];
    uint64_t n = 0;
    for (uint32_t i = 0; i < read->n_locations; i++)
        n += read->locations[i].n_promised == OTF2_UNDEFINED_UINT64 ? 0 : read->locations[i].n_promised;
    return n;
}

uint64_t archive_records_read(const Archive *archive)
{
    return __atomic_load_n(&archive->n_read, __ATOMIC_RELAXED);
}

uint64_t archive_records_total(const Archive *archive)
{
    return archive->n_total;
}
