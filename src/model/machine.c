/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a machine model (docs/FORMATS.md), and lookups in it. */
#include "model/machine.h"

#include "base/text.h"
#include <math.h>
#include <string.h>

const MachinePath *machine_find_path(const MachineModel *machine, const CommConfiguration *configuration,
                                     uint32_t from_host, uint32_t to_host)
{
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        if (path->from_host == from_host && path->to_host == to_host &&
            comm_configuration_is_same(&path->configuration, configuration))
            return path;
    }
    return NULL;
}

const MachinePath *machine_find_path_of(const MachineModel *machine, const CommConfiguration *configuration,
                                        const CommSeries *series)
{
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        if (path->from_host == series->from_host && path->to_host == series->to_host &&
            comm_configuration_is_same(&path->configuration, configuration) &&
            comm_level_is_same(path->level, series->level))
            return path;
    }
    return NULL;
}

const MachineCollective *machine_find_collective(const MachineModel *machine, const CommConfiguration *configuration,
                                                 const char *operation)
{
    for (uint32_t i = 0; i < machine->n_collectives; i++) {
        const MachineCollective *collective = &machine->collectives[i];
        if (strcmp(collective->operation, operation) == 0 &&
            comm_configuration_is_same(&collective->configuration, configuration))
            return collective;
    }
    return NULL;
}

const CpuModel *machine_find_processor(const MachineModel *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->n_processors; i++)
        if (strcmp(machine->processors[i].name, name) == 0)
            return &machine->processors[i];
    return NULL;
}

bool machine_has_context(const MachineModel *machine)
{
    for (uint32_t i = 0; machine && i < machine->n_processors; i++)
        for (uint32_t j = 0; j < machine->processors[i].n_languages; j++)
            if (*machine->processors[i].languages[j].options)
                return true;
    return false;
}

const MachineNoise *machine_find_noise(const MachineModel *machine, const char *host)
{
    for (uint32_t i = 0; i < machine->n_noises; i++)
        if (strcmp(machine->noises[i].host, host) == 0)
            return &machine->noises[i];
    return NULL;
}

const char *machine_configuration_names(const MachineModel *machine, Arena *arena)
{
    Text names = {0};
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const CommConfiguration *configuration = &machine->paths[i].configuration;
        uint32_t first = 0;
        while (!comm_configuration_is_same(&machine->paths[first].configuration, configuration))
            first++;
        if (first == i)
            text_add(&names, "%s`%s`", i ? ", " : "", comm_configuration_name(configuration, arena));
    }
    return text_take(&names, arena);
}

bool machine_refuse_configuration(const MachineModel *machine, const char *name, Arena *arena, Err *err)
{
    if (!machine->n_paths)
        return err_set(err, ERR_INPUT, "the machine model doesn't say what messages cost") ||
               err_hint(err, "measure them with `firma comm`");
    return err_set(err, ERR_USAGE, "--configuration: the machine model has no configuration `%.100s`", name) ||
           err_hint(err, "choose one of %s", machine_configuration_names(machine, arena));
}

double machine_path_rate(const MachinePath *path)
{
    return 1 / path->segments[path->n_segments - 1].s_per_byte.value;
}

const CostSegment *machine_path_segment(const MachinePath *path, double bytes)
{
    uint32_t at = 0;
    while (at + 1 < path->n_segments && (double)path->segments[at + 1].from_bytes <= bytes)
        at++;
    return &path->segments[at];
}

double machine_message_s(const MachinePath *path, double bytes)
{
    if (!path->n_segments)
        return NAN;
    const CostSegment *segment = machine_path_segment(path, bytes);
    return segment->latency_s.value + bytes * segment->s_per_byte.value;
}

static bool check_estimated(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Estimated *estimated = record;
    (void)context;
    return (estimated->low <= estimated->value && estimated->value <= estimated->high) ||
           json_refuse(place, "", err, "`value` must lie between `low` and `high`");
}

#define NEVER_NEGATIVE .flags = FIELD_NOT_NEGATIVE, .limit = SECONDS_LIMIT
static const FieldList cost_fields =
    FIELDS_CHECKED(Estimated, check_estimated, FIELD(Estimated, value, "the value that fits best", NEVER_NEGATIVE),
                   FIELD(Estimated, low, "lower end of its 95 % interval", NEVER_NEGATIVE),
                   FIELD(Estimated, high, "upper end of its 95 % interval", NEVER_NEGATIVE));

