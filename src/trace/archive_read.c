/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening an archive: its definitions become a Trace, and tables that make reading events fast. Whoever wrote it
 * decides the numbers of its definitions and their order; nothing here depends on how firma does it. */
#include "trace/archive_read.h"

#include "trace/anchor.h"
#include "trace/archive_names.h"
#include "trace/otf2_errors.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { DENSE_LIMIT = 1 << 22, SELF_COMM_LIMIT = 1 << 24 };

/* Definitions as they come; strings and members are copied. */
typedef struct RawRegion {
    uint64_t ref;
    uint32_t name, canonical;
    OTF2_Paradigm paradigm;
} RawRegion;

typedef struct RawGroup {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    uint32_t n_members;
    const uint64_t *members;
    const uint32_t *ranks; /* made when first needed */
} RawGroup;

typedef struct RawComm {
    uint32_t ref, name, group_a, group_b;
    bool is_inter;
} RawComm;

typedef struct RawLocation {
    uint64_t ref, n_events;
    uint32_t group;
    OTF2_LocationType type;
} RawLocation;

typedef struct RawPair {
    uint32_t ref, value;
} RawPair;

typedef struct RawMetric {
    uint32_t ref, name, unit;
} RawMetric;

typedef struct Definitions {
    Archive *archive;
    Arena *scratch;
    RefTable strings, groups;
    VEC(const char *) texts;
    VEC(RawRegion) regions;
    VEC(RawGroup) group_list;
    VEC(RawComm) comms;
    VEC(RawLocation) locations;
    VEC(RawPair) attributes; /* ref, name */
    VEC(RawPair) contexts;   /* ref, region */
    VEC(RawPair) windows;    /* ref, comm */
    VEC(RawMetric) metrics;  /* members */
    VEC(RawPair) classes;    /* of one member: ref, member */
    RefTable accelerators;   /* location groups that aren't processes */
} Definitions;

void ref_table_put(RefTable *table, uint64_t ref, uint32_t value)
{
    if (ref >= table->n_dense && ref < DENSE_LIMIT && ref < 2 * (uint64_t)table->n_dense + 1024) {
        uint32_t grown = (uint32_t)(2 * ref + 16);
        table->dense = memory_resize(table->dense, grown * sizeof *table->dense);
        for (uint32_t i = table->n_dense; i < grown; i++)
            table->dense[i] = ref_table_get_sparse(table, i);
        table->n_dense = grown;
    }
    if (ref < table->n_dense)
        table->dense[ref] = value;
    else
        *map_put(&table->sparse, (MapKey){0, ref}, NULL) = (uint64_t)value + 1;
}

uint32_t ref_table_get_sparse(const RefTable *table, uint64_t ref)
{
    uint64_t *value = map_get(&table->sparse, (MapKey){0, ref});
    return value ? (uint32_t)(*value - 1) : NOT_FOUND;
}

