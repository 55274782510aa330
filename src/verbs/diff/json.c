/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two traces, as a document: docs/FORMATS.md says what its keys mean. */
#include "base/json.h"
#include "verbs/diff/views.h"

static const char *const kind_names[] = {"sends", "receives", "collectives", "one_sided"};
static const char *const likeness_names[] = {"same", "order", "shorter", "volumes", "content"};

static json_t *integers(const uint64_t values[2])
{
    return json_pack("[I, I]", (json_int_t)values[0], (json_int_t)values[1]);
}

static json_t *event_json(const SequenceDifference *difference, int side)
{
    const ComparedEvent *event = &difference->event[side];
    if (!event->type)
        return json_null();
    char type[64];
    comm_type_format(event->type, type);
    return json_pack("{s:s, s:I, s:f}", "type", type, "bytes", (json_int_t)event->bytes, "time_s",
                     difference->time_s[side]);
}

static json_t *sequence_json(const SequenceDifference *difference)
{
    json_t *object = json_pack("{s:s, s:o, s:I}", "compared", likeness_names[difference->likeness], "count",
                               integers(difference->count), "in_both", (json_int_t)difference->common);
    if (difference->likeness != LIKENESS_SAME) {
        json_object_set_new(object, "first", json_integer((json_int_t)difference->first));
        json_object_set_new(object, "events",
                            json_pack("[o, o]", event_json(difference, 0), event_json(difference, 1)));
    }
    return object;
}

static json_t *processes_json(const TraceDifference *events)
{
    json_t *processes = json_array();
    for (uint32_t i = 0; i < events->n_processes; i++) {
        const ProcessDifference *process = &events->processes[i];
        json_t *one = json_object();
        json_object_set_new(one, "process", json_integer(i));
        for (int kind = 0; kind < COMPARED_KINDS; kind++)
            json_object_set_new(one, kind_names[kind], integers(process->count[kind]));
        json_object_set_new(one, "sent", sequence_json(&process->sends));
        json_object_set_new(one, "received", sequence_json(&process->receives));
        json_array_append_new(processes, one);
    }
    return processes;
}

static json_t *pairs_json(const TraceDifference *events)
{
    json_t *pairs = json_array();
    for (uint32_t i = 0; i < events->n_kept; i++) {
        const PairDifference *pair = &events->pairs[i];
        json_array_append_new(pairs, json_pack("{s:I, s:I, s:o, s:o}", "source", (json_int_t)pair->source,
                                               "destination", (json_int_t)pair->destination, "messages",
                                               integers(pair->messages), "bytes", integers(pair->bytes)));
    }
    return pairs;
}

static json_t *phases_json_list(const PhasesDifference *phases)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < phases->n_phases; i++) {
        const PhaseDifference *phase = &phases->phases[i];
        json_array_append_new(list, json_pack("{s:I, s:I, s:o, s:[f, f]}", "id", (json_int_t)phase->id, "ticks",
                                              (json_int_t)phase->n_ticks, "weight", integers(phase->weight), "share",
                                              phase->share[0], phase->share[1]));
    }
    return list;
}

json_t *difference_json(const Difference *difference, Arena *arena)
{
    const TraceDifference *events = &difference->events;
    json_t *document = json_object();
    json_object_set_new(document, "same", json_boolean(difference->same));
    json_object_set_new(document, "summary", json_from_text(difference_summary(difference, arena)));
    json_object_set_new(
        document, "traces",
        json_pack("[o, o]", json_from_text(difference->trace[0]), json_from_text(difference->trace[1])));
    json_object_set_new(document, "identity", json_from_text(difference->identity));
    json_object_set_new(document, "application_s",
                        json_pack("[f, f]", events->application_s[0], events->application_s[1]));
    json_object_set_new(document, "events", integers(events->count));
    json_object_set_new(document, "events_in_both", json_integer((json_int_t)events->common));
    json_object_set_new(document, "sent", json_string(likeness_names[events->sends]));
    json_object_set_new(document, "received", json_string(likeness_names[events->receives]));
    json_object_set_new(document, "processes", processes_json(events));
    json_object_set_new(document, "pair_count", json_integer((json_int_t)events->n_pairs));
    json_object_set_new(document, "different_pair_count", json_integer((json_int_t)events->n_different_pairs));
    json_object_set_new(document, "pairs", pairs_json(events));
    if (difference->has_phases) {
        json_object_set_new(document, "phases", phases_json_list(&difference->phases));
        json_object_set_new(document, "phase_agreement", json_real(difference->phases.common));
        json_object_set_new(document, "same_sequence", json_boolean(difference->phases.same_sequence));
    }
    return document;
}
