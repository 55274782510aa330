/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm_json.h. */
#include "model/comm_json.h"

json_t *hosts_to_json(const CommHost *hosts, uint32_t n_hosts)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < n_hosts; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "name", json_from_text(hosts[i].name));
        json_object_set_new(object, "system", json_from_text(hosts[i].system));
        json_object_set_new(object, "processor", json_from_text(hosts[i].processor));
        json_object_set_new(object, "cpus", json_integer(hosts[i].n_cpus));
        json_array_append_new(array, object);
    }
    return array;
}

bool hosts_from_json(const json_t *root, const JsonPlace *place, Arena *arena, const CommHost **hosts,
                     uint32_t *n_hosts, Err *err)
{
    json_t *array;
    if (!json_get_array(root, "hosts", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    CommHost *host = arena_new_array(arena, CommHost, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "hosts[%zu]", i);
        const json_t *object = json_array_get(array, i);
        if (!json_get_text(object, "name", &at, arena, &host[i].name, err) ||
            !json_get_text(object, "system", &at, arena, &host[i].system, err) ||
            !json_get_text(object, "processor", &at, arena, &host[i].processor, err) ||
            !json_get_uint32(object, "cpus", &at, UINT32_MAX, &host[i].n_cpus, err))
            return false;
    }
    *hosts = host;
    *n_hosts = (uint32_t)n;
    return true;
}

void configuration_to_json(json_t *object, const CommConfiguration *configuration)
{
    json_object_set_new(object, "middleware", json_from_text(configuration->middleware));
    json_object_set_new(object, "transport", json_from_text(configuration->transport));
    json_object_set_new(object, "packing", json_from_text(configuration->packing));
    json_object_set_new(object, "library", json_from_text(configuration->library));
}

bool configuration_from_json(const json_t *object, const JsonPlace *place, Arena *arena,
                             CommConfiguration *configuration, Err *err)
{
    return json_get_text(object, "middleware", place, arena, &configuration->middleware, err) &&
           json_get_text(object, "transport", place, arena, &configuration->transport, err) &&
           json_get_text(object, "packing", place, arena, &configuration->packing, err) &&
           json_get_text(object, "library", place, arena, &configuration->library, err);
}