void ref_table_free(RefTable *table)
{
    free(table->dense);
    map_free(&table->sparse);
    *table = (RefTable){0};
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    Definitions *definitions = user;
    ref_table_put(&definitions->strings, self, (uint32_t)definitions->texts.count);
    *vec_push(&definitions->texts) = arena_strdup(definitions->scratch, text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
    (void)length;
    (void)realtime;
    Archive *archive = ((Definitions *)user)->archive;
    archive->resolution = resolution;
    archive->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    (void)description;
    (void)type;
    *vec_push(&((Definitions *)user)->attributes) = (RawPair){self, name};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                           OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                           OTF2_LocationGroupRef creating)
{
    (void)name;
    (void)parent;
    (void)creating;
    if (type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
        ref_table_put(&((Definitions *)user)->accelerators, self, 1);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                     uint64_t n_events, OTF2_LocationGroupRef group)
{
    (void)name;
    *vec_push(&((Definitions *)user)->locations) =
        (RawLocation){.ref = self, .n_events = n_events, .group = group, .type = type};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    (void)description;
    (void)role;
    (void)flags;
    (void)file;
    (void)begin;
    (void)end;
    *vec_push(&((Definitions *)user)->regions) =
        (RawRegion){.ref = self, .name = name, .canonical = canonical, .paradigm = paradigm};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_calling_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                            OTF2_SourceCodeLocationRef source, OTF2_CallingContextRef parent)
{
    (void)source;
    (void)parent;
    *vec_push(&((Definitions *)user)->contexts) = (RawPair){self, region};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n_members,
                                  const uint64_t *members)
{
    (void)name;
    Definitions *definitions = user;
    uint64_t *copy = arena_new_array(definitions->scratch, uint64_t, n_members);
    if (n_members)
        memcpy(copy, members, n_members * sizeof *copy);
    ref_table_put(&definitions->groups, self, (uint32_t)definitions->group_list.count);
    *vec_push(&definitions->group_list) =
        (RawGroup){.type = type, .paradigm = paradigm, .flags = flags, .n_members = n_members, .members = copy};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)parent;
    (void)flags;
    *vec_push(&((Definitions *)user)->comms) = (RawComm){.ref = self, .name = name, .group_a = group};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a,
                                       OTF2_GroupRef b, OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)common;
    (void)flags;
    *vec_push(&((Definitions *)user)->comms) =
        (RawComm){.ref = self, .name = name, .group_a = a, .group_b = b, .is_inter = true};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                   OTF2_RmaWinFlag flags)
{
    (void)name;
    (void)flags;
    *vec_push(&((Definitions *)user)->windows) = (RawPair){self, comm};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                          OTF2_StringRef description, OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
    (void)description;
    (void)type;
    (void)base;
    (void)exponent;
    if (mode == OTF2_METRIC_ACCUMULATED_START && value_type == OTF2_TYPE_UINT64)
        *vec_push(&((Definitions *)user)->metrics) = (RawMetric){self, name, unit};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t n,
                                         const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
                                         OTF2_RecorderKind recorder)
{
    (void)occurrence;
    (void)recorder;
    if (n == 1)
        *vec_push(&((Definitions *)user)->classes) = (RawPair){self, members[0]};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *definition_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks)
        return NULL;
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_calling_context);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
    return callbacks;
}

static const char *text_of(const Definitions *definitions, uint32_t ref)
{
    uint32_t i = ref_table_get(&definitions->strings, ref);
    return i == NOT_FOUND ? "" : definitions->texts.items[i];
}

static bool broken(const Archive *archive, Err *err, const char *what)
{
    const char *cause = otf2_errors_first();
    return err_set(err, ERR_INPUT, "%s: %s%s%s", archive->anchor, what, *cause ? ": " : "", cause);
}

static const char *definitions_path(const Archive *archive)
{
    return arena_printf(archive->arena, "%s.def", archive->events_path);
}

static bool read_definitions(Archive *archive, Definitions *definitions, Err *err)
{
    const char *path = definitions_path(archive);
    uint64_t n_locations = 0, n_definitions = 0, n_read = 0;
    if (OTF2_Reader_GetNumberOfLocations(archive->reader, &n_locations) != OTF2_SUCCESS ||
        OTF2_Reader_GetNumberOfGlobalDefinitions(archive->reader, &n_definitions) != OTF2_SUCCESS)
        return broken(archive, err, "cannot read the anchor file");
    if (!n_locations)
        return err_set(err, ERR_INPUT, "%s: the archive has no locations: nothing was traced", archive->anchor);
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive->reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = definition_callbacks();
    OTF2_ErrorCode status = OTF2_ERROR_INVALID;
    if (reader && callbacks) {
        status = OTF2_Reader_RegisterGlobalDefCallbacks(archive->reader, reader, callbacks, definitions);
        if (status == OTF2_SUCCESS)
            status = OTF2_Reader_ReadAllGlobalDefinitions(archive->reader, reader, &n_read);
    }
    if (callbacks)
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (reader)
        OTF2_Reader_CloseGlobalDefReader(archive->reader, reader);
    if (status != OTF2_SUCCESS) {
        const char *cause = otf2_errors_first();
        return err_set(err, ERR_INPUT, "%s: cannot read the definitions: %s", path,
                       *cause ? cause : OTF2_Error_GetDescription(status));
    }
    if (n_read != n_definitions || definitions->locations.count != n_locations)
        return err_set(err, ERR_INPUT,
                       "%s: truncated: %lu definitions and %zu locations, but the anchor file promises %lu and %lu",
                       path, (unsigned long)n_read, definitions->locations.count, (unsigned long)n_definitions,
                       (unsigned long)n_locations);
    if (!archive->resolution)
        return err_set(err, ERR_INPUT, "%s: no clock properties", path);
    return true;
}

