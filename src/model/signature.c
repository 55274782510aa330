/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a signature (docs/FORMATS.md). Milestones hold running sums in memory, and
 * differences in the file. So a phase takes space only at milestones behind its occurrences. */
#include "model/signature.h"

#include "base/text.h"
#include "model/application.h"
#include "model/strata_json.h"

enum { LOOP_DEPTH_LIMIT = 256, PHASE_LIMIT = 10 * 1000 * 1000, TICK_LIMIT = UINT32_MAX - 1 };
#define COUNT_LIMIT ((uint64_t)INT64_MAX)

/* Writes the events of a phase as one text for each process: "TICK:TYPE:BYTES TICK:TYPE:BYTES
 * …". */
static json_t *events_to_json(const FieldContext *context, const void *record)
{
    const Phase *phase = record;
    uint32_t n_processes = *context->n_each;
    Text *texts = memory_zeroed(n_processes, sizeof *texts);
    for (uint32_t i = 0; i < phase->n_events; i++) {
        const PhaseEvent *event = &phase->events[i];
        char type[64];
        comm_type_format(event->type, type);
        Text *text = &texts[event->process];
        text_add(text, "%s%u:%s:%lu", text->bytes.count ? " " : "", event->tick, type, (unsigned long)event->bytes);
    }
    json_t *array = json_array();
    for (uint32_t process = 0; process < n_processes; process++) {
        Text *text = &texts[process];
        json_array_append_new(array, json_stringn(text->bytes.count ? text->bytes.items : "", text->bytes.count));
        vec_free(&text->bytes);
    }
    free(texts);
    return array;
}

json_t *signature_loop_json(const Loop *loop)
{
    if (loop->phase)
        return json_pack("{s:I, s:I}", "times", (json_int_t)loop->count, "phase", (json_int_t)loop->phase);
    json_t *body = json_array();
    for (uint32_t i = 0; i < loop->n_body; i++)
        json_array_append_new(body, signature_loop_json(&loop->body[i]));
    return json_pack("{s:I, s:o}", "times", (json_int_t)loop->count, "body", body);
}

static bool parse_event(const char *token, uint32_t process, PhaseEvent *event)
{
    char type[64], *end;
    const char *last = strrchr(token, ':'), *first = strchr(token, ':');
    if (!first || first == last || (size_t)(last - first) > sizeof type || *token < '0' || *token > '9' ||
        last[1] < '0' || last[1] > '9')
        return false;
    unsigned long tick = strtoul(token, &end, 10);
    if (end != first || tick > TICK_LIMIT)
        return false;
    memcpy(type, first + 1, (size_t)(last - first - 1));
    type[last - first - 1] = '\0';
    *event = (PhaseEvent){.tick = (uint32_t)tick, .process = process, .bytes = strtoull(last + 1, &end, 10)};
    return *end == '\0' && comm_type_parse(type, &event->type);
}

