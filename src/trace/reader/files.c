/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h.
 *
 * Whenever a location is opened or closed, OTF2 searches a list of all its locations, and a list of
 * all open ones. With many locations, this is most of the work. So firma opens the archive several
 * times. Each of these readers is a *shelf*, and has only some of the locations. */
#include "trace/reader/files.h"

#include "trace/otf2_errors.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- shelves ---- */

enum { SHELF_LOCATIONS = 128 };

OTF2_Reader *shelf_open(const char *anchor, Err *err)
{
    otf2_errors_start();
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    if (reader && OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS)
        return reader;
    if (reader)
        OTF2_Reader_Close(reader);
    otf2_errors_set(err, anchor, "not a readable OTF2 archive");
    return NULL;
}

static bool fill_shelf(const Archive *archive, size_t number, OTF2_Reader *reader, Err *err)
{
    size_t end = (number + 1) * SHELF_LOCATIONS;
    for (size_t i = number * SHELF_LOCATIONS; i < end && i < archive->n_locations; i++)
        if (OTF2_Reader_SelectLocation(reader, archive->locations[i].ref) != OTF2_SUCCESS)
            return otf2_errors_set(err, archive->anchor, "cannot select a location");
    OTF2_Reader_OpenDefFiles(reader); /* the archive may have none */
    otf2_errors_start();
    return OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS ||
           otf2_errors_set(err, archive->anchor, "cannot open the events");
}

/* The location's shelf; opens it at the first use. NULL: it can't be opened. */
static OTF2_Reader *shelf_of(Location *location, Err *err)
{
    Archive *archive = location->archive;
    size_t number = (size_t)(location - archive->locations) / SHELF_LOCATIONS;
    if (!archive->shelves)
        archive->shelves = arena_new_array(archive->arena, OTF2_Reader *,
                                           (archive->n_locations + SHELF_LOCATIONS - 1) / SHELF_LOCATIONS);
    if (archive->shelves[number])
        return archive->shelves[number];
    OTF2_Reader *reader = shelf_open(archive->anchor, err);
    if (reader && !fill_shelf(archive, number, reader, err)) {
        OTF2_Reader_Close(reader);
        return NULL;
    }
    return archive->shelves[number] = reader;
}

void shelves_close(Archive *archive)
{
    if (!archive->shelves)
        return;
    for (size_t i = 0; i * SHELF_LOCATIONS < archive->n_locations; i++)
        if (archive->shelves[i])
            OTF2_Reader_Close(archive->shelves[i]);
}

/* ---- locations ---- */

const char *location_path(const Location *location, char path[4096])
{
    snprintf(path, 4096, "%s/%lu.evt%s", location->archive->events_path, (unsigned long)location->ref,
             location->archive->compressed ? ".z" : "");
    return path;
}

bool location_broken(const Location *location, OTF2_ErrorCode status, Err *err)
{
    char path[4096];
    return err_set(err, ERR_INPUT, "%s: cannot read the events: %s", location_path(location, path),
                   otf2_errors_cause(status)) ||
           err_hint(err, "the file is damaged or cut short: copy the trace again, or trace the program again");
}

static void unlink_reader(Location *location)
{
    Archive *archive = location->archive;
    *(location->newer ? &location->newer->older : &archive->newest) = location->older;
    *(location->older ? &location->older->newer : &archive->oldest) = location->newer;
    location->newer = location->older = NULL;
}

static void link_reader(Location *location)
{
    Archive *archive = location->archive;
    assert(!location->newer && !location->older);
    location->older = archive->newest;
    *(archive->newest ? &archive->newest->newer : &archive->oldest) = location;
    archive->newest = location;
}

void location_close(Location *location)
{
    if (!location->reader)
        return;
    unlink_reader(location);
    OTF2_Reader_CloseEvtReader(location->shelf, location->reader);
    location->reader = NULL;
    assert(location->archive->n_open > 0);
    location->archive->n_open--;
}

/* True if the file of local definitions has none. Then it consists of a chunk's header and two end
 * marks, as in most archives. Opening it would clear 4 MiB of memory. */
static bool has_no_definitions(const char *path)
{
    enum { CHUNK_END = 2, FILE_END = 1, EMPTY_BYTES = 20 };
    unsigned char bytes[EMPTY_BYTES + 1];
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return true;
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return size == EMPTY_BYTES && bytes[EMPTY_BYTES - 2] == CHUNK_END && bytes[EMPTY_BYTES - 1] == FILE_END;
}

/* Reads local definitions, which may translate the numbers in the location's events. OTF2 applies
 * them after reading them. */
static bool read_local_definitions(Location *location, Err *err)
{
    char path[4096];
    Archive *archive = location->archive;
    snprintf(path, sizeof path, "%s/%lu.def", archive->events_path, (unsigned long)location->ref);
    if (!archive->compressed && has_no_definitions(path))
        return true;
    uint64_t n_read;
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(location->shelf, location->ref);
    OTF2_ErrorCode code =
        reader ? OTF2_Reader_ReadAllLocalDefinitions(location->shelf, reader, &n_read) : OTF2_ERROR_INVALID;
    if (reader)
        OTF2_Reader_CloseDefReader(location->shelf, reader);
    if (code == OTF2_SUCCESS)
        return true;
    return err_set(err, ERR_INPUT, "%s: cannot read the local definitions: %s", path, otf2_errors_cause(code));
}

bool location_open(Location *location, Err *err)
{
    Archive *archive = location->archive;
    if (location->reader) {
        if (archive->newest != location) {
            unlink_reader(location);
            link_reader(location);
        }
        return true;
    }
    location->shelf = shelf_of(location, err);
    if (!location->shelf)
        return false;
    otf2_errors_start();
    if (location->n_read == 0 && !read_local_definitions(location, err))
        return false;
    if (archive->n_open >= archive->open_limit)
        location_close(archive->newest);
    location->reader = OTF2_Reader_GetEvtReader(location->shelf, location->ref);
    if (!location->reader)
        return location_broken(location, OTF2_ERROR_INVALID, err);
    link_reader(location);
    archive->n_open++;
    /* A position is that of the last event read. OTF2 reads this event once more, without
     * callbacks. */
    uint64_t n_again = 1;
    OTF2_ErrorCode status = OTF2_SUCCESS;
    if (location->n_read > 0) {
        status = OTF2_EvtReader_Seek(location->reader, location->n_read);
        if (status == OTF2_SUCCESS)
            status = OTF2_Reader_ReadLocalEvents(location->shelf, location->reader, 1, &n_again);
    }
    if (status == OTF2_SUCCESS)
        status = OTF2_Reader_RegisterEvtCallbacks(location->shelf, location->reader, archive->callbacks, location);
    return (status == OTF2_SUCCESS && n_again == 1) || location_broken(location, status, err);
}

bool location_check_file(const Location *location, bool *absent, Err *err)
{
    char path[4096];
    struct stat status;
    *absent = false;
    if (location->archive->compressed || stat(location_path(location, path), &status) == 0)
        return true;
    *absent = true;
    if (location->n_promised == 0)
        return true;
    return err_set(err, ERR_INPUT, "%s: %s, but the definitions announce %lu events", path, strerror(errno),
                   (unsigned long)location->n_promised);
}