static Collective neighbourhood_collective(const char *name)
{
    static const struct {
        const char *name;
        Collective collective;
    } known[] = {
        {"allgather", COLLECTIVE_NEIGHBOR_ALLGATHER}, {"allgatherv", COLLECTIVE_NEIGHBOR_ALLGATHERV},
        {"alltoall", COLLECTIVE_NEIGHBOR_ALLTOALL},   {"alltoallv", COLLECTIVE_NEIGHBOR_ALLTOALLV},
        {"alltoallw", COLLECTIVE_NEIGHBOR_ALLTOALLW},
    };
    const char *rest = strncasecmp(name, "neighbor_", 9) == 0     ? name + 9
                       : strncasecmp(name, "ineighbor_", 10) == 0 ? name + 10
                                                                  : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(rest, known[i].name) == 0)
            return known[i].collective;
    return COLLECTIVE_COUNT;
}

static uint32_t classify_region(Archive *archive, const char *name, OTF2_Paradigm paradigm)
{
    bool named = strncasecmp(name, "MPI_", 4) == 0;
    if (paradigm != OTF2_PARADIGM_MPI && !(named && paradigm == OTF2_PARADIGM_UNKNOWN))
        return REGION_OTHER;
    if (!named)
        return REGION_MPI;
    if (strcasecmp(name + 4, "Init") == 0 || strcasecmp(name + 4, "Init_thread") == 0) {
        archive->has_init = true;
        return REGION_INIT;
    }
    if (strcasecmp(name + 4, "Finalize") == 0) {
        archive->has_finalize = true;
        return REGION_FINALIZE;
    }
    Collective collective = neighbourhood_collective(name + 4);
    return collective == COLLECTIVE_COUNT ? (uint32_t)REGION_MPI
                                          : REGION_MPI | ((uint32_t)collective + 1) << REGION_KIND_BITS;
}

static void build_regions(Archive *archive, const Definitions *definitions)
{
    for (size_t i = 0; i < definitions->regions.count; i++) {
        const RawRegion *region = &definitions->regions.items[i];
        const char *name = text_of(definitions, region->canonical);
        if (!*name)
            name = text_of(definitions, region->name);
        ref_table_put(&archive->regions, region->ref, classify_region(archive, name, region->paradigm));
    }
    for (size_t i = 0; i < definitions->contexts.count; i++)
        ref_table_put(&archive->contexts, definitions->contexts.items[i].ref,
                      ref_table_get(&archive->regions, definitions->contexts.items[i].value));
}

static void find_attributes(Archive *archive, const Definitions *definitions)
{
    const struct {
        const char *name;
        OTF2_AttributeRef *ref;
    } wanted[] = {
        {ATTRIBUTE_COLLECTIVE, &archive->attribute_collective},
        {ATTRIBUTE_COMM, &archive->attribute_comm},
        {ATTRIBUTE_ROOT, &archive->attribute_root},
        {ATTRIBUTE_BYTES_SENT, &archive->attribute_sent},
        {ATTRIBUTE_BYTES_RECEIVED, &archive->attribute_received},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        *wanted[k].ref = OTF2_UNDEFINED_ATTRIBUTE;
        for (size_t i = 0; i < definitions->attributes.count; i++)
            if (strcmp(text_of(definitions, definitions->attributes.items[i].value), wanted[k].name) == 0)
                *wanted[k].ref = definitions->attributes.items[i].ref;
    }
}

