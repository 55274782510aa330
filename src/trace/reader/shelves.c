/* SPDX-License-Identifier: BSD-3-Clause */
/* See shelves.h. */
#include "trace/reader/shelves.h"

#include "trace/otf2_errors.h"

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
    OTF2_Reader_OpenDefFiles(reader); /* there may be none */
    otf2_errors_start();
    return OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS ||
           otf2_errors_set(err, archive->anchor, "cannot open the events");
}

OTF2_Reader *shelf_of(Location *location, Err *err)
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
