/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two traces, as a document. */
#include "verbs/diff/views.h"

static const char *const likeness_names[] = {"same", "order", "shorter", "volumes", "content", NULL};
#define LIKENESS                                                                                                       \
    "`same`; `order`: the same in another order; `shorter`: one is the beginning of the other; `volumes`; `content`"

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

static json_t *first_json(const FieldContext *context, const void *record)
{
    const SequenceDifference *difference = record;
    (void)context;
    return difference->likeness == LIKENESS_SAME ? NULL : json_integer((json_int_t)difference->first);
}

static json_t *events_json(const FieldContext *context, const void *record)
{
    const SequenceDifference *difference = record;
    (void)context;
    return difference->likeness == LIKENESS_SAME
               ? NULL
               : json_pack("[o, o]", event_json(difference, 0), event_json(difference, 1));
}

static const FieldList sequence_fields =
    FIELDS(SequenceDifference, FIELD_AS(SequenceDifference, likeness, "compared", LIKENESS, .choices = likeness_names),
           FIELD_FIXED(SequenceDifference, count, "count", "events of A and of B"),
           FIELD_AS(SequenceDifference, common, "in_both", "events that both have, whatever their order"),
           FIELD_OWN("first", SHAPE_ONE, first_json, NULL, "number of the first event that differs, from 0",
                     .flags = FIELD_ABSENT, .noun = "whole number"),
           FIELD_OWN("events", SHAPE_LIST, events_json, NULL,
                     "what that event is in A and in B: `type`, `bytes`, `time_s` since MPI_Init; null: none",
                     .flags = FIELD_ABSENT));

static json_t *process_number(const FieldContext *context, const void *record)
{
    const Difference *difference = context->root;
    return json_integer((const ProcessDifference *)record - difference->events.processes);
}

static const FieldList process_fields = FIELDS(
    ProcessDifference, FIELD_OWN("process", SHAPE_ONE, process_number, NULL, "its number", .noun = "whole number"),
    FIELD_FIXED(ProcessDifference, count[COMPARED_SENDS], "sends", "of A and of B"),
    FIELD_FIXED(ProcessDifference, count[COMPARED_RECEIVES], "receives", "of A and of B"),
    FIELD_FIXED(ProcessDifference, count[COMPARED_COLLECTIVES], "collectives", "of A and of B"),
    FIELD_FIXED(ProcessDifference, count[COMPARED_ONE_SIDED], "one_sided", "of A and of B"),
    FIELD_AS(ProcessDifference, sends, "sent", "send-like events", .of = &sequence_fields),
    FIELD_AS(ProcessDifference, receives, "received", "in the order in which they completed", .of = &sequence_fields));

static const FieldList pair_fields = FIELDS(PairDifference, FIELD(PairDifference, source, "the process that sends"),
                                            FIELD(PairDifference, destination, "the process that receives"),
                                            FIELD_FIXED(PairDifference, messages, "messages", "of A and of B"),
                                            FIELD_FIXED(PairDifference, bytes, "bytes", "of A and of B"));

static json_t *resized_json(const FieldContext *context, const void *record)
{
    uint32_t id = ((const PhaseDifference *)record)->resized_id;
    (void)context;
    return id ? json_integer(id) : json_null();
}

static const FieldList phase_fields = FIELDS(
    PhaseDifference, FIELD(PhaseDifference, id, "as in A; those that only B has follow"),
    FIELD_AS(PhaseDifference, n_ticks, "ticks", "its length"),
    FIELD_FIXED(PhaseDifference, weight, "weight", "occurrences in A and in B"),
    FIELD_FIXED(PhaseDifference, share, "share", "of the application's time, in A and in B"),
    FIELD_FIXED(PhaseDifference, mean_s, "duration_s", "of an occurrence, mean over processes, in A and in B"),
    FIELD_OWN("resized_id", SHAPE_ONE, resized_json, NULL,
              "its id in B, if there it has other volumes; null: the same volumes", .noun = "whole number or null"),
    FIELD(PhaseDifference, volume_factor, "then how many times as many bytes an occurrence sends in B; null: not known",
          .flags = FIELD_NULL));

static json_t *summary_json(const FieldContext *context, const void *record)
{
    Arena *arena = arena_new();
    json_t *summary = json_from_text(difference_summary(record, arena));
    (void)context;
    arena_free(arena);
    return summary;
}

static json_t *pairs_json(const FieldContext *context, const void *record)
{
    const TraceDifference *events = &((const Difference *)record)->events;
    (void)context;
    return fields_to_json_array(&pair_fields, events->pairs, events->n_kept, 0);
}

const FieldList difference_fields = FIELDS(
    Difference, FIELD(Difference, same, "whether both communicate the same: events and numbers of processes"),
    FIELD_OWN("summary", SHAPE_ONE, summary_json, NULL, "one sentence", .noun = "text"),
    FIELD_FIXED(Difference, trace, "traces", "A and B, as they were named"),
    FIELD(Difference, identity, "how B's application differs; empty: it doesn't"),
    FIELD_FIXED(Difference, events.application_s, "application_s", "of A and of B"),
    FIELD_FIXED(Difference, events.count, "events", "send-like events of A and of B"),
    FIELD_AS(Difference, events.common, "events_in_both", "send-like events that both have"),
    FIELD_AS(Difference, events.sends, "sent", "the largest difference of any process: " LIKENESS,
             .choices = likeness_names),
    FIELD_AS(Difference, events.receives, "received", "the same of what was received", .choices = likeness_names),
    FIELD_LIST(Difference, events.processes, events.n_processes, "processes", "one by one", .of = &process_fields),
    FIELD_AS(Difference, events.n_pairs, "pair_count", "pairs of processes that exchange messages"),
    FIELD_AS(Difference, events.n_different_pairs, "different_pair_count", "how many of them differ"),
    FIELD_OWN("pairs", SHAPE_LIST, pairs_json, NULL, "the ten that differ most", .of = &pair_fields));

const FieldList difference_phases_fields =
    FIELDS(PhasesDifference, FIELD_LIST(PhasesDifference, phases, n_phases, "phases", "by id", .of = &phase_fields),
           FIELD_AS(PhasesDifference, common, "phase_agreement",
                    "share of the occurrences that both have, with the same volumes"),
           FIELD_AS(PhasesDifference, n_resized, "resized_phases", "how many both have, with other volumes"),
           FIELD(PhasesDifference, same_sequence, "whether they also come in the same order"));

json_t *difference_json(const Difference *difference)
{
    json_t *document = fields_to_json(&difference_fields, difference, 0);
    if (difference->has_phases)
        fields_add_to_json(&difference_phases_fields, &difference->phases, 0, document);
    return document;
}
