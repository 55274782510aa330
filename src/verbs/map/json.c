/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings as a document. */
#include "verbs/map/views.h"

typedef struct MapView {
    const MappingProblem *problem;
    const Ttig *ttig;
    bool tasks_are_made, gain_expected;
    const Mapping *usual;
    double least_gain;
    const Mapping *mappings;
    uint32_t n_mappings;
} MapView;

static const FieldList processors_fields =
    FIELDS(Platform, FIELD(Platform, description, "where the costs of messages come from"),
           FIELD_AS(Platform, n_processors, "processors", "how many"));

static const FieldList nodes_fields = FIELDS(Platform, FIELD_LIST(Platform, nodes, n_nodes, "nodes", "their names"));

static const FieldList platform_fields =
    FIELDS(MappingProblem, FIELD_INLINE_POINTED(MappingProblem, platform, processors_fields),
           FIELD(MappingProblem, slots_per_processor, "tasks that one may hold"),
           FIELD_INLINE_POINTED(MappingProblem, platform, nodes_fields));

typedef struct PlaceView {
    const char *task;
    const Processor *processor;
} PlaceView;

static const FieldList processor_fields =
    FIELDS(Processor, FIELD(Processor, node, "its name"), FIELD(Processor, core, "number on the node"),
           FIELD(Processor, cpu, "the operating system's number, if it is known", .flags = FIELD_ABSENT));

static const FieldList place_fields =
    FIELDS(PlaceView, FIELD(PlaceView, task, "its name"), FIELD_INLINE_POINTED(PlaceView, processor, processor_fields));

static json_t *places_json(const FieldContext *context, const void *record)
{
    const MapView *view = context->root;
    json_t *places = json_array();
    for (uint32_t i = 0; i < view->ttig->n_nodes; i++) {
        uint32_t processor = ((const Mapping *)record)->processors[i];
        const PlaceView place = {view->ttig->nodes[i].name, &view->problem->platform->processors[processor]};
        json_array_append_new(places, fields_to_json(&place_fields, &place, 0));
    }
    return places;
}

static const FieldList one_fields = FIELDS(
    Mapping, FIELD(Mapping, mapper, "its name"), FIELD_AS(Mapping, completion_s, "predicted_s", "the run's time"),
    FIELD(Mapping, gain, "share of the default's time that is saved; below 0: the mapping takes longer"),
    FIELD(Mapping, gain_low, "the gain's interval"), FIELD(Mapping, gain_high, "the gain's interval"),
    FIELD(Mapping, simgrid_s,
          "the run's time as SimGrid simulates the trace; of the recommended mapping and the default",
          .flags = FIELD_ABSENT),
    FIELD_AS(Mapping, outcome.busy_s, "busy_s", "computation of all processors"),
    FIELD_AS(Mapping, outcome.remote_bytes, "remote_bytes", "between nodes"),
    FIELD_AS(Mapping, outcome.local_bytes, "local_bytes", "between processors of a node"),
    FIELD_AS(Mapping, outcome.overlap, "overlap", "computation over the time of all processors that are used"),
    FIELD_OWN("places", SHAPE_LIST, places_json, NULL, "of each task", .of = &place_fields));

static const FieldList tasks_fields = FIELDS(Ttig, FIELD_AS(Ttig, n_nodes, "tasks", "how many"));
static const FieldList default_fields = FIELDS(Mapping, FIELD_AS(Mapping, mapper, "default", "the default mapper"));

#define LEFT_OUT "what the graph lacks, as in the TFG; absent if it holds no steps"
static const FieldList left_out_fields =
    FIELDS(TaskGraph, FIELD_AS(TaskGraph, n_collectives_left_out, "collectives_left_out", LEFT_OUT),
           FIELD_AS(TaskGraph, n_one_sided_left_out, "one_sided_left_out", LEFT_OUT),
           FIELD(TaskGraph, left_out_share, LEFT_OUT),
           FIELD(TaskGraph, guessed_share, "as in the TFG; absent if it holds no steps"));

static const FieldList steps_fields = FIELDS(Ttig, FIELD_INLINE_POINTED(Ttig, tasks, left_out_fields));

const FieldList mapping_fields = FIELDS(
    MapView, FIELD_INLINE_POINTED(MapView, ttig, tasks_fields),
    FIELD(MapView, tasks_are_made, "whether the graph holds no steps, so that firma made them from its nodes"),
    FIELD_POINTED(MapView, problem, "platform", "what tasks are mapped onto", .of = &platform_fields),
    FIELD_INLINE_POINTED(MapView, usual, default_fields),
    FIELD(MapView, least_gain, "smaller shares don't count as a gain, because two equal runs differ by that much"),
    FIELD(MapView, gain_expected, "whether the best mapping gains `least_gain` or more, and its interval is above 0"),
    FIELD_INLINE_POINTED(MapView, ttig, steps_fields),
    FIELD_LIST(MapView, mappings, n_mappings, "mappings", "best first", .of = &one_fields));

json_t *mapping_json(const MappingProblem *problem, const Mapping *mappings, uint32_t n)
{
    const Mapping *usual = mapping_find(mappings, n, MAPPING_DEFAULT);
    const MapView view = {.problem = problem,
                          .ttig = problem->ttig,
                          .tasks_are_made = !problem->ttig->tasks,
                          .gain_expected = mapping_sign(&mappings[0]) > 0,
                          .usual = usual,
                          .least_gain = MAPPING_LEAST_GAIN,
                          .mappings = mappings,
                          .n_mappings = n};
    return fields_to_json(&mapping_fields, &view, 0);
}