static void find_cpu_metric(Archive *archive, const Definitions *definitions)
{
    archive->cpu_metric = OTF2_UNDEFINED_METRIC;
    for (size_t i = 0; i < definitions->metrics.count; i++) {
        const RawMetric *member = &definitions->metrics.items[i];
        if (strcmp(text_of(definitions, member->name), CPU_METRIC_NAME) != 0 ||
            strcmp(text_of(definitions, member->unit), CPU_METRIC_UNIT) != 0)
            continue;
        for (size_t k = 0; k < definitions->classes.count; k++)
            if (definitions->classes.items[k].value == member->ref)
                archive->cpu_metric = definitions->classes.items[k].ref;
    }
}

static int compare_locations(const void *a, const void *b)
{
    const Location *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->is_main != y->is_main)
        return x->is_main ? -1 : 1;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

static const RawGroup *comm_locations(const Definitions *definitions)
{
    for (size_t i = 0; i < definitions->group_list.count; i++)
        if (definitions->group_list.items[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
            definitions->group_list.items[i].paradigm == OTF2_PARADIGM_MPI)
            return &definitions->group_list.items[i];
    return NULL;
}

static bool is_thread(const Definitions *definitions, const RawLocation *location)
{
    return (location->type == OTF2_LOCATION_TYPE_CPU_THREAD || location->type == OTF2_LOCATION_TYPE_UNKNOWN) &&
           ref_table_get(&definitions->accelerators, location->group) == NOT_FOUND;
}

/* Ranks of the world: COMM_LOCATIONS lists one location for each, in order. The other threads of that location's group
 * are threads of the process, unless several ranks share the group. */
static bool assign_ranks(const Definitions *definitions, const RawGroup *world, uint32_t *rank_of_location,
                         RefTable *rank_of_group, Err *err)
{
    enum { SHARED = NOT_FOUND - 1 };
    const Archive *archive = definitions->archive;
    RefTable index = {0};
    for (size_t i = 0; i < definitions->locations.count; i++) {
        ref_table_put(&index, definitions->locations.items[i].ref, (uint32_t)i);
        rank_of_location[i] = NOT_FOUND;
    }
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < world->n_members; rank++) {
        uint32_t i = ref_table_get(&index, world->members[rank]);
        if (i == NOT_FOUND) {
            ok = err_set(err, ERR_INPUT, "%s: MPI rank %u is location %lu, which isn't defined",
                         definitions_path(archive), rank, (unsigned long)world->members[rank]);
        } else if (rank_of_location[i] != NOT_FOUND) {
            ok = err_set(err, ERR_INPUT, "%s: MPI ranks %u and %u are the same location %lu", definitions_path(archive),
                         rank_of_location[i], rank, (unsigned long)world->members[rank]);
        } else {
            uint32_t group = definitions->locations.items[i].group;
            rank_of_location[i] = rank;
            ref_table_put(rank_of_group, group, ref_table_get(rank_of_group, group) == NOT_FOUND ? rank : SHARED);
        }
    }
    for (size_t i = 0; ok && i < definitions->locations.count; i++) {
        const RawLocation *location = &definitions->locations.items[i];
        uint32_t rank = ref_table_get(rank_of_group, location->group);
        if (rank_of_location[i] == NOT_FOUND && rank != SHARED && is_thread(definitions, location))
            rank_of_location[i] = rank;
    }
    ref_table_free(&index);
    return ok;
}

static void build_locations(Archive *archive, const Definitions *definitions, const RawGroup *world,
                            const uint32_t *rank_of_location)
{
    archive->locations = arena_new_array(archive->arena, Location, definitions->locations.count);
    archive->processes = arena_new_array(archive->arena, Process, world->n_members);
    for (size_t i = 0; i < definitions->locations.count; i++) {
        if (rank_of_location[i] == NOT_FOUND)
            continue;
        const RawLocation *raw = &definitions->locations.items[i];
        archive->locations[archive->n_locations++] = (Location){
            .archive = archive,
            .ref = raw->ref,
            .n_promised = raw->n_events,
            .process = rank_of_location[i],
            .is_main = world->members[rank_of_location[i]] == raw->ref,
        };
        archive->n_total += raw->n_events == OTF2_UNDEFINED_UINT64 ? 0 : raw->n_events;
    }
    qsort(archive->locations, archive->n_locations, sizeof(Location), compare_locations);
    for (size_t i = archive->n_locations; i-- > 0;) {
        Process *process = &archive->processes[archive->locations[i].process];
        process->locations = &archive->locations[i];
        process->n_locations++;
    }
}

