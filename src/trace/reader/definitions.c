/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. Strings and members are copied, because OTF2 frees them after each
 * callback. */
#include "trace/reader/definitions.h"

#include "trace/otf2_callbacks.h"
#include "trace/otf2_errors.h"
#include <string.h>

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    Definitions *definitions = user;
    ref_table_put(&definitions->strings, self, (uint32_t)definitions->texts.count);
    *vec_push(&definitions->texts) = arena_strdup(definitions->scratch, text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, UNUSED uint64_t length,
                                  UNUSED uint64_t realtime)
{
    Archive *archive = ((Definitions *)user)->archive;
    archive->resolution = resolution;
    archive->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      UNUSED OTF2_StringRef description, UNUSED OTF2_Type type)
{
    *vec_push(&((Definitions *)user)->attributes) = (RawPair){self, name};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self, UNUSED OTF2_StringRef name,
                                           OTF2_LocationGroupType type, UNUSED OTF2_SystemTreeNodeRef parent,
                                           UNUSED OTF2_LocationGroupRef creating)
{
    if (type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
        ref_table_put(&((Definitions *)user)->accelerators, self, 1);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, UNUSED OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t n_events, OTF2_LocationGroupRef group)
{
    *vec_push(&((Definitions *)user)->locations) =
        (RawLocation){.ref = self, .n_events = n_events, .group = group, .type = type};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                   UNUSED OTF2_StringRef description, UNUSED OTF2_RegionRole role,
                                   OTF2_Paradigm paradigm, UNUSED OTF2_RegionFlag flags, UNUSED OTF2_StringRef file,
                                   UNUSED uint32_t begin, UNUSED uint32_t end)
{
    *vec_push(&((Definitions *)user)->regions) =
        (RawRegion){.ref = self, .name = name, .canonical = canonical, .paradigm = paradigm};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_calling_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                            UNUSED OTF2_SourceCodeLocationRef source,
                                            UNUSED OTF2_CallingContextRef parent)
{
    *vec_push(&((Definitions *)user)->contexts) = (RawPair){self, region};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, UNUSED OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n_members,
                                  const uint64_t *members)
{
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
                                 UNUSED OTF2_CommRef parent, UNUSED OTF2_CommFlag flags)
{
    *vec_push(&((Definitions *)user)->comms) = (RawComm){.ref = self, .name = name, .group_a = group};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a,
                                       OTF2_GroupRef b, UNUSED OTF2_CommRef common, UNUSED OTF2_CommFlag flags)
{
    *vec_push(&((Definitions *)user)->comms) =
        (RawComm){.ref = self, .name = name, .group_a = a, .group_b = b, .is_inter = true};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, UNUSED OTF2_StringRef name, OTF2_CommRef comm,
                                   UNUSED OTF2_RmaWinFlag flags)
{
    *vec_push(&((Definitions *)user)->windows) = (RawPair){self, comm};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                          UNUSED OTF2_StringRef description, UNUSED OTF2_MetricType type,
                                          OTF2_MetricMode mode, OTF2_Type value_type, UNUSED OTF2_Base base,
                                          UNUSED int64_t exponent, OTF2_StringRef unit)
{
    if (mode == OTF2_METRIC_ACCUMULATED_START && value_type == OTF2_TYPE_UINT64)
        *vec_push(&((Definitions *)user)->metrics) = (RawMetric){self, name, unit};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t n,
                                         const OTF2_MetricMemberRef *members, UNUSED OTF2_MetricOccurrence occurrence,
                                         UNUSED OTF2_RecorderKind recorder)
{
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

const char *definitions_text(const Definitions *definitions, uint32_t ref)
{
    uint32_t i = ref_table_get(&definitions->strings, ref);
    return i == NOT_FOUND ? "" : definitions->texts.items[i];
}

const char *definitions_path(const Archive *archive)
{
    return arena_printf(archive->arena, "%s.def", archive->events_path);
}

bool definitions_read(Archive *archive, Definitions *definitions, Err *err)
{
    const char *path = definitions_path(archive);
    uint64_t n_locations = 0, n_definitions = 0, n_read = 0;
    if (OTF2_Reader_GetNumberOfLocations(archive->reader, &n_locations) != OTF2_SUCCESS ||
        OTF2_Reader_GetNumberOfGlobalDefinitions(archive->reader, &n_definitions) != OTF2_SUCCESS)
        return otf2_errors_set(err, archive->anchor, "cannot read the anchor file");
    if (!n_locations)
        return err_set(err, ERR_INPUT, "%s: the archive has no locations, so nothing was traced", archive->anchor);
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive->reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = definition_callbacks();
    OTF2_ErrorCode status = OTF2_ERROR_INVALID;
    if (reader && callbacks) {
        status = OTF2_Reader_RegisterGlobalDefCallbacks(archive->reader, reader, callbacks, definitions);
        if (status == OTF2_SUCCESS)
            status = OTF2_Reader_ReadGlobalDefinitions(archive->reader, reader, n_definitions + 1, &n_read);
    }
    if (callbacks)
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (reader)
        OTF2_Reader_CloseGlobalDefReader(archive->reader, reader);
    if (status != OTF2_SUCCESS)
        return err_set(err, ERR_INPUT, "%s: cannot read the definitions: %s", path, otf2_errors_cause(status));
    if (n_read != n_definitions || definitions->locations.count != n_locations)
        return err_set(err, ERR_INPUT,
                       "%s: truncated: %lu definitions and %zu locations, but the anchor file announces %lu and %lu",
                       path, (unsigned long)n_read, definitions->locations.count, (unsigned long)n_definitions,
                       (unsigned long)n_locations);
    if (!archive->resolution)
        return err_set(err, ERR_INPUT, "%s: no clock properties", path);
    return true;
}

void definitions_free(Definitions *definitions)
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