static int compare_events(const void *left, const void *right)
{
    const PhaseEvent *a = left, *b = right;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* Reads the events of all processes. The result is ordered by tick, then process. */
static bool events_from_json(const FieldContext *context, json_t *array, const JsonPlace *place, void *record, Err *err)
{
    Phase *phase = record;
    VEC(PhaseEvent) events = {0};
    bool ok = true;
    for (size_t process = 0; ok && process < json_array_size(array); process++) {
        const char *text = json_string_value(json_array_get(array, process));
        ok = text != NULL;
        char *copy = arena_strdup(context->arena, text ? text : ""), *rest;
        for (char *token = strtok_r(copy, " ", &rest); ok && token; token = strtok_r(NULL, " ", &rest)) {
            PhaseEvent event;
            ok = parse_event(token, (uint32_t)process, &event) && event.tick < phase->n_ticks;
            if (ok)
                *vec_push(&events) = event;
        }
        if (!ok)
            err_set(err, ERR_INPUT, "%s: %s[%zu]: expected `TICK:TYPE:BYTES …` with ticks below %u", place->file,
                    place->path, process, phase->n_ticks);
    }
    if (ok) {
        qsort(events.items, events.count, sizeof(PhaseEvent), compare_events);
        PhaseEvent *kept = arena_new_array(context->arena, PhaseEvent, events.count);
        if (events.count)
            memcpy(kept, events.items, events.count * sizeof(PhaseEvent));
        phase->events = kept;
        phase->n_events = (uint32_t)events.count;
    }
    vec_free(&events);
    return ok;
}

static bool check_phase(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Phase *phase = record, *first = ((const Signature *)context->root)->phases;
    if (phase->id == 0)
        return json_refuse(place, "id", err, "must be at least 1");
    if (phase > first && phase->id <= phase[-1].id)
        return json_refuse(place, "id", err, "must be larger than in the phase before");
    if (phase->n_places == 0)
        return json_refuse(place, "places", err, "expected at least one");
    return strata_check(phase->strata, phase->n_strata, phase->weight, place, err);
}

static const FieldList place_fields = FIELDS(
    PhasePlace,
    FIELD_EACH(PhasePlace, startpoint, "startpoint", "per process: number of send-like events before the occurrence"),
    FIELD_EACH(PhasePlace, endpoint, "endpoint",
               "per process: number of send-like events before what follows the occurrence"));

static const FieldList phase_fields = FIELDS_CHECKED(
    Phase, check_phase, FIELD(Phase, id, "from 1, by first occurrence", .limit = PHASE_LIMIT),
    FIELD_AS(Phase, n_ticks, "ticks", "length of the phase", .limit = TICK_LIMIT),
    FIELD(Phase, weight, "number of occurrences"),
    FIELD(Phase, first_occurrence, "position of the first occurrence in the sequence"),
    FIELD(Phase, relevant, "whether the phase's share is large enough to measure it"),
    FIELD(Phase, share, "share of the application's time"),
    FIELD(Phase, similarity, "mean share of matching events over the occurrences; 1 for similarity `block`"),
    FIELD(Phase, slowest_total_s, "sum over occurrences of the slowest process's duration"),
    FIELD_LIST(Phase, places, n_places, "places",
               "where some occurrences lie: the second one, because the first is cold, or the only one; then, for "
               "relevant phases, up to 7 more that are spread over the run",
               .of = &place_fields),
    FIELD_EACH_INNER(Phase, processes, ProcessTime, count, "occurrences",
                     "per process: occurrences in which the process has an event"),
    FIELD_EACH_INNER(Phase, processes, ProcessTime, total_s, "total_s", "per process: total time of these occurrences"),
    FIELD_LIST(Phase, strata, n_strata, "strata",
               "groups of occurrences that take clearly longer or shorter than the rest, at regular places. The first "
               "is the base; empty: only the base. An occurrence in the ranges of several belongs to the last of them",
               .flags = FIELD_OPTIONAL, .of = &kept_stratum_fields),
    FIELD_OWN("events", SHAPE_EACH, events_to_json, events_from_json,
              "per process, one text: `TICK:TYPE:BYTES TICK:TYPE:BYTES …`. `TYPE` is `+3` (send to 3), `-3` (receive "
              "from 3), `allreduce`, `bcast<0` (root 0), `allreduce@2` (group 2; none is all of MPI_COMM_WORLD), "
              "`put>3` (one-sided, to 3)"));

static json_t *sequence_to_json(const FieldContext *context, const void *record)
{
    (void)context;
    return signature_loop_json(&((const Signature *)record)->sequence);
}

static bool loop_from_json(const json_t *object, const JsonPlace *place, unsigned depth, Arena *arena, Loop *loop,
                           Err *err)
{
    if (depth > LOOP_DEPTH_LIMIT)
        return err_set(err, ERR_INPUT, "%s: sequence: loops nested deeper than the limit of %d", place->file,
                       LOOP_DEPTH_LIMIT);
    if (!json_get_uint(object, "times", place, COUNT_LIMIT, &loop->count, err))
        return false;
    if (json_object_get(object, "phase") && json_object_get(object, "body"))
        return json_refuse(place, "", err, "expected either `phase` or `body`");
    if (json_object_get(object, "phase")) {
        uint64_t phase;
        if (!json_get_uint(object, "phase", place, PHASE_LIMIT, &phase, err))
            return false;
        loop->phase = (uint32_t)phase;
        return phase > 0 || json_refuse(place, "phase", err, "must be at least 1");
    }
    json_t *body;
    if (!json_get_array(object, "body", place, SIZE_MAX, &body, err))
        return false;
    loop->n_body = (uint32_t)json_array_size(body);
    Loop *parts = arena_new_array(arena, Loop, loop->n_body);
    loop->body = parts;
    for (uint32_t i = 0; i < loop->n_body; i++) {
        const JsonPlace at = json_place_at(place, "body", i);
        if (!loop_from_json(json_array_get(body, i), &at, depth + 1, arena, &parts[i], err))
            return false;
    }
    return true;
}

static bool sequence_from_json(const FieldContext *context, json_t *json, const JsonPlace *place, void *record,
                               Err *err)
{
    return loop_from_json(json, place, 0, context->arena, &((Signature *)record)->sequence, err);
}

static const Milestone *previous_milestone(const Signature *signature, const Milestone *milestone)
{
    return milestone == signature->milestones ? NULL : milestone - 1;
}

static json_t *progress_to_json(const FieldContext *context, const void *record)
{
    const Signature *signature = context->root;
    const Milestone *milestone = record, *previous = previous_milestone(signature, milestone);
    json_t *phases = json_array();
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double weight = milestone->phase_weight[i] - (previous ? previous->phase_weight[i] : 0);
        double time_s = milestone->phase_time_s[i] - (previous ? previous->phase_time_s[i] : 0);
        double path_s = milestone->phase_path_s[i] - (previous ? previous->phase_path_s[i] : 0);
        if (weight != 0 || time_s != 0 || path_s != 0)
            json_array_append_new(
                phases, json_pack("[I, f, f, f]", (json_int_t)signature->phases[i].id, weight, time_s, path_s));
    }
    return phases;
}