static bool build_processes(Archive *archive, const Definitions *definitions, Err *err)
{
    const RawGroup *world = comm_locations(definitions);
    if (!world || world->n_members == 0)
        return err_set(err, ERR_INPUT, "%s: no MPI processes in this archive", definitions_path(archive));
    if (world->n_members > definitions->locations.count)
        return err_set(err, ERR_INPUT, "%s: %u MPI ranks, but only %zu locations", definitions_path(archive),
                       world->n_members, definitions->locations.count);
    archive->n_processes = world->n_members;
    uint32_t *rank_of_location = arena_new_array(definitions->scratch, uint32_t, definitions->locations.count);
    RefTable rank_of_group = {0};
    bool ok = assign_ranks(definitions, world, rank_of_location, &rank_of_group, err);
    if (ok)
        build_locations(archive, definitions, world, rank_of_location);
    ref_table_free(&rank_of_group);
    return ok;
}

/* A communicator's group, with its members as world ranks if it is one of MPI processes. */
static bool group_ranks(Archive *archive, const Definitions *definitions, uint32_t comm, uint32_t ref, RawGroup **group,
                        Err *err)
{
    uint32_t i = ref_table_get(&definitions->groups, ref);
    if (i == NOT_FOUND)
        return err_set(err, ERR_INPUT, "%s: communicator %u has group %u, which isn't defined",
                       definitions_path(archive), comm, ref);
    *group = &definitions->group_list.items[i];
    if ((*group)->ranks || (*group)->paradigm != OTF2_PARADIGM_MPI)
        return true;
    uint32_t *ranks = arena_new_array(archive->arena, uint32_t, (*group)->n_members);
    for (uint32_t k = 0; k < (*group)->n_members; k++) {
        if ((*group)->members[k] >= archive->n_processes)
            return err_set(err, ERR_INPUT, "%s: group %u has member %lu in a world of %u processes",
                           definitions_path(archive), ref, (unsigned long)(*group)->members[k], archive->n_processes);
        ranks[k] = (uint32_t)(*group)->members[k];
    }
    (*group)->ranks = ranks;
    return true;
}

static const uint8_t *membership(Archive *archive, const uint32_t *members, uint32_t n_members)
{
    uint8_t *bits = arena_new_array(archive->arena, uint8_t, archive->n_processes / 8 + 1);
    for (uint32_t i = 0; i < n_members; i++)
        bits[members[i] / 8] |= (uint8_t)(1u << members[i] % 8);
    return bits;
}

typedef VEC(Comm) Comms;

static void add_self_comms(Archive *archive, const char *name, const uint32_t *every_rank, Comms *comms)
{
    for (uint32_t rank = 0; rank < archive->n_processes; rank++)
        *vec_push(comms) = (Comm){.name = name, .n_members = 1, .members = &every_rank[rank]};
}

static void add_inter_comm(Archive *archive, ReadComm *comm, const char *name, Comms *comms)
{
    uint32_t n = comm->n_a + comm->n_b, *members = arena_new_array(archive->arena, uint32_t, n);
    bool a_first = !comm->n_b || (comm->n_a && comm->a[0] <= comm->b[0]);
    const uint32_t *first = a_first ? comm->a : comm->b, *second = a_first ? comm->b : comm->a;
    uint32_t n_first = a_first ? comm->n_a : comm->n_b;
    for (uint32_t i = 0; i < n; i++)
        members[i] = i < n_first ? first[i] : second[i - n_first];
    comm->in_a = membership(archive, comm->a, comm->n_a);
    *vec_push(comms) = (Comm){.name = name, .n_members = n, .members = members};
}

