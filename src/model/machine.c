/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a machine model (docs/FORMATS.md), and what it says of a message. */
#include "model/machine.h"

#include "base/json.h"
#include "base/text.h"
#include "model/comm_json.h"
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

double machine_message_s(const MachinePath *path, double bytes)
{
    uint32_t at = 0;
    while (at + 1 < path->n_segments && (double)path->segments[at + 1].from_bytes <= bytes)
        at++;
    return path->n_segments ? path->segments[at].latency_s.value + bytes * path->segments[at].s_per_byte.value : NAN;
}

static void set_estimated(json_t *object, const char *key, const Estimated *estimated)
{
    json_t *inner = json_object();
    json_set_real(inner, "value", estimated->value);
    json_set_real(inner, "low", estimated->low);
    json_set_real(inner, "high", estimated->high);
    json_object_set_new(object, key, inner);
}

static json_t *path_to_json(const MachinePath *path)
{
    json_t *object = json_object(), *segments = json_array();
    configuration_to_json(object, &path->configuration);
    json_object_set_new(object, "from_host", json_integer(path->from_host));
    json_object_set_new(object, "to_host", json_integer(path->to_host));
    json_object_set_new(object, "linear", json_boolean(path->linear));
    json_set_real(object, "largest_error", path->largest_error);
    json_object_set_new(object, "largest_bytes", json_integer((json_int_t)path->largest_bytes));
    for (uint32_t i = 0; i < path->n_segments; i++) {
        json_t *segment = json_object();
        json_object_set_new(segment, "from_bytes", json_integer((json_int_t)path->segments[i].from_bytes));
        set_estimated(segment, "latency_s", &path->segments[i].latency_s);
        set_estimated(segment, "s_per_byte", &path->segments[i].s_per_byte);
        json_set_real(segment, "error", path->segments[i].error);
        json_array_append_new(segments, segment);
    }
    json_object_set_new(object, "segments", segments);
    return object;
}

static json_t *collective_to_json(const MachineCollective *collective)
{
    json_t *object = json_object();
    configuration_to_json(object, &collective->configuration);
    json_object_set_new(object, "operation", json_from_text(collective->operation));
    json_object_set_new(object, "model", json_from_text(collective->model));
    set_estimated(object, "latency_s", &collective->latency_s);
    set_estimated(object, "s_per_byte", &collective->s_per_byte);
    json_set_real(object, "error", collective->error);
    json_object_set_new(object, "least_ranks", json_integer(collective->least_ranks));
    json_object_set_new(object, "most_ranks", json_integer(collective->most_ranks));
    return object;
}

json_t *machine_to_json(const MachineModel *machine)
{
    json_t *root = json_object(), *paths = json_array(), *collectives = json_array();
    json_object_set_new(root, "format", json_string(MACHINE_FORMAT));
    json_object_set_new(root, "version", json_integer(MACHINE_VERSION));
    json_object_set_new(root, "date", json_from_text(machine->date));
    json_object_set_new(root, "command", json_from_text(machine->command));
    json_object_set_new(root, "hosts", hosts_to_json(machine->hosts, machine->n_hosts));
    for (uint32_t i = 0; i < machine->n_paths; i++)
        json_array_append_new(paths, path_to_json(&machine->paths[i]));
    for (uint32_t i = 0; i < machine->n_collectives; i++)
        json_array_append_new(collectives, collective_to_json(&machine->collectives[i]));
    json_object_set_new(root, "paths", paths);
    json_object_set_new(root, "collectives", collectives);
    if (machine->n_processors) {
        json_t *processors = json_array();
        for (uint32_t i = 0; i < machine->n_processors; i++)
            json_array_append_new(processors, cpu_to_json(&machine->processors[i]));
        json_object_set_new(root, "processors", processors);
    }
    return root;
}

static bool estimated_from_json(const json_t *object, const char *key, const JsonPlace *place, Estimated *estimated,
                                Err *err)
{
    json_t *inner;
    const JsonPlace at = json_place(place->file, "%s.%s", place->path, key);
    if (!json_get_object(object, key, place, &inner, err) ||
        !json_get_seconds(inner, "value", &at, &estimated->value, err) ||
        !json_get_seconds(inner, "low", &at, &estimated->low, err) ||
        !json_get_seconds(inner, "high", &at, &estimated->high, err))
        return false;
    return (estimated->low <= estimated->value && estimated->value <= estimated->high) ||
           err_set(err, ERR_INPUT, "%s: %s: the value is not within its interval", at.file, at.path);
}

static bool segments_from_json(const json_t *array, const JsonPlace *place, Arena *arena, MachinePath *path, Err *err)
{
    size_t n = json_array_size(array);
    CostSegment *segments = arena_new_array(arena, CostSegment, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s.segments[%zu]", place->path, i);
        const json_t *object = json_array_get(array, i);
        if (!json_get_uint(object, "from_bytes", &at, INT64_MAX, &segments[i].from_bytes, err) ||
            !estimated_from_json(object, "latency_s", &at, &segments[i].latency_s, err) ||
            !estimated_from_json(object, "s_per_byte", &at, &segments[i].s_per_byte, err) ||
            !json_get_share(object, "error", &at, &segments[i].error, err))
            return false;
        if (i ? segments[i].from_bytes <= segments[i - 1].from_bytes : segments[i].from_bytes != 0)
            return err_set(err, ERR_INPUT, "%s: %s.from_bytes: %s", at.file, at.path,
                           i ? "not larger than that of the segment before it" : "the first segment begins at 0");
    }
    path->segments = segments;
    path->n_segments = (uint32_t)n;
    return true;
}