/* Returns a copy of the previous milestone's sums, or zeros. The caller adds to it. */
static double *continue_sums(const double *previous, uint32_t n_phases, Arena *arena)
{
    double *sums = arena_new_array(arena, double, n_phases);
    if (previous)
        memcpy(sums, previous, n_phases * sizeof *sums);
    return sums;
}

static bool progress_from_json(const FieldContext *context, json_t *array, const JsonPlace *place, void *record,
                               Err *err)
{
    const Signature *signature = context->root;
    Milestone *milestone = record;
    const Milestone *previous = previous_milestone(signature, milestone);
    uint32_t n_phases = signature->n_phases;
    double *weight = continue_sums(previous ? previous->phase_weight : NULL, n_phases, context->arena),
           *time_s = continue_sums(previous ? previous->phase_time_s : NULL, n_phases, context->arena),
           *path_s = continue_sums(previous ? previous->phase_path_s : NULL, n_phases, context->arena);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *entry = json_array_get(array, i);
        const json_t *id = json_array_get(entry, 0), *w = json_array_get(entry, 1), *t = json_array_get(entry, 2),
                     *p = json_array_get(entry, 3);
        uint32_t at =
            json_is_integer(id) ? signature_find_phase(signature, (uint64_t)json_integer_value(id)) : n_phases;
        if (at == n_phases || !json_is_number(w) || !json_is_number(t) || !json_is_number(p))
            return err_set(err, ERR_INPUT, "%s: %s[%zu]: expected [phase id, occurrences, time_s, path_s]", place->file,
                           place->path, i);
        weight[at] += json_number_value(w);
        time_s[at] += json_number_value(t);
        path_s[at] += json_number_value(p);
    }
    milestone->phase_weight = weight;
    milestone->phase_time_s = time_s;
    milestone->phase_path_s = path_s;
    return true;
}

static bool check_milestone(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Milestone *milestone = record, *previous = previous_milestone(context->root, milestone);
    return !previous || milestone->occurrence >= previous->occurrence ||
           json_refuse(place, "", err, "must not lie before the previous milestone");
}

static const FieldList milestone_fields = FIELDS_CHECKED(
    Milestone, check_milestone,
    FIELD(Milestone, occurrence, "the milestone lies before this occurrence of the sequence"),
    FIELD(Milestone, time_s, "time since MPI_Init, mean over processes"),
    FIELD_EACH(Milestone, send_events, "send_events", "per process: send-like events before the milestone"),
    FIELD_OWN("phases", SHAPE_LIST, progress_to_json, progress_from_json,
              "`[id, occurrences, time_s, path_s]` of each phase since the previous milestone; times are means over "
              "processes. `path_s` is the part of `time_s` that is computation, or waiting for another process's "
              "computation"));

/* Adds the occurrences of `times` × the loop to the phases' counts. Returns false if a phase
 * doesn't exist. */
static bool count_loop(const Signature *signature, const Loop *loop, double times, double *counts)
{
    times *= (double)loop->count;
    uint32_t at = loop->phase ? signature_find_phase(signature, loop->phase) : 0;
    if (loop->phase && at == signature->n_phases)
        return false;
    if (loop->phase)
        counts[at] += times;
    for (uint32_t i = 0; i < loop->n_body; i++)
        if (!count_loop(signature, &loop->body[i], times, counts))
            return false;
    return true;
}

