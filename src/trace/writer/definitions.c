/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. Groups have the numbers of CommTable's member lists, behind COMM_LOCATIONS and
 * COMM_SELF. */
#include "trace/writer/definitions.h"

#include "trace/archive_names.h"
#include "trace/calls.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LOCATIONS_GROUP, SELF_GROUP, FIRST_LIST_GROUP };
enum { MACHINE_NODE, FIRST_HOST_NODE };

typedef struct Definer {
    OTF2_GlobalDefWriter *writer;
    const ArchiveContents *contents;
    uint32_t n_strings;
    uint32_t empty;          /* the string "" */
    uint32_t *group_of_list; /* [n_lists]; 0: no communicator has this list */
    OTF2_ErrorCode status;
} Definer;

#define DEFINE(definer, definition, ...)                                                                               \
    keep_first_failure(&(definer)->status, OTF2_GlobalDefWriter_Write##definition((definer)->writer, __VA_ARGS__))

static uint32_t define_string(Definer *definer, const char *text)
{
    DEFINE(definer, String, definer->n_strings, text);
    return definer->n_strings++;
}

bool is_first_of_host(const Recording *recording, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (recording->processes[i].host == recording->processes[rank].host)
            return false;
    return true;
}

static void define_clock(Definer *definer)
{
    const ArchiveContents *contents = definer->contents;
    DEFINE(definer, ClockProperties, 1000000000u, contents->first_time, contents->last_time - contents->first_time + 1,
           contents->first_time);
}

/* OTF2 has no number for PVM, but a paradigm may have any name. */
static void define_paradigm(Definer *definer)
{
    const char *name = definer->contents->recording->is_pvm ? "PVM" : "MPI";
    DEFINE(definer, Paradigm, OTF2_PARADIGM_MPI, define_string(definer, name), OTF2_PARADIGM_CLASS_PROCESS);
}

static void define_attributes(Definer *definer)
{
    static const struct {
        const char *name, *description;
        OTF2_Type type;
    } attributes[N_ATTRIBUTES] = {
        [COLLECTIVE_ATTRIBUTE] = {ATTRIBUTE_COLLECTIVE, "kind of the collective operation", OTF2_TYPE_UINT8},
        [COMM_ATTRIBUTE] = {ATTRIBUTE_COMM, "communicator of the collective operation", OTF2_TYPE_COMM},
        [ROOT_ATTRIBUTE] = {ATTRIBUTE_ROOT, "root of the collective operation", OTF2_TYPE_UINT32},
        [SENT_ATTRIBUTE] = {ATTRIBUTE_BYTES_SENT, "bytes that this process contributes", OTF2_TYPE_UINT64},
        [RECEIVED_ATTRIBUTE] = {ATTRIBUTE_BYTES_RECEIVED, "bytes that this process gets", OTF2_TYPE_UINT64},
        [REPEATS_ATTRIBUTE] = {ATTRIBUTE_REPEATS, "further calls of the same kind that this one stands for",
                               OTF2_TYPE_UINT32},
        [LOGICAL_TIME_ATTRIBUTE] = {ATTRIBUTE_LOGICAL_TIME,
                                    "logical time: place in the machine-independent order of events", OTF2_TYPE_UINT64},
        [TICK_ATTRIBUTE] = {ATTRIBUTE_TICK, "row of the logical trace", OTF2_TYPE_UINT64},
        [OCCURRENCE_ATTRIBUTE] = {ATTRIBUTE_OCCURRENCE, "place in the sequence of all phases' occurrences",
                                  OTF2_TYPE_UINT64},
    };
    uint32_t n = definer->contents->is_annotated ? N_ATTRIBUTES : FIRST_ANNOTATION;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t name = define_string(definer, attributes[i].name);
        uint32_t description = define_string(definer, attributes[i].description);
        DEFINE(definer, Attribute, i, name, description, attributes[i].type);
    }
}

