/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings as JSON (docs/FORMATS.md). */
#include "verbs/map/views.h"

#include "base/json.h"

static json_t *platform_json(const MappingProblem *problem)
{
    const Platform *platform = problem->platform;
    json_t *object = json_object(), *nodes = json_array();
    json_object_set_new(object, "description", json_from_text(platform->description));
    json_object_set_new(object, "processors", json_integer(platform->n_processors));
    json_object_set_new(object, "slots_per_processor", json_integer(problem->slots_per_processor));
    for (uint32_t i = 0; i < platform->n_nodes; i++)
        json_array_append_new(nodes, json_from_text(platform->nodes[i]));
    json_object_set_new(object, "nodes", nodes);
    return object;
}

static json_t *place_json(const MappingProblem *problem, const Mapping *mapping, uint32_t task)
{
    const Processor *processor = &problem->platform->processors[mapping->processors[task]];
    json_t *object = json_object();
    json_object_set_new(object, "task", json_from_text(problem->ttig->nodes[task].name));
    json_object_set_new(object, "node", json_from_text(processor->node));
    json_object_set_new(object, "core", json_integer(processor->core));
    if (processor->cpu >= 0)
        json_object_set_new(object, "cpu", json_integer(processor->cpu));
    return object;
}

static json_t *one_json(const MappingProblem *problem, const Mapping *mapping, const Mapping *usual)
{
    json_t *object = json_object(), *places = json_array();
    json_object_set_new(object, "mapper", json_string(mapping->mapper));
    json_object_set_new(object, "predicted_s", json_real(mapping->completion_s));
    json_object_set_new(object, "gain", json_real(mapping_gain(mapping, usual)));
    json_object_set_new(object, "busy_s", json_real(mapping->outcome.busy_s));
    json_object_set_new(object, "remote_bytes", json_real(mapping->outcome.remote_bytes));
    json_object_set_new(object, "local_bytes", json_real(mapping->outcome.local_bytes));
    json_object_set_new(object, "overlap", json_real(mapping->outcome.overlap));
    for (uint32_t i = 0; i < problem->ttig->n_nodes; i++)
        json_array_append_new(places, place_json(problem, mapping, i));
    json_object_set_new(object, "places", places);
    return object;
}

json_t *mapping_json(const MappingProblem *problem, const Mapping *mappings, uint32_t n)
{
    const Mapping *usual = mapping_find(mappings, n, MAPPING_DEFAULT);
    json_t *root = json_object(), *list = json_array();
    json_object_set_new(root, "tasks", json_integer(problem->ttig->n_nodes));
    json_object_set_new(root, "tasks_are_made", json_boolean(!problem->ttig->tasks));
    json_object_set_new(root, "platform", platform_json(problem));
    json_object_set_new(root, "default", json_string(usual->mapper));
    json_object_set_new(root, "least_gain", json_real(MAPPING_LEAST_GAIN));
    json_object_set_new(root, "gain_expected", json_boolean(mapping_gains(&mappings[0], usual)));
    if (problem->ttig->tasks) {
        const TaskGraph *tasks = problem->ttig->tasks;
        json_object_set_new(root, "collectives_left_out", json_integer((json_int_t)tasks->n_collectives_left_out));
        json_object_set_new(root, "one_sided_left_out", json_integer((json_int_t)tasks->n_one_sided_left_out));
        json_object_set_new(root, "left_out_share", json_real(tasks->left_out_share));
    }
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, one_json(problem, &mappings[i], usual));
    json_object_set_new(root, "mappings", list);
    return root;
}