static bool add_comm(Archive *archive, const Definitions *definitions, const RawComm *raw, const uint32_t *every_rank,
                     Comms *comms, Err *err)
{
    RawGroup *a, *b = NULL;
    if (!group_ranks(archive, definitions, raw->ref, raw->group_a, &a, err) ||
        (raw->is_inter && !group_ranks(archive, definitions, raw->ref, raw->group_b, &b, err)))
        return false;
    if (!a->ranks || (b && !b->ranks))
        return true; /* threads have communicators, too */
    ReadComm comm = {
        .first = (uint32_t)comms->count,
        .is_inter = raw->is_inter,
        .is_self = a->type == OTF2_GROUP_TYPE_COMM_SELF && !raw->is_inter,
        .n_a = a->n_members,
        .a = a->ranks,
        .n_b = b ? b->n_members : 0,
        .b = b ? b->ranks : NULL,
    };
    const char *name = text_of(definitions, raw->name);
    name = *name ? arena_strdup(archive->arena, name) : arena_printf(archive->arena, "communicator %u", raw->ref);
    if (comm.is_self && comms->count + archive->n_processes > SELF_COMM_LIMIT)
        return err_set(err, ERR_INPUT, "%s: more than %d communicators", definitions_path(archive), SELF_COMM_LIMIT);
    if (comm.is_self)
        add_self_comms(archive, name, every_rank, comms);
    else if (comm.is_inter)
        add_inter_comm(archive, &comm, name, comms);
    else
        *vec_push(comms) = (Comm){.name = name, .n_members = comm.n_a, .members = comm.a};
    if (a->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) { /* events name world ranks */
        comm.is_inter = false;
        comm.a = every_rank;
        comm.n_a = archive->n_processes;
    }
    ref_table_put(&archive->comms, raw->ref, (uint32_t)archive->read_comms.count);
    *vec_push(&archive->read_comms) = comm;
    return true;
}

static int compare_members(const Comm *x, const Comm *y)
{
    if (x->n_members != y->n_members)
        return x->n_members < y->n_members ? -1 : 1;
    for (uint32_t i = 0; i < x->n_members && x->members != y->members; i++)
        if (x->members[i] != y->members[i])
            return x->members[i] < y->members[i] ? -1 : 1;
    return 0;
}

static int compare_comms(const void *a, const void *b)
{
    return compare_members(*(Comm *const *)a, *(Comm *const *)b);
}

/* Groups are numbered by size, then members, so that the numbers don't depend on the order of the definitions. */
static void number_groups(const Archive *archive, const Definitions *definitions, const uint32_t *every_rank,
                          Comms *comms)
{
    const Comm world = {.n_members = archive->n_processes, .members = every_rank};
    Comm **order = arena_new_array(definitions->scratch, Comm *, comms->count);
    for (size_t i = 0; i < comms->count; i++)
        order[i] = &comms->items[i];
    qsort(order, comms->count, sizeof *order, compare_comms);
    uint32_t group = 0;
    for (size_t i = 0; i < comms->count; i++) {
        if (compare_members(order[i], &world) == 0)
            order[i]->group = 0;
        else if (i > 0 && compare_members(order[i], order[i - 1]) == 0)
            order[i]->group = order[i - 1]->group;
        else
            order[i]->group = ++group;
    }
}

static int compare_raw_comms(const void *a, const void *b)
{
    const RawComm *x = a, *y = b;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

static bool build_comms(Archive *archive, Definitions *definitions, Err *err)
{
    uint32_t *every_rank = arena_new_array(archive->arena, uint32_t, archive->n_processes);
    for (uint32_t rank = 0; rank < archive->n_processes; rank++)
        every_rank[rank] = rank;
    if (definitions->comms.count)
        qsort(definitions->comms.items, definitions->comms.count, sizeof(RawComm), compare_raw_comms);
    Comms comms = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < definitions->comms.count; i++)
        ok = add_comm(archive, definitions, &definitions->comms.items[i], every_rank, &comms, err);
    if (ok) {
        number_groups(archive, definitions, every_rank, &comms);
        Comm *kept = arena_new_array(archive->arena, Comm, comms.count);
        if (comms.count)
            memcpy(kept, comms.items, comms.count * sizeof *kept);
        archive->trace.comms = kept;
        archive->trace.n_comms = (uint32_t)comms.count;
        for (size_t i = 0; i < definitions->windows.count; i++)
            ref_table_put(&archive->windows, definitions->windows.items[i].ref,
                          ref_table_get(&archive->comms, definitions->windows.items[i].value));
    }
    vec_free(&comms);
    return ok;
}

