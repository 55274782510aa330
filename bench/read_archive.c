/* SPDX-License-Identifier: BSD-3-Clause */
/* The lower bound of any analysis of a trace. Reads all event records of an archive with OTF2's
 * local readers, one location after the other. For the records that firma's reader uses, the
 * callbacks do next to nothing. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { BATCH_RECORDS = 4096 };

typedef struct Locations {
    uint64_t *refs;
    size_t n, capacity;
} Locations;

typedef struct Totals {
    uint64_t n_calls, n_messages, n_others, bytes;
} Totals;

#define BEGIN_CALLBACK                                                                                                 \
    (void)location, (void)time, (void)position, (void)attributes;                                                      \
    Totals *totals = user;

#define RECORD                                                                                                         \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes

static OTF2_CallbackCode on_region(RECORD, OTF2_RegionRef region)
{
    BEGIN_CALLBACK(void) region;
    totals->n_calls++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_message(RECORD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    BEGIN_CALLBACK(void) peer, (void)comm, (void)tag;
    totals->n_messages++;
    totals->bytes += bytes;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_nonblocking(RECORD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                        uint64_t request)
{
    (void)request;
    return on_message(location, time, position, user, attributes, peer, comm, tag, bytes);
}

static OTF2_CallbackCode on_request(RECORD, uint64_t request)
{
    BEGIN_CALLBACK(void) request;
    totals->n_others++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_begin(RECORD)
{
    BEGIN_CALLBACK
    totals->n_others++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective(RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
                                       uint64_t bytes_sent, uint64_t bytes_received)
{
    BEGIN_CALLBACK(void) operation, (void)comm, (void)root, (void)bytes_received;
    totals->n_others++;
    totals->bytes += bytes_sent;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_complete(RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
                                                uint64_t bytes_sent, uint64_t bytes_received, uint64_t request)
{
    (void)request;
    return on_collective(location, time, position, user, attributes, operation, comm, root, bytes_sent, bytes_received);
}

static OTF2_CallbackCode on_metric(RECORD, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
                                   const OTF2_MetricValue *values)
{
    BEGIN_CALLBACK(void) metric, (void)n, (void)types, (void)values;
    totals->n_others++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                     uint64_t n_events, OTF2_LocationGroupRef group)
{
    (void)name, (void)type, (void)group;
    Locations *locations = user;
    if (!n_events)
        return OTF2_CALLBACK_SUCCESS;
    if (locations->n == locations->capacity) {
        locations->capacity = 2 * locations->capacity + 64;
        locations->refs = realloc(locations->refs, locations->capacity * sizeof *locations->refs);
        if (!locations->refs)
            return OTF2_CALLBACK_ERROR;
    }
    locations->refs[locations->n++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_nonblocking);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_nonblocking);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    return callbacks;
}

static int fail(const char *what)
{
    fprintf(stderr, "read_archive: %s\n", what);
    return 1;
}

static int read_definitions(OTF2_Reader *reader, Locations *locations)
{
    uint64_t n = 0;
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, locations);
    OTF2_ErrorCode status = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return status == OTF2_SUCCESS ? 0 : fail("cannot read the definitions");
}

static int read_location(OTF2_Reader *reader, uint64_t ref, const OTF2_EvtReaderCallbacks *callbacks, Totals *totals,
                         uint64_t *n_records)
{
    uint64_t n = BATCH_RECORDS;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, ref);
    if (!events)
        return fail("cannot read a location");
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, totals);
    while (n == BATCH_RECORDS) {
        if (OTF2_Reader_ReadLocalEvents(reader, events, BATCH_RECORDS, &n) != OTF2_SUCCESS)
            return fail("cannot read events");
        *n_records += n;
    }
    OTF2_Reader_CloseEvtReader(reader, events);
    return 0;
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    struct rusage usage;
    Locations locations = {0};
    Totals totals = {0};
    uint64_t n_records = 0;
    if (argc != 2)
        return fail("usage: read_archive DIR/traces.otf2");
    clock_gettime(CLOCK_MONOTONIC, &start);
    OTF2_Reader *reader = OTF2_Reader_Open(argv[1]);
    if (!reader)
        return fail("cannot open the archive");
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    if (read_definitions(reader, &locations))
        return 1;
    for (size_t i = 0; i < locations.n; i++)
        OTF2_Reader_SelectLocation(reader, locations.refs[i]);
    OTF2_Reader_OpenEvtFiles(reader);
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    for (size_t i = 0; i < locations.n; i++)
        if (read_location(reader, locations.refs[i], callbacks, &totals, &n_records))
            return 1;
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_Close(reader);
    free(locations.refs);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf(
        "{\"records\": %lu, \"calls\": %lu, \"messages\": %lu, \"bytes\": %lu, \"read_s\": %.6f, \"record_ns\": %.2f, "
        "\"peak_kib\": %ld}\n",
        (unsigned long)n_records, (unsigned long)totals.n_calls / 2, (unsigned long)totals.n_messages,
        (unsigned long)totals.bytes, seconds, n_records ? seconds * 1e9 / (double)n_records : 0, usage.ru_maxrss);
    return 0;
}
