/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a kind of machine into the JSON document of a machine model, and changes nothing else in
 * it. */
#include "cost/cpu/machine.h"

#include "model/machine.h"
#include <string.h>

json_t *cpu_new_document(void)
{
    json_t *root = json_object();
    json_object_set_new(root, "format", json_string(MACHINE_FORMAT));
    json_object_set_new(root, "version", json_integer(MACHINE_VERSION));
    return root;
}

/* The index of the item whose text `key` equals that of `other`; the array's size if there is
 * none. */
static size_t find(const json_t *array, const char *key, const json_t *other)
{
    Arena *arena = arena_new();
    const char *wanted = json_to_text(json_object_get(other, key), arena), *text;
    size_t i = 0;
    while (i < json_array_size(array) &&
           (!(text = json_to_text(json_object_get(json_array_get(array, i), key), arena)) || strcmp(text, wanted) != 0))
        i++;
    arena_free(arena);
    return i;
}

/* Absent options are empty ones: measured one by one. */
static const char *options_of(const json_t *costs)
{
    const char *text = json_string_value(json_object_get(costs, "options"));
    return text ? text : "";
}

/* The index of the costs of the same language and options; the array's size if there are none. */
static size_t find_costs(const json_t *languages, const json_t *costs)
{
    size_t i = 0;
    for (; i < json_array_size(languages); i++) {
        const json_t *one = json_array_get(languages, i);
        if (json_equal(json_object_get(one, "language"), json_object_get(costs, "language")) &&
            strcmp(options_of(one), options_of(costs)) == 0)
            break;
    }
    return i;
}

static void put_languages(json_t *kind, const json_t *measured)
{
    json_t *languages = json_object_get(kind, "languages");
    for (size_t i = 0; i < json_array_size(measured); i++) {
        json_t *costs = json_array_get(measured, i);
        size_t at = find_costs(languages, costs);
        if (at < json_array_size(languages))
            json_array_set(languages, at, costs);
        else
            json_array_append(languages, costs);
    }
}

void cpu_put(json_t *root, const CpuModel *cpu)
{
    json_t *kinds = json_object_get(root, "processors"), *measured = fields_to_json(&cpu_fields, cpu, 0);
    if (!kinds) {
        json_object_set_new(root, "processors", json_array());
        kinds = json_object_get(root, "processors");
    }
    size_t at = find(kinds, "name", measured);
    if (at == json_array_size(kinds)) {
        json_array_append_new(kinds, measured);
        return;
    }
    json_t *kind = json_array_get(kinds, at);
    put_languages(kind, json_object_get(measured, "languages"));
    json_object_del(measured, "languages");
    json_object_del(measured, "hosts");
    json_object_update(kind, measured);
    json_decref(measured);
}
