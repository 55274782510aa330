/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of a signature (docs/FORMATS.md). Milestones are cumulative in memory and written as differences, so
 * that a phase takes room only where it occurs. */
#include "model/signature.h"

#include "base/json.h"
#include "base/text.h"
#include "model/application.h"
#include "model/strata_json.h"

#define SIGNATURE_FORMAT "firma signature"
enum { LOOP_DEPTH_LIMIT = 256, PHASE_LIMIT = 10 * 1000 * 1000, TICK_LIMIT = UINT32_MAX - 1 };
#define COUNT_LIMIT ((uint64_t)INT64_MAX)

/* A process's events of a phase as text: "TICK:TYPE:BYTES TICK:TYPE:BYTES …". */
static json_t *events_to_json(const Phase *phase, uint32_t n_processes)
{
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

static json_t *places_to_json(const Phase *phase, uint32_t n_processes)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < phase->n_places; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "startpoint",
                                               json_from_uints(phase->places[i].startpoint, n_processes), "endpoint",
                                               json_from_uints(phase->places[i].endpoint, n_processes)));
    return array;
}

static json_t *phase_to_json(const Phase *phase, uint32_t n_processes)
{
    json_t *count = json_array(), *total = json_array();
    for (uint32_t process = 0; process < n_processes; process++) {
        json_array_append_new(count, json_integer((json_int_t)phase->processes[process].count));
        json_array_append_new(total, json_real(phase->processes[process].total_s));
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:b, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}",                  //
                     "id", (json_int_t)phase->id, "ticks", (json_int_t)phase->n_ticks,                     //
                     "weight", (json_int_t)phase->weight,                                                  //
                     "first_occurrence", (json_int_t)phase->first_occurrence,                              //
                     "relevant", phase->relevant, "share", phase->share,                                   //
                     "similarity", phase->similarity, "slowest_total_s", phase->slowest_total_s,           //
                     "places", places_to_json(phase, n_processes), "occurrences", count, "total_s", total, //
                     "strata", strata_to_json(phase->strata, phase->n_strata),                             //
                     "events", events_to_json(phase, n_processes));
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

static json_t *milestone_to_json(const Milestone *milestone, const Milestone *previous, const Signature *signature)
{
    json_t *phases = json_array();
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double weight = milestone->phase_weight[i] - (previous ? previous->phase_weight[i] : 0);
        double time_s = milestone->phase_time_s[i] - (previous ? previous->phase_time_s[i] : 0);
        double compute_s = milestone->phase_compute_s ? milestone->phase_compute_s[i] : 0;
        compute_s -= previous && previous->phase_compute_s ? previous->phase_compute_s[i] : 0;
        if (weight != 0 || time_s != 0 || compute_s != 0)
            json_array_append_new(
                phases, json_pack("[I, f, f, f]", (json_int_t)signature->phases[i].id, weight, time_s, compute_s));
    }
    return json_pack("{s:I, s:f, s:o, s:o}", "occurrence", (json_int_t)milestone->occurrence, "time_s",
                     milestone->time_s, "send_events",
                     json_from_uints(milestone->send_events, signature->application.n_processes), "phases", phases);
}