/* The phases' weights, the sequence and the last milestone must agree on the numbers of
 * occurrences. */
static bool check_weights(const Signature *signature, const JsonPlace *place, Arena *arena, Err *err)
{
    double *counts = arena_new_array(arena, double, signature->n_phases), total = 0;
    if (!count_loop(signature, &signature->sequence, 1, counts))
        return json_refuse(place, "sequence", err, "holds the id of a phase that isn't in `phases`");
    const Milestone *last = &signature->milestones[signature->n_milestones - 1];
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const JsonPlace at = json_place_at(place, "phases", i);
        total += counts[i];
        if (counts[i] != (double)signature->phases[i].weight || last->phase_weight[i] != counts[i])
            return json_refuse(&at, "weight", err, "%lu, but the sequence holds %.0f and the milestones %.0f",
                               (unsigned long)signature->phases[i].weight, counts[i], last->phase_weight[i]);
    }
    return (total == (double)signature->n_occurrences && last->occurrence == signature->n_occurrences) ||
           json_refuse(place, "occurrences", err, "%lu, but the sequence holds %.0f",
                       (unsigned long)signature->n_occurrences, total);
}

static bool check_signature(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Signature *signature = record;
    if (signature->n_milestones < 2)
        return json_refuse(place, "milestones", err, "expected at least two");
    if (signature->n_places && signature->n_places != signature->application.n_processes)
        return json_refuse(place, "places", err, "expected one for each of %u processes",
                           signature->application.n_processes);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_strata; k++)
            if (signature->phases[i].strata[k].n_milestones != signature->n_milestones)
                return json_refuse(place, "phases", err, "phase %u: its strata need one time for each milestone",
                                   signature->phases[i].id);
    return check_weights(signature, place, context->arena, err) &&
           (signature->application_s > 0 || json_refuse(place, "application_s", err, "expected a time above 0"));
}

static bool check_repeat(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Signature *signature = context->root;
    const RepeatedRun *run = record;
    if (run->n_times != signature->n_milestones)
        return json_refuse(place, "milestones_s", err, "expected %u times, one a milestone", signature->n_milestones);
    for (uint32_t i = 1; i < run->n_times; i++)
        if (!(run->time_s[i] >= run->time_s[i - 1]))
            return json_refuse(place, "milestones_s", err, "expected ascending times");
    return run->application_s > 0 || json_refuse(place, "application_s", err, "expected a time above 0");
}

static const FieldList repeat_fields =
    FIELDS_CHECKED(RepeatedRun, check_repeat, FIELD(RepeatedRun, application_s, "AET of this run"),
                   FIELD_LIST(RepeatedRun, time_s, n_times, "milestones_s",
                              "its time since MPI_Init at each milestone, mean over processes"));

static const FieldList parameters_fields =
    FIELDS(PhaseParameters, FIELD(PhaseParameters, volume_tolerance, "share by which similar events' bytes may differ"),
           FIELD(PhaseParameters, compute_tolerance, "share by which similar blocks' computation may differ"),
           FIELD(PhaseParameters, compute_floor_s,
                 "time by which it may differ in any case, measured unless it was given; similarity `phase`: 0; absent "
                 "in older files: 0",
                 .flags = FIELD_OPTIONAL),
           FIELD(PhaseParameters, least_match, "share of events that match in similar phases"),
           FIELD(PhaseParameters, relevance, "least share of the application's time of a relevant phase"),
           FIELD(PhaseParameters, least_weight, "least weight of a relevant phase; absent in older files: 1",
                 .flags = FIELD_OPTIONAL),
           FIELD_LIST(PhaseParameters, only, n_only, "only",
                      "ids of the phases that are relevant because the user said so; absent in older files: none",
                      .flags = FIELD_OPTIONAL));