/* Defines the machine, its hosts, and on each host its processes with their threads. */
static void define_locations(Definer *definer)
{
    const Recording *recording = definer->contents->recording;
    const uint64_t *n_events = definer->contents->n_events;
    uint32_t machine = define_string(definer, "machine"), node = define_string(definer, "node");
    uint32_t master = define_string(definer, "Master thread"), n_nodes = FIRST_HOST_NODE;
    DEFINE(definer, SystemTreeNode, MACHINE_NODE, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    VEC(const char *) hosts = {0};
    for (uint32_t rank = 0; rank < recording->n_processes; rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        const char *host = process->host ? process->host : "unknown";
        size_t i = hosts.count;
        while (i > 0 && hosts.items[i - 1] != host)
            i--;
        if (i == 0) {
            *vec_push(&hosts) = host;
            i = hosts.count;
            uint32_t name = define_string(definer, host);
            DEFINE(definer, SystemTreeNode, n_nodes++, name, node, MACHINE_NODE);
        }
        char text[64];
        snprintf(text, sizeof text, "MPI Rank %u", rank);
        DEFINE(definer, LocationGroup, rank, define_string(definer, text), OTF2_LOCATION_GROUP_TYPE_PROCESS,
               (uint32_t)(FIRST_HOST_NODE + i - 1), OTF2_UNDEFINED_LOCATION_GROUP);
        for (uint32_t k = 0; k < process->n_threads; k++) {
            uint32_t thread = process->threads[k], name = master;
            if (thread) {
                snprintf(text, sizeof text, "Thread %u", thread);
                name = define_string(definer, text);
            }
            DEFINE(definer, Location, (uint64_t)thread << 32 | rank, name, OTF2_LOCATION_TYPE_CPU_THREAD, *n_events++,
                   rank);
        }
    }
    vec_free(&hosts);
}

static OTF2_RegionRole region_role(const char *name)
{
    static const struct {
        const char *part;
        OTF2_RegionRole role;
    } roles[] = {
        {"MPI_Neighbor_", OTF2_REGION_ROLE_COLL_ALL2ALL},
        {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER},
        {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
        {"MPI_Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
        {"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
        {"MPI_Reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
        {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
        {"MPI_All", OTF2_REGION_ROLE_COLL_ALL2ALL},
        {"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER},
        {"MPI_Exscan", OTF2_REGION_ROLE_COLL_OTHER},
        {"pvm_barrier", OTF2_REGION_ROLE_BARRIER},
        {"pvm_scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
        {"pvm_gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
        {"pvm_reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
        {"pvm_send", OTF2_REGION_ROLE_POINT2POINT},
        {"pvm_psend", OTF2_REGION_ROLE_POINT2POINT},
        {"pvm_recv", OTF2_REGION_ROLE_POINT2POINT},
        {"pvm_precv", OTF2_REGION_ROLE_POINT2POINT},
        {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT},
        {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT},
        {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT},
        {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT},
        {"MPI_File_", OTF2_REGION_ROLE_FILE_IO},
        {"MPI_Win_", OTF2_REGION_ROLE_RMA},
        {"MPI_Put", OTF2_REGION_ROLE_RMA},
        {"MPI_Rput", OTF2_REGION_ROLE_RMA},
        {"MPI_Get", OTF2_REGION_ROLE_RMA},
        {"MPI_Rget", OTF2_REGION_ROLE_RMA},
        {"MPI_Accumulate", OTF2_REGION_ROLE_RMA},
        {"MPI_Raccumulate", OTF2_REGION_ROLE_RMA},
        {"MPI_Fetch_and_op", OTF2_REGION_ROLE_RMA},
        {"MPI_Compare_and_swap", OTF2_REGION_ROLE_RMA},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strncmp(name, roles[i].part, strlen(roles[i].part)) == 0)
            return roles[i].role;
    return OTF2_REGION_ROLE_FUNCTION;
}

static void define_named_region(Definer *definer, uint32_t ref, const NamedRegion *region)
{
    uint32_t name = define_string(definer, region->name), description = define_string(definer, region->description);
    OTF2_RegionRole role = region->is_call ? region_role(region->name) : OTF2_REGION_ROLE_ARTIFICIAL;
    OTF2_Paradigm paradigm = region->is_call ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
    OTF2_RegionFlag flags = region->is_call ? OTF2_REGION_FLAG_NONE : OTF2_REGION_FLAG_PHASE;
    DEFINE(definer, Region, ref, name, name, description, role, paradigm, flags, OTF2_UNDEFINED_STRING, 0, 0);
}

static void define_asleep(Definer *definer, uint32_t ref)
{
    uint32_t name = define_string(definer, ASLEEP_REGION);
    uint32_t description = define_string(definer, "at a stop for a checkpoint: neither computation nor communication");
    DEFINE(definer, Region, ref, name, name, description, OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
           OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
}

static void define_regions(Definer *definer)
{
    const RegionTable *regions = definer->contents->regions;
    uint32_t n_named = definer->contents->n_named_regions;
    for (uint32_t i = 0; i < n_named; i++)
        define_named_region(definer, i, &definer->contents->named_regions[i]);
    for (uint32_t i = 0; i < regions->n; i++) {
        if (regions->calls[i] == ASLEEP_CALL) {
            define_asleep(definer, n_named + i);
            continue;
        }
        const char *call = call_name(regions->calls[i]);
        uint32_t name = define_string(definer, call);
        DEFINE(definer, Region, n_named + i, name, name, definer->empty, region_role(call), OTF2_PARADIGM_MPI,
               OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
}

static void define_metric(Definer *definer)
{
    const OTF2_MetricMemberRef member = 0;
    uint32_t name = define_string(definer, CPU_METRIC_NAME), unit = define_string(definer, CPU_METRIC_UNIT);
    uint32_t description = define_string(definer, "CPU time of the thread, sampled now and then; "
                                                  "between two MPI calls without a sample the thread ran all the time");
    DEFINE(definer, MetricMember, member, name, description, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,
           OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit);
    DEFINE(definer, MetricClass, CPU_METRIC, 1, &member, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static void define_groups(Definer *definer)
{
    const ArchiveContents *contents = definer->contents;
    uint32_t n_processes = contents->recording->n_processes;
    uint64_t *members = memory_zeroed(n_processes, sizeof *members);
    for (uint32_t rank = 0; rank < n_processes; rank++)
        members[rank] = rank; /* locations of the main threads */
    DEFINE(definer, Group, LOCATIONS_GROUP, definer->empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
           OTF2_GROUP_FLAG_NONE, n_processes, members);
    DEFINE(definer, Group, SELF_GROUP, definer->empty, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
           OTF2_GROUP_FLAG_NONE, 0, NULL);
    for (uint32_t i = 0; i < contents->comms->n_comms; i++) {
        definer->group_of_list[contents->comms->comms[i].a] = FIRST_LIST_GROUP;
        if (contents->comms->comms[i].b != NO_MEMBERS)
            definer->group_of_list[contents->comms->comms[i].b] = FIRST_LIST_GROUP;
    }
    for (uint32_t i = 0, group = FIRST_LIST_GROUP; i < contents->comms->n_lists; i++) {
        if (!definer->group_of_list[i])
            continue;
        const MemberList *list = &contents->comms->lists[i];
        uint64_t *listed = memory_zeroed(list->n_inside, sizeof *listed);
        member_list_expand(list, listed);
        DEFINE(definer, Group, group, definer->empty, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
               OTF2_GROUP_FLAG_NONE, list->n_inside, listed);
        definer->group_of_list[i] = group++;
        free(listed);
    }
    free(members);
}

static void define_comms(Definer *definer)
{
    const CommTable *comms = definer->contents->comms;
    uint32_t world = define_string(definer, definer->contents->recording->is_pvm ? "all tasks" : "MPI_COMM_WORLD"),
             self = define_string(definer, "MPI_COMM_SELF");
    DEFINE(definer, Comm, COMM_WORLD, world, definer->group_of_list[comms->comms[COMM_WORLD].a], OTF2_UNDEFINED_COMM,
           OTF2_COMM_FLAG_NONE);
    if (!definer->contents->without_self)
        DEFINE(definer, Comm, COMM_SELF, self, SELF_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (uint32_t i = COMM_SELF + 1; i < comms->n_comms; i++) {
        const UnifiedComm *comm = &comms->comms[i];
        assert(definer->group_of_list[comm->a]);
        if (comm->b == NO_MEMBERS)
            DEFINE(definer, Comm, i, definer->empty, definer->group_of_list[comm->a], COMM_WORLD, OTF2_COMM_FLAG_NONE);
        else
            DEFINE(definer, InterComm, i, definer->empty, definer->group_of_list[comm->a],
                   definer->group_of_list[comm->b], OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    }
}

static void define_windows(Definer *definer)
{
    const CommTable *comms = definer->contents->comms;
    OTF2_RmaWinFlag flag =
        definer->contents->is_annotated ? OTF2_RMA_WIN_FLAG_NONE : OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS;
    for (uint32_t i = 0; i < comms->n_comms; i++)
        if (comms->comms[i].window != NO_WINDOW)
            DEFINE(definer, RmaWin, comms->comms[i].window, definer->empty, i, flag);
}

OTF2_ErrorCode definitions_write(OTF2_GlobalDefWriter *writer, const ArchiveContents *contents)
{
    Definer definer = {.writer = writer,
                       .contents = contents,
                       .group_of_list = memory_zeroed(contents->comms->n_lists, sizeof(uint32_t))};
    definer.empty = define_string(&definer, "");
    define_clock(&definer);
    define_paradigm(&definer);
    define_attributes(&definer);
    define_locations(&definer);
    define_regions(&definer);
    define_metric(&definer);
    define_groups(&definer);
    define_comms(&definer);
    define_windows(&definer);
    free(definer.group_of_list);
    return definer.status;
}