bool signature_save(const Signature *signature, const char *path, Err *err)
{
    uint32_t n = signature->application.n_processes;
    json_t *phases = json_array(), *milestones = json_array();
    for (uint32_t i = 0; i < signature->n_phases; i++)
        json_array_append_new(phases, phase_to_json(&signature->phases[i], n));
    for (uint32_t i = 0; i < signature->n_milestones; i++)
        json_array_append_new(milestones, milestone_to_json(&signature->milestones[i],
                                                            i ? &signature->milestones[i - 1] : NULL, signature));
    const PhaseParameters *parameters = &signature->parameters;
    json_t *parameters_json = json_pack("{s:f, s:f, s:f, s:f}", "volume_tolerance", parameters->volume_tolerance,
                                        "compute_tolerance", parameters->compute_tolerance, "least_match",
                                        parameters->least_match, "relevance", parameters->relevance);
    json_t *root = json_pack(
        "{s:s, s:i, s:o, s:s, s:s, s:o, s:f, s:f, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", //
        "format", SIGNATURE_FORMAT, "version", SIGNATURE_VERSION,                                               //
        "application", application_to_json(&signature->application),                                            //
        "order", parameters->order, "similarity", parameters->similarity,                                       //
        "parameters", parameters_json,                                                                          //
        "application_s", signature->application_s, "coverage", signature->coverage,                             //
        "complete", signature->complete, "send_events", (json_int_t)signature->n_send_events,                   //
        "ticks", (json_int_t)signature->n_ticks, "occurrences", (json_int_t)signature->n_occurrences,           //
        "blocks", (json_int_t)signature->n_blocks, "distinct_blocks", (json_int_t)signature->n_distinct_blocks,
        "blocks_cut_short", (json_int_t)signature->n_blocks_cut_short, //
        "startup_s", json_from_reals(signature->startup_s, n), "shutdown_s",
        json_from_reals(signature->shutdown_s, n), //
        "sequence", signature_loop_json(&signature->sequence), "phases", phases, "milestones", milestones);
    bool saved = json_save_document(root, path, err);
    json_decref(root);
    return saved;
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

/* The events of all processes, ordered by tick, then process. */
static bool events_from_json(const json_t *array, const JsonPlace *place, uint32_t n_ticks, Arena *arena, Phase *phase,
                             Err *err)
{
    VEC(PhaseEvent) events = {0};
    bool ok = true;
    for (size_t process = 0; ok && process < json_array_size(array); process++) {
        const char *text = json_string_value(json_array_get(array, process));
        ok = text != NULL;
        char *copy = arena_strdup(arena, text ? text : ""), *rest;
        for (char *token = strtok_r(copy, " ", &rest); ok && token; token = strtok_r(NULL, " ", &rest)) {
            PhaseEvent event;
            ok = parse_event(token, (uint32_t)process, &event) && event.tick < n_ticks;
            if (ok)
                *vec_push(&events) = event;
        }
        if (!ok)
            err_set(err, ERR_INPUT, "%s: %s.events[%zu]: expected `TICK:TYPE:BYTES …` with ticks below %u", place->file,
                    place->path, process, n_ticks);
    }
    if (ok) {
        qsort(events.items, events.count, sizeof(PhaseEvent), compare_events);
        PhaseEvent *kept = arena_new_array(arena, PhaseEvent, events.count);
        if (events.count)
            memcpy(kept, events.items, events.count * sizeof(PhaseEvent));
        phase->events = kept;
        phase->n_events = (uint32_t)events.count;
    }
    vec_free(&events);
    return ok;
}

static bool places_from_json(const json_t *object, const JsonPlace *place, uint32_t n_processes, Arena *arena,
                             Phase *phase, Err *err)
{
    json_t *array;
    if (!json_get_array(object, "places", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (!n)
        return err_set(err, ERR_INPUT, "%s: %s.places: expected at least one", place->file, place->path);
    PhasePlace *places = arena_new_array(arena, PhasePlace, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace inner = json_place(place->file, "%s.places[%zu]", place->path, i);
        uint64_t *startpoint = arena_new_array(arena, uint64_t, n_processes),
                 *endpoint = arena_new_array(arena, uint64_t, n_processes);
        if (!json_get_uints(json_array_get(array, i), "startpoint", &inner, n_processes, startpoint, err) ||
            !json_get_uints(json_array_get(array, i), "endpoint", &inner, n_processes, endpoint, err))
            return false;
        places[i] = (PhasePlace){startpoint, endpoint};
    }
    phase->n_places = (uint32_t)n;
    phase->places = places;
    return true;
}

static bool phase_from_json(const json_t *object, const char *file, size_t index, uint32_t n_processes, Arena *arena,
                            Phase *phase, Err *err)
{
    const JsonPlace place = json_place(file, "phases[%zu]", index);
    uint64_t id, ticks;
    json_t *events;
    uint64_t *counts = arena_new_array(arena, uint64_t, n_processes);
    double *totals = arena_new_array(arena, double, n_processes);
    if (!json_get_uint(object, "id", &place, PHASE_LIMIT, &id, err) ||
        !json_get_uint(object, "ticks", &place, TICK_LIMIT, &ticks, err) ||
        !json_get_uint(object, "weight", &place, COUNT_LIMIT, &phase->weight, err) ||
        !json_get_uint(object, "first_occurrence", &place, COUNT_LIMIT, &phase->first_occurrence, err) ||
        !json_get_bool(object, "relevant", &place, &phase->relevant, err) ||
        !json_get_real(object, "share", &place, &phase->share, err) ||
        !json_get_real(object, "similarity", &place, &phase->similarity, err) ||
        !json_get_seconds(object, "slowest_total_s", &place, &phase->slowest_total_s, err) ||
        !places_from_json(object, &place, n_processes, arena, phase, err) ||
        !json_get_uints(object, "occurrences", &place, n_processes, counts, err) ||
        !json_get_seconds_list(object, "total_s", &place, n_processes, totals, err) ||
        !json_get_array(object, "events", &place, n_processes, &events, err))
        return false;
    if (id == 0)
        return err_set(err, ERR_INPUT, "%s: %s.id: ids count from 1", file, place.path);
    ProcessTime *processes = arena_new_array(arena, ProcessTime, n_processes);
    for (uint32_t process = 0; process < n_processes; process++)
        processes[process] = (ProcessTime){counts[process], totals[process]};
    phase->id = (uint32_t)id;
    phase->n_ticks = (uint32_t)ticks;
    phase->processes = processes;
    json_t *strata;
    if (json_object_get(object, "strata") && /* older signatures don't tell them apart */
        (!json_get_array(object, "strata", &place, SIZE_MAX, &strata, err) ||
         !strata_from_json(strata, file, place.path, phase->weight, arena, &phase->strata, &phase->n_strata, err)))
        return false;
    return events_from_json(events, &place, phase->n_ticks, arena, phase, err);
}

static bool loop_from_json(const json_t *object, const JsonPlace *place, unsigned depth, Arena *arena, Loop *loop,
                           Err *err)
{
    if (depth > LOOP_DEPTH_LIMIT)
        return err_set(err, ERR_INPUT, "%s: sequence: loops nested deeper than %d", place->file, LOOP_DEPTH_LIMIT);
    if (!json_get_uint(object, "times", place, COUNT_LIMIT, &loop->count, err))
        return false;
    if (json_object_get(object, "phase")) {
        uint64_t phase;
        if (!json_get_uint(object, "phase", place, PHASE_LIMIT, &phase, err))
            return false;
        loop->phase = (uint32_t)phase;
        return phase > 0 || err_set(err, ERR_INPUT, "%s: sequence: phase ids count from 1", place->file);
    }
    json_t *body;
    if (!json_get_array(object, "body", place, SIZE_MAX, &body, err))
        return false;
    loop->n_body = (uint32_t)json_array_size(body);
    Loop *parts = arena_new_array(arena, Loop, loop->n_body);
    loop->body = parts;
    for (uint32_t i = 0; i < loop->n_body; i++)
        if (!loop_from_json(json_array_get(body, i), place, depth + 1, arena, &parts[i], err))
            return false;
    return true;
}

static bool milestone_from_json(const json_t *object, const char *file, size_t index, const Signature *signature,
                                const Milestone *previous, Arena *arena, Milestone *milestone, Err *err)
{
    const JsonPlace place = json_place(file, "milestones[%zu]", index);
    uint32_t n = signature->application.n_processes, n_phases = signature->n_phases;
    uint64_t *send_events = arena_new_array(arena, uint64_t, n);
    double *weight = arena_new_array(arena, double, n_phases), *time_s = arena_new_array(arena, double, n_phases),
           *compute_s = arena_new_array(arena, double, n_phases);
    json_t *phases;
    if (!json_get_uint(object, "occurrence", &place, COUNT_LIMIT, &milestone->occurrence, err) ||
        !json_get_seconds(object, "time_s", &place, &milestone->time_s, err) ||
        !json_get_uints(object, "send_events", &place, n, send_events, err) ||
        !json_get_array(object, "phases", &place, SIZE_MAX, &phases, err))
        return false;
    if (previous) {
        if (milestone->occurrence < previous->occurrence)
            return err_set(err, ERR_INPUT, "%s: %s: milestones must not go back", file, place.path);
        memcpy(weight, previous->phase_weight, n_phases * sizeof *weight);
        memcpy(time_s, previous->phase_time_s, n_phases * sizeof *time_s);
        memcpy(compute_s, previous->phase_compute_s, n_phases * sizeof *compute_s);
    }
    for (size_t i = 0; i < json_array_size(phases); i++) {
        const json_t *entry = json_array_get(phases, i);
        const json_t *id = json_array_get(entry, 0), *w = json_array_get(entry, 1), *t = json_array_get(entry, 2),
                     *c = json_array_get(entry, 3); /* older signatures don't know it */
        uint32_t at =
            json_is_integer(id) ? signature_find_phase(signature, (uint64_t)json_integer_value(id)) : n_phases;
        if (at == n_phases || !json_is_number(w) || !json_is_number(t) || (c && !json_is_number(c)))
            return err_set(err, ERR_INPUT, "%s: %s.phases[%zu]: expected [phase id, weight, time_s, compute_s]", file,
                           place.path, i);
        weight[at] += json_number_value(w);
        time_s[at] += json_number_value(t);
        compute_s[at] += json_number_value(c);
    }
    milestone->send_events = send_events;
    milestone->phase_weight = weight;
    milestone->phase_time_s = time_s;
    milestone->phase_compute_s = compute_s;
    return true;
}

static bool phases_from_json(const json_t *array, const char *path, Arena *arena, Signature *signature, Err *err)
{
    size_t count = json_array_size(array);
    if (count > PHASE_LIMIT)
        return err_set(err, ERR_INPUT, "%s: phases: more than the limit of %d", path, PHASE_LIMIT);
    Phase *phases = arena_new_array(arena, Phase, count);
    for (size_t i = 0; i < count; i++) {
        if (!phase_from_json(json_array_get(array, i), path, i, signature->application.n_processes, arena, &phases[i],
                             err))
            return false;
        if (i && phases[i].id <= phases[i - 1].id)
            return err_set(err, ERR_INPUT, "%s: phases[%zu].id: ids must ascend", path, i);
    }
    signature->phases = phases;
    signature->n_phases = (uint32_t)count;
    return true;
}

static bool milestones_from_json(const json_t *array, const char *path, Arena *arena, Signature *signature, Err *err)
{
    size_t count = json_array_size(array);
    if (count < 2)
        return err_set(err, ERR_INPUT, "%s: milestones: expected at least two", path);
    Milestone *milestones = arena_new_array(arena, Milestone, count);
    for (size_t i = 0; i < count; i++)
        if (!milestone_from_json(json_array_get(array, i), path, i, signature, i ? &milestones[i - 1] : NULL, arena,
                                 &milestones[i], err))
            return false;
    signature->milestones = milestones;
    signature->n_milestones = (uint32_t)count;
    return true;
}

/* Adds what a loop holds, `times` over, to the phases' counts. */
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

/* Weights, sequence and milestones say the same thing three times. */
static bool check_weights(const Signature *signature, const char *path, Arena *arena, Err *err)
{
    double *counts = arena_new_array(arena, double, signature->n_phases), total = 0;
    if (!count_loop(signature, &signature->sequence, 1, counts))
        return err_set(err, ERR_INPUT, "%s: sequence: a phase that isn't among the phases", path);
    const Milestone *last = &signature->milestones[signature->n_milestones - 1];
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        total += counts[i];
        if (counts[i] != (double)signature->phases[i].weight || last->phase_weight[i] != counts[i])
            return err_set(err, ERR_INPUT,
                           "%s: phases[%u].weight: %lu, but the sequence holds %.0f and the milestones %.0f", path, i,
                           (unsigned long)signature->phases[i].weight, counts[i], last->phase_weight[i]);
    }
    if (total != (double)signature->n_occurrences || last->occurrence != signature->n_occurrences)
        return err_set(err, ERR_INPUT, "%s: occurrences: %lu, but the sequence holds %.0f", path,
                       (unsigned long)signature->n_occurrences, total);
    return signature->application_s > 0 || err_set(err, ERR_INPUT, "%s: application_s: expected a time above 0", path);
}

/* Files of firmas that knew no blocks don't tell. */
static bool get_block_counts(const json_t *root, const JsonPlace *place, Signature *signature, Err *err)
{
    return !json_object_get(root, "blocks") ||
           (json_get_uint(root, "blocks", place, COUNT_LIMIT, &signature->n_blocks, err) &&
            json_get_uint(root, "distinct_blocks", place, COUNT_LIMIT, &signature->n_distinct_blocks, err) &&
            json_get_uint(root, "blocks_cut_short", place, COUNT_LIMIT, &signature->n_blocks_cut_short, err));
}

bool signature_load(const char *path, Arena *arena, Signature **result, Err *err)
{
    json_t *root, *application, *parameters, *sequence, *phases, *milestones;
    if (!json_load_document(path, SIGNATURE_FORMAT, SIGNATURE_VERSION, &root, err))
        return false;
    const JsonPlace place = json_place(path, "%s", ""), inner = json_place(path, "parameters"),
                    sequence_place = json_place(path, "sequence");
    Signature *signature = arena_new_array(arena, Signature, 1);
    double *startup_s = NULL, *shutdown_s = NULL;
    const char *order, *similarity;
    bool ok = json_get_object(root, "application", &place, &application, err) &&
              application_from_json(application, path, arena, &signature->application, err);
    if (ok) {
        startup_s = arena_new_array(arena, double, signature->application.n_processes);
        shutdown_s = arena_new_array(arena, double, signature->application.n_processes);
    }
    ok = ok && json_get_string(root, "order", &place, &order, err) &&
         json_get_string(root, "similarity", &place, &similarity, err) &&
         json_get_object(root, "parameters", &place, &parameters, err) &&
         json_get_real(parameters, "volume_tolerance", &inner, &signature->parameters.volume_tolerance, err) &&
         json_get_real(parameters, "compute_tolerance", &inner, &signature->parameters.compute_tolerance, err) &&
         json_get_real(parameters, "least_match", &inner, &signature->parameters.least_match, err) &&
         json_get_real(parameters, "relevance", &inner, &signature->parameters.relevance, err) &&
         json_get_seconds(root, "application_s", &place, &signature->application_s, err) &&
         json_get_real(root, "coverage", &place, &signature->coverage, err) &&
         json_get_bool(root, "complete", &place, &signature->complete, err) &&
         json_get_uint(root, "send_events", &place, COUNT_LIMIT, &signature->n_send_events, err) &&
         json_get_uint(root, "ticks", &place, COUNT_LIMIT, &signature->n_ticks, err) &&
         json_get_uint(root, "occurrences", &place, COUNT_LIMIT, &signature->n_occurrences, err) &&
         get_block_counts(root, &place, signature, err) &&
         json_get_seconds_list(root, "startup_s", &place, signature->application.n_processes, startup_s, err) &&
         json_get_seconds_list(root, "shutdown_s", &place, signature->application.n_processes, shutdown_s, err) &&
         json_get_object(root, "sequence", &place, &sequence, err) &&
         loop_from_json(sequence, &sequence_place, 0, arena, &signature->sequence, err) &&
         json_get_array(root, "phases", &place, SIZE_MAX, &phases, err) &&
         phases_from_json(phases, path, arena, signature, err) &&
         json_get_array(root, "milestones", &place, SIZE_MAX, &milestones, err) &&
         milestones_from_json(milestones, path, arena, signature, err) && check_weights(signature, path, arena, err);
    if (ok) {
        signature->startup_s = startup_s;
        signature->shutdown_s = shutdown_s;
        signature->parameters.order = arena_strdup(arena, order);
        signature->parameters.similarity = arena_strdup(arena, similarity);
        *result = signature;
    }
    json_decref(root);
    return ok;
}