static const FieldList segment_fields = FIELDS(
    CostSegment,
    FIELD(CostSegment, from_bytes,
          "the least size of the segment, which reaches to the next segment; 0 in the first one"),
    FIELD(CostSegment, latency_s, "a message of n bytes takes `latency_s` + n · `s_per_byte`", .of = &cost_fields),
    FIELD(CostSegment, s_per_byte, "time for each byte, in seconds", .of = &cost_fields),
    FIELD(CostSegment, error, "share: median of the relative errors at the segment's sizes",
          .flags = FIELD_NOT_NEGATIVE));

static bool check_path(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const MachinePath *path = record;
    (void)context;
    for (uint32_t i = 0; i < path->n_segments; i++) {
        const JsonPlace at = json_place_at(place, "segments", i);
        uint64_t from_bytes = path->segments[i].from_bytes;
        if (i == 0 && from_bytes != 0)
            return json_refuse(&at, "from_bytes", err, "must be 0 in the first segment");
        if (i && from_bytes <= path->segments[i - 1].from_bytes)
            return json_refuse(&at, "from_bytes", err, "must be larger than in the segment before");
    }
    return true;
}

static const FieldList path_fields = FIELDS_CHECKED(
    MachinePath, check_path,
    FIELD(MachinePath, configuration, "", .flags = FIELD_INLINE, .of = &comm_configuration_fields),
    FIELD(MachinePath, from_host, "index of the sender's host"),
    FIELD(MachinePath, to_host, "index of the receiver's host; if it equals `from_host`, two processes on that host"),
    FIELD(MachinePath, level,
          "within a host: the outermost of its levels at which the two processors are apart, or `core`; absent: all "
          "are alike, or it isn't known",
          .flags = FIELD_ABSENT),
    FIELD(MachinePath, linear, "false: the segments don't describe the measurement; don't extrapolate"),
    FIELD(MachinePath, largest_error, "share: the largest relative error at any size", .flags = FIELD_NOT_NEGATIVE),
    FIELD(MachinePath, largest_bytes, "the largest size that was measured"),
    FIELD_LIST(MachinePath, segments, n_segments, "segments", "costs of messages, by their size",
               .of = &segment_fields));

static const FieldList collective_fields =
    FIELDS(MachineCollective,
           FIELD(MachineCollective, configuration, "", .flags = FIELD_INLINE, .of = &comm_configuration_fields),
           FIELD(MachineCollective, operation, "`barrier`, `broadcast` …"),
           FIELD(MachineCollective, model, "the candidate that fits best"),
           FIELD(MachineCollective, latency_s, "α of this candidate", .of = &cost_fields),
           FIELD(MachineCollective, s_per_byte, "1/β of this candidate", .of = &cost_fields),
           FIELD(MachineCollective, error, "share: median of the relative errors at all measured points",
                 .flags = FIELD_NOT_NEGATIVE),
           FIELD(MachineCollective, least_ranks, "the fewest processes that were measured"),
           FIELD(MachineCollective, most_ranks, "the most processes that were measured"));

static bool check_machine(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    MachineModel *machine = record;
    (void)context;
    if (!machine->date)
        machine->date = machine->command = "";
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const JsonPlace at = json_place_at(place, "paths", i);
        if (!json_check_index(&at, "from_host", machine->paths[i].from_host, machine->n_hosts, err) ||
            !json_check_index(&at, "to_host", machine->paths[i].to_host, machine->n_hosts, err))
            return false;
    }
    for (uint32_t i = 0; i < machine->n_noises; i++) {
        const char *host = machine->noises[i].host;
        const JsonPlace at = json_place_at(place, "noise", i);
        if (machine_find_noise(machine, host) != &machine->noises[i])
            return json_refuse(&at, "host", err, "`%s` is the host of an earlier entry", host);
    }
    for (uint32_t i = 0; i < machine->n_processors; i++) {
        const char *name = machine->processors[i].name;
        const JsonPlace at = json_place_at(place, "processors", i);
        if (machine_find_processor(machine, name) != &machine->processors[i])
            return json_refuse(&at, "name", err, "`%s` is the name of an earlier entry", name);
    }
    return true;
}