static const char *property(Archive *archive, const char *name)
{
    char *value = NULL, *copy;
    if (OTF2_Reader_GetProperty(archive->reader, name, &value) != OTF2_SUCCESS || !value)
        return "";
    copy = arena_strdup(archive->arena, value);
    free(value);
    return copy;
}

static void read_application(Archive *archive)
{
    Application *application = &archive->trace.application;
    application->executable = property(archive, PROPERTY_EXECUTABLE);
    application->build_id = property(archive, PROPERTY_BUILD_ID);
    application->mpi_library = property(archive, PROPERTY_MPI_LIBRARY);
    application->n_processes = archive->n_processes;
    json_t *array = json_loads(property(archive, PROPERTY_ARGUMENTS), 0, NULL);
    size_t n = json_array_size(array);
    const char **arguments = arena_new_array(archive->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(array, i));
        arguments[i] = arena_strdup(archive->arena, text ? text : "");
    }
    application->arguments = arguments;
    application->n_arguments = (uint32_t)n;
    json_decref(array);
}

static void free_definitions(Definitions *definitions)
{
    ref_table_free(&definitions->strings);
    ref_table_free(&definitions->groups);
    ref_table_free(&definitions->accelerators);
    vec_free(&definitions->texts);
    vec_free(&definitions->regions);
    vec_free(&definitions->group_list);
    vec_free(&definitions->comms);
    vec_free(&definitions->locations);
    vec_free(&definitions->attributes);
    vec_free(&definitions->contexts);
    vec_free(&definitions->windows);
    vec_free(&definitions->metrics);
    vec_free(&definitions->classes);
    arena_free(definitions->scratch);
}

static bool build(Archive *archive, Err *err)
{
    Definitions definitions = {.archive = archive, .scratch = arena_new()};
    bool ok = read_definitions(archive, &definitions, err) && build_processes(archive, &definitions, err) &&
              build_comms(archive, &definitions, err);
    if (ok) {
        build_regions(archive, &definitions);
        find_attributes(archive, &definitions);
        find_cpu_metric(archive, &definitions);
        read_application(archive);
    }
    free_definitions(&definitions);
    return ok;
}

/* "DIR" -> "DIR/traces.otf2", or the one anchor file that is in it. */
static bool find_anchor(const char *path, Arena *arena, const char **anchor, Err *err)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        size_t length = strlen(path);
        if (length <= 5 || strcmp(path + length - 5, ".otf2") != 0) {
            err_set(err, ERR_INPUT, "%s: not an OTF2 archive: its anchor file ends in .otf2", path);
            return err_hint(err, "name the directory of the trace, or the .otf2 file in it");
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
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".otf2") == 0) {
            *anchor = arena_printf(arena, "%s/%s", path, entry->d_name);
            n++;
        }
    }
    if (stream)
        closedir(stream);
    if (n == 1)
        return true;
    err_set(err, ERR_INPUT,
            n ? "%s: more than one trace is in this directory" : "%s: no trace (*.otf2) is in this directory", path);
    return err_hint(err, n ? "name the .otf2 file" : "`firma trace` makes one");
}

/* Each open reader holds a file and a buffer of the archive's chunk size, and what OTF2 and libc do to open or close
 * one takes longer the more are open. So beyond some number of locations only few stay open, and each visit reads as
 * much of a location as memory for the events of all allows: coming back costs as much as reading thousands of records.
 */
