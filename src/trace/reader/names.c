/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds definitions by their names: regions of MPI calls, attributes, and the metric of CPU time.
 * See definitions.h. */
#include "trace/reader/definitions.h"

#include "trace/archive_names.h"
#include <string.h>
#include <strings.h>

/* The collective of "neighbor_alltoall" or "Ineighbor_alltoall"; COLLECTIVE_COUNT for another
 * call. */
static Collective neighbourhood_collective(const char *name)
{
    name += strncasecmp(name, "i", 1) == 0;
    for (int i = COLLECTIVE_NEIGHBOR_ALLGATHER; i <= COLLECTIVE_NEIGHBOR_ALLTOALLW; i++)
        if (strcasecmp(name, collective_name((Collective)i)) == 0)
            return (Collective)i;
    return COLLECTIVE_COUNT;
}

_Static_assert(REGION_IO <= REGION_KIND_MASK, "a kind of region has REGION_KIND_BITS bits");

static uint32_t begin_of(Archive *archive)
{
    archive->has_init = true;
    return REGION_INIT;
}

static uint32_t end_of(Archive *archive)
{
    archive->has_finalize = true;
    return REGION_FINALIZE;
}

static uint32_t classify_region(Archive *archive, const char *name, OTF2_Paradigm paradigm)
{
    bool named = strncasecmp(name, "MPI_", 4) == 0;
    if (paradigm != OTF2_PARADIGM_MPI && !(named && paradigm == OTF2_PARADIGM_UNKNOWN))
        return REGION_OTHER;
    if (strcmp(name, PVM_FIRST_CALL) == 0)
        return begin_of(archive);
    if (strcmp(name, PVM_LAST_CALL) == 0)
        return end_of(archive);
    if (!named)
        return REGION_MPI;
    if (strcasecmp(name + 4, "Init") == 0 || strcasecmp(name + 4, "Init_thread") == 0)
        return begin_of(archive);
    if (strcasecmp(name + 4, "Finalize") == 0)
        return end_of(archive);
    if (strncasecmp(name + 4, "File_", 5) == 0)
        return REGION_IO;
    Collective collective = neighbourhood_collective(name + 4);
    return collective == COLLECTIVE_COUNT ? (uint32_t)REGION_MPI
                                          : REGION_MPI | ((uint32_t)collective + 1) << REGION_KIND_BITS;
}

void tables_build_regions(Archive *archive, const Definitions *definitions)
{
    for (size_t i = 0; i < definitions->regions.count; i++) {
        const RawRegion *region = &definitions->regions.items[i];
        const char *name = definitions_text(definitions, region->canonical);
        if (!*name)
            name = definitions_text(definitions, region->name);
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
            if (strcmp(definitions_text(definitions, definitions->attributes.items[i].value), wanted[k].name) == 0)
                *wanted[k].ref = definitions->attributes.items[i].ref;
    }
}

static void find_cpu_metric(Archive *archive, const Definitions *definitions)
{
    archive->cpu_metric = OTF2_UNDEFINED_METRIC;
    for (size_t i = 0; i < definitions->metrics.count; i++) {
        const RawMetric *member = &definitions->metrics.items[i];
        if (strcmp(definitions_text(definitions, member->name), CPU_METRIC_NAME) != 0 ||
            strcmp(definitions_text(definitions, member->unit), CPU_METRIC_UNIT) != 0)
            continue;
        for (size_t k = 0; k < definitions->classes.count; k++)
            if (definitions->classes.items[k].value == member->ref)
                archive->cpu_metric = definitions->classes.items[k].ref;
    }
}

void tables_find_own(Archive *archive, const Definitions *definitions)
{
    find_attributes(archive, definitions);
    find_cpu_metric(archive, definitions);
}