static bool check_noise(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const MachineNoise *noise = record;
    (void)context;
    if (!noise->n_levels)
        return json_refuse(place, "deviation", err, "expected at least one number");
    for (uint32_t i = 0; i < noise->n_levels; i++)
        if (noise->deviation[i] > NOISE_LIMIT)
            return json_refuse(place, "deviation", err, "expected shares up to %g", NOISE_LIMIT);
    return (noise->base_s >= NOISE_LEAST_S && noise->base_s <= NOISE_MOST_S) ||
           json_refuse(place, "base_s", err, "expected a time from %g to %g s", NOISE_LEAST_S, NOISE_MOST_S);
}

const FieldList machine_noise_fields = FIELDS_CHECKED(
    MachineNoise, check_noise, FIELD(MachineNoise, host, "where it was measured"),
    FIELD(MachineNoise, date, "time of the measurement"),
    FIELD(MachineNoise, command, "the command line that measured"),
    FIELD_AS(MachineNoise, n_processors, "processors", "how many worked at the same time"),
    FIELD(MachineNoise, duration_s, "how long they worked", NEVER_NEGATIVE),
    FIELD(MachineNoise, base_s, "length of the shortest stretches", NEVER_NEGATIVE),
    FIELD_LIST(MachineNoise, deviation, n_levels, "deviation",
               "shares: Allan deviation of the time of the same work in stretches of `base_s`, and of 2, 4, 8 … times "
               "as long, on one processor",
               .flags = FIELD_NOT_NEGATIVE, .limit = NOISE_LIMIT));

#define NOISE_FIELD                                                                                                    \
    FIELD_LIST(MachineModel, noises, n_noises, "noise",                                                                \
               "how much the time of the same work differs, one entry for each host; absent: not measured. A file "    \
               "may have them alone, too",                                                                             \
               .flags = FIELD_ABSENT, .of = &machine_noise_fields)

#define PROCESSORS_FIELD                                                                                               \
    FIELD_LIST(MachineModel, processors, n_processors, "processors",                                                   \
               "costs of computing, one entry for each kind of machine; absent: not measured. People write "           \
               "and edit these entries, too. A file may have them alone, without the members before",                  \
               .flags = FIELD_ABSENT, .of = &cpu_fields)

static const FieldList machine_fields = FIELDS_CHECKED(
    MachineModel, check_machine, FIELD(MachineModel, date, "time of the measurement on which the model is based"),
    FIELD(MachineModel, command, "the command line that measured"),
    FIELD_LIST(MachineModel, hosts, n_hosts, "hosts", "hosts of the model; the root's host comes first",
               .of = &comm_host_fields),
    FIELD_LIST(MachineModel, paths, n_paths, "paths", "costs of messages from host to host", .of = &path_fields),
    FIELD_LIST(MachineModel, collectives, n_collectives, "collectives", "costs of collectives",
               .of = &collective_fields),
    FIELD(
        MachineModel, statistic,
        "the times that paths and collectives describe: the `median` of the samples of each size, or their `min`imum; "
        "absent: the median",
        .choices = comm_statistic_names, .flags = FIELD_OPTIONAL),
    PROCESSORS_FIELD, NOISE_FIELD);

/* People write models of computing alone; noise may be alone, too. A file has all members about
 * communication, or none of them. */
static const FieldList computing_fields = FIELDS_CHECKED(MachineModel, check_machine, PROCESSORS_FIELD, NOISE_FIELD);

static const FieldList *choose_record(const json_t *root)
{
    /* what follows processors stands alone, too */
    for (const Field *field = machine_fields.fields; field->type != FIELD_STRUCT || field->of != &cpu_fields; field++)
        if (json_object_get(root, field->name))
            return &machine_fields;
    bool has_own = json_object_get(root, "processors") || json_object_get(root, "noise");
    return has_own ? &computing_fields : &machine_fields;
}

const Document machine_document = {MACHINE_FORMAT, MACHINE_VERSION, &machine_fields, .is_checked = true,
                                   .choose = choose_record};