static const FieldList signature_fields = FIELDS_CHECKED(
    Signature, check_signature, FIELD(Signature, application, "what was traced", .of = &application_fields),
    FIELD_AS(Signature, parameters.order, "order", "`pas2p` or `lamport`"),
    FIELD_AS(Signature, parameters.similarity, "similarity", "`phase` or `block`"),
    FIELD(Signature, parameters, "how the trace was analysed", .of = &parameters_fields),
    FIELD(Signature, trace, "absolute path of the trace that the signature was made from; absent: not known",
          .flags = FIELD_ABSENT),
    FIELD(Signature, host, "of rank 0 in the traced run", .flags = FIELD_OPTIONAL),
    FIELD_LIST(Signature, places, n_places, "places", "per process, where it ran when it was traced; absent: not known",
               .flags = FIELD_OPTIONAL, .of = &process_place_fields, .limit = PROCESS_LIMIT),
    FIELD(Signature, ranks_per_processor,
          "in the traced run, where most ranks share a processor; 0, or absent: not known",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE, .limit = PROCESS_LIMIT),
    FIELD(Signature, slowdown,
          "factor by which other programs may have slowed the traced run down; 0, or absent: not known",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE),
    FIELD(Signature, recording_cost_s,
          "what recording one call cost in the traced run, in the mean; 0, or absent: not known, or nothing",
          .flags = FIELD_OPTIONAL),
    FIELD_LIST(Signature, recorded_calls, n_recorded, "recorded_calls",
               "per process: calls that were recorded in the traced run, in the thread with most calls; polls that "
               "found nothing count once in a row; empty, or absent: not known",
               .flags = FIELD_OPTIONAL, .limit = PROCESS_LIMIT),
    FIELD(Signature, application_s, "AET (application execution time) of the traced run"),
    FIELD(Signature, coverage, "share of the application's time in relevant phases"),
    FIELD(Signature, complete, "whether every process was recorded until MPI_Finalize"),
    FIELD_LIST(Signature, incomplete, n_incomplete, "incomplete", "what the trace lacks of the run, a sentence each",
               .flags = FIELD_OPTIONAL),
    FIELD_AS(Signature, n_send_events, "send_events", "number of send-like events"),
    FIELD_AS(Signature, n_ticks, "ticks", "number of ticks of sends; similarity `block`: number of all ticks"),
    FIELD_AS(Signature, n_occurrences, "occurrences", "number of occurrences of phases"),
    FIELD_AS(Signature, n_blocks, "blocks",
             "similarity `block`: number of parallel basic blocks; otherwise 0; absent in older files",
             .flags = FIELD_OPTIONAL),
    FIELD_AS(Signature, n_distinct_blocks, "distinct_blocks", "number of blocks that are similar to no earlier one",
             .flags = FIELD_OPTIONAL),
    FIELD_AS(Signature, n_blocks_cut_short, "blocks_cut_short",
             "number of blocks that were compared with only some of the earlier ones", .flags = FIELD_OPTIONAL),
    FIELD_EACH(Signature, startup_s, "startup_s",
               "per process: MPI_Init to the first send-like event; similarity `block`: to any event"),
    FIELD_EACH(Signature, shutdown_s, "shutdown_s",
               "per process: the last send-like event to MPI_Finalize; similarity `block`: from any event"),
    FIELD_OWN("sequence", SHAPE_ONE, sequence_to_json, sequence_from_json,
              "the occurrences in order, folded: `{\"times\": N, \"phase\": ID}` or `{\"times\": N, \"body\": "
              "[ … ]}`",
              .noun = "object"),
    FIELD_LIST(Signature, phases, n_phases, "phases", "the phases, ascending by id", .of = &phase_fields,
               .limit = PHASE_LIMIT),
    FIELD_LIST(
        Signature, milestones, n_milestones, "milestones",
        "the progress of the traced run at some occurrences: at whole periods of the sequence, or at the same "
        "places of each period. They are up to eight times closer around every 5 % of the run, and around relevant "
        "phases that occur at most three times",
        .of = &milestone_fields),
    FIELD_LIST(Signature, repeats, n_repeats, "repeats",
               "further runs of the program on the traced machine, with the same communication",
               .flags = FIELD_OPTIONAL, .of = &repeat_fields));

const Document signature_document = {"firma signature",
                                     SIGNATURE_VERSION,
                                     &signature_fields,
                                     .is_private = true,
                                     .n_each_offset = offsetof(Signature, application.n_processes),
                                     .oldest_version = SIGNATURE_VERSION};

bool signature_check_chosen(const Signature *signature, const char *trace, Err *err)
{
    for (uint32_t i = 0; i < signature->parameters.n_only; i++) {
        uint32_t id = (uint32_t)signature->parameters.only[i];
        if (signature_find_phase(signature, id) == signature->n_phases)
            return err_set(err, ERR_INPUT, "%s: has no phase %u, which --only names", trace, id) ||
                   err_hint(err, "its phases are 1 to %u; `firma phases --all` shows them", signature->n_phases);
    }
    return true;
}