static void limit_open_readers(Archive *archive)
{
    enum { MANY_READERS = 1024, FEW_READERS = 256, SPARE_FILES = 64, BATCH = 1024, MOST_VISITED = 64 * BATCH };
    const uint64_t visited_records = UINT64_C(1) << 26; /* over all locations: about 1.5 GiB of events */
    struct rlimit files = {0};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max &&
        files.rlim_cur < MANY_READERS + SPARE_FILES) {
        files.rlim_cur = files.rlim_max < MANY_READERS + SPARE_FILES ? files.rlim_max : MANY_READERS + SPARE_FILES;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    uint64_t limit = files.rlim_cur > 2 * SPARE_FILES ? files.rlim_cur - SPARE_FILES : SPARE_FILES;
    if (limit > MANY_READERS)
        limit = MANY_READERS;
    archive->open_limit = (uint32_t)limit;
    archive->batch = BATCH;
    if (archive->n_locations > limit) {
        archive->open_limit = limit < FEW_READERS ? (uint32_t)limit : FEW_READERS;
        uint64_t visit = visited_records / archive->n_locations;
        archive->batch = visit < BATCH ? BATCH : visit > MOST_VISITED ? MOST_VISITED : (size_t)visit;
    }
}

static bool open_event_files(Archive *archive, Err *err)
{
    for (size_t i = 0; i < archive->n_locations; i++)
        if (OTF2_Reader_SelectLocation(archive->reader, archive->locations[i].ref) != OTF2_SUCCESS)
            return broken(archive, err, "cannot select a location");
    OTF2_Reader_OpenDefFiles(archive->reader); /* there may be none */
    otf2_errors_start();
    if (OTF2_Reader_OpenEvtFiles(archive->reader) != OTF2_SUCCESS)
        return broken(archive, err, "cannot open the events");
    archive->callbacks = archive_event_callbacks();
    return archive->callbacks || broken(archive, err, "cannot read events");
}

bool archive_open(const char *path, Archive **archive, Err *err)
{
    Arena *arena = arena_new();
    Archive *opened = arena_new_array(arena, Archive, 1);
    opened->arena = arena;
    bool ok = find_anchor(path, arena, &opened->anchor, err) && anchor_check(opened->anchor, err);
    if (ok) {
        opened->events_path = arena_strndup(arena, opened->anchor, strlen(opened->anchor) - 5);
        otf2_errors_start();
        opened->reader = OTF2_Reader_Open(opened->anchor);
        if (!opened->reader)
            ok = broken(opened, err, "not a readable OTF2 archive");
        else if (OTF2_Reader_SetSerialCollectiveCallbacks(opened->reader) != OTF2_SUCCESS)
            ok = broken(opened, err, "not a readable OTF2 archive");
    }
    ok = ok && build(opened, err);
    if (ok) {
        OTF2_Compression compression = OTF2_COMPRESSION_NONE;
        OTF2_Reader_GetCompression(opened->reader, &compression);
        opened->compressed = compression != OTF2_COMPRESSION_NONE;
        limit_open_readers(opened);
        ok = open_event_files(opened, err);
    }
    if (!ok) {
        archive_close(opened);
        return false;
    }
    opened->source = (EventSource){.trace = &opened->trace, .read = archive_read_events};
    *archive = opened;
    return true;
}

void archive_close(Archive *archive)
{
    if (!archive)
        return;
    for (size_t i = 0; i < archive->n_locations; i++) {
        Location *location = &archive->locations[i];
        if (location->reader)
            OTF2_Reader_CloseEvtReader(archive->reader, location->reader);
        free(location->events);
        vec_free(&location->held);
    }
    if (archive->callbacks)
        OTF2_EvtReaderCallbacks_Delete(archive->callbacks);
    if (archive->reader)
        OTF2_Reader_Close(archive->reader);
    ref_table_free(&archive->regions);
    ref_table_free(&archive->contexts);
    ref_table_free(&archive->comms);
    ref_table_free(&archive->windows);
    vec_free(&archive->read_comms);
    arena_free(archive->arena);
}

EventSource *archive_source(Archive *archive)
{
    return &archive->source;
}

uint64_t archive_records_read(const Archive *archive)
{
    return archive->n_read;
}

uint64_t archive_records_total(const Archive *archive)
{
    return archive->n_total;
}