static bool path_from_json(const json_t *object, const JsonPlace *place, uint32_t n_hosts, Arena *arena,
                           MachinePath *path, Err *err)
{
    json_t *segments;
    return configuration_from_json(object, place, arena, &path->configuration, err) &&
           json_get_index(object, "from_host", place, n_hosts, &path->from_host, err) &&
           json_get_index(object, "to_host", place, n_hosts, &path->to_host, err) &&
           json_get_bool(object, "linear", place, &path->linear, err) &&
           json_get_share(object, "largest_error", place, &path->largest_error, err) &&
           json_get_uint(object, "largest_bytes", place, INT64_MAX, &path->largest_bytes, err) &&
           json_get_array(object, "segments", place, SIZE_MAX, &segments, err) &&
           segments_from_json(segments, place, arena, path, err);
}

static bool collective_from_json(const json_t *object, const JsonPlace *place, Arena *arena,
                                 MachineCollective *collective, Err *err)
{
    return configuration_from_json(object, place, arena, &collective->configuration, err) &&
           json_get_text(object, "operation", place, arena, &collective->operation, err) &&
           json_get_text(object, "model", place, arena, &collective->model, err) &&
           estimated_from_json(object, "latency_s", place, &collective->latency_s, err) &&
           estimated_from_json(object, "s_per_byte", place, &collective->s_per_byte, err) &&
           json_get_share(object, "error", place, &collective->error, err) &&
           json_get_uint32(object, "least_ranks", place, UINT32_MAX, &collective->least_ranks, err) &&
           json_get_uint32(object, "most_ranks", place, UINT32_MAX, &collective->most_ranks, err);
}

static bool lists_from_json(const json_t *root, const JsonPlace *place, Arena *arena, MachineModel *machine, Err *err)
{
    json_t *paths, *collectives;
    if (!json_get_array(root, "paths", place, SIZE_MAX, &paths, err) ||
        !json_get_array(root, "collectives", place, SIZE_MAX, &collectives, err))
        return false;
    machine->n_paths = (uint32_t)json_array_size(paths);
    machine->n_collectives = (uint32_t)json_array_size(collectives);
    MachinePath *path = arena_new_array(arena, MachinePath, machine->n_paths);
    MachineCollective *collective = arena_new_array(arena, MachineCollective, machine->n_collectives);
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const JsonPlace at = json_place(place->file, "paths[%u]", i);
        if (!path_from_json(json_array_get(paths, i), &at, machine->n_hosts, arena, &path[i], err))
            return false;
    }
    for (uint32_t i = 0; i < machine->n_collectives; i++) {
        const JsonPlace at = json_place(place->file, "collectives[%u]", i);
        if (!collective_from_json(json_array_get(collectives, i), &at, arena, &collective[i], err))
            return false;
    }
    machine->paths = path;
    machine->collectives = collective;
    return true;
}

static bool processors_from_json(const json_t *root, const JsonPlace *place, Arena *arena, MachineModel *machine,
                                 Err *err)
{
    json_t *array;
    if (!json_object_get(root, "processors"))
        return true;
    if (!json_get_array(root, "processors", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    CpuModel *processors = arena_new_array(arena, CpuModel, n);
    for (size_t i = 0; i < n; i++) {
        if (!cpu_from_json(json_array_get(array, i), place->file, (uint32_t)i, arena, &processors[i], err))
            return false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(processors[i].name, processors[j].name) == 0)
                return err_set(err, ERR_INPUT, "%s: processors[%zu].name: `%s` is there twice", place->file, i,
                               processors[i].name);
    }
    machine->processors = processors;
    machine->n_processors = (uint32_t)n;
    return true;
}

/* People write models of computing alone: that of communication is there as a whole, or not at all. */
static bool communication_from_json(const json_t *root, const JsonPlace *place, Arena *arena, MachineModel *machine,
                                    Err *err)
{
    static const char *const keys[] = {"date", "command", "hosts", "paths", "collectives"};
    bool is_there = !machine->n_processors;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        is_there = is_there || json_object_get(root, keys[i]);
    machine->date = machine->command = "";
    return !is_there || (json_get_text(root, "date", place, arena, &machine->date, err) &&
                         json_get_text(root, "command", place, arena, &machine->command, err) &&
                         hosts_from_json(root, place, arena, &machine->hosts, &machine->n_hosts, err) &&
                         lists_from_json(root, place, arena, machine, err));
}

static bool machine_from_json(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    MachineModel *machine = arena_new_array(arena, MachineModel, 1);
    if (!processors_from_json(root, &place, arena, machine, err) ||
        !communication_from_json(root, &place, arena, machine, err))
        return false;
    *(MachineModel **)result = machine;
    return true;
}

bool machine_save(const MachineModel *machine, const char *path, Err *err)
{
    json_t *root = machine_to_json(machine);
    bool saved = save_readable_document(root, path, machine_from_json, err);
    json_decref(root);
    return saved;
}

bool machine_load(const char *path, Arena *arena, MachineModel **machine, Err *err)
{
    return load_document(path, MACHINE_FORMAT, MACHINE_VERSION, machine_from_json, arena, machine, err);
}
