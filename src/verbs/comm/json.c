/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: the summary as JSON. */
#include "verbs/comm/views.h"

#include "comm/summary.h"
#include "verbs/comm/guidelines_views.h"

/* Where something was measured. */
typedef struct PlaceRow {
    const char *configuration, *from, *to;
} PlaceRow;

/* An extreme time or bandwidth. */
typedef struct ExtremeRow {
    double value;
    uint64_t bytes;
    PlaceRow place;
} ExtremeRow;

/* NULL: there is none. */
typedef struct ExtremesRow {
    const ExtremeRow *extremes[N_EXTREMES];
} ExtremesRow;

typedef struct SummaryRow {
    const char *middleware, *operation;
    uint32_t n_ranks;
    ExtremesRow local, remote;
} SummaryRow;

typedef struct OverheadRow {
    PlaceRow place;
    const char *against;
    double startup_s, startup_difference_s, startup_ratio, icmp_startup_s, bandwidth_share, bandwidth_share_at_largest;
    uint64_t largest_bytes;
} OverheadRow;

typedef struct CommDocument {
    const SummaryRow *summaries;
    const OverheadRow *overheads;
    uint32_t n_summaries, n_overheads;
    const CommMeasurement *measurement;
    const MachineModel *machine;
    const char *output;
} CommDocument;

static const FieldList place_fields =
    FIELDS(PlaceRow, FIELD(PlaceRow, configuration, "its name, such as `openmpi tcp`"),
           FIELD(PlaceRow, from, "the first process's host, or the root's"),
           FIELD(PlaceRow, to, "the second process's host, or the last rank's"));

static const FieldList time_fields =
    FIELDS(ExtremeRow, FIELD_AS(ExtremeRow, value, "seconds", "of a message, or of a collective"),
           FIELD(ExtremeRow, bytes, "of the message"), FIELD_INLINE_MEMBER(ExtremeRow, place, place_fields));

static const FieldList bandwidth_fields =
    FIELDS(ExtremeRow, FIELD_AS(ExtremeRow, value, "bytes_per_s", "bandwidth"),
           FIELD(ExtremeRow, bytes, "of the message"), FIELD_INLINE_MEMBER(ExtremeRow, place, place_fields));

static const FieldList extremes_fields =
    FIELDS(ExtremesRow,
           FIELD_POINTED(ExtremesRow, extremes[STARTUP_LEAST], "least_startup", "shortest time of the smallest message",
                         .of = &time_fields, .flags = FIELD_NULL),
           FIELD_POINTED(ExtremesRow, extremes[STARTUP_MOST], "most_startup", "longest time of the smallest message",
                         .of = &time_fields, .flags = FIELD_NULL),
           FIELD_POINTED(ExtremesRow, extremes[BANDWIDTH_MOST], "most_bandwidth", "the largest, of any size",
                         .of = &bandwidth_fields, .flags = FIELD_NULL),
           FIELD_POINTED(ExtremesRow, extremes[BANDWIDTH_AT_LARGEST], "bandwidth_at_largest",
                         "the largest, of the largest size", .of = &bandwidth_fields, .flags = FIELD_NULL));

static const FieldList summary_fields =
    FIELDS(SummaryRow, FIELD(SummaryRow, middleware, "as in `comm.json`; `icmp` counts as one of its own"),
           FIELD(SummaryRow, operation, "`pingpong`, `broadcast`, `multicast`"),
           FIELD_AS(SummaryRow, n_ranks, "ranks", "processes that take part"),
           FIELD(SummaryRow, local, "within a host", .of = &extremes_fields),
           FIELD(SummaryRow, remote, "between hosts", .of = &extremes_fields));

static const FieldList overhead_fields =
    FIELDS(OverheadRow, FIELD_INLINE_MEMBER(OverheadRow, place, place_fields),
           FIELD(OverheadRow, against, "the system's own configuration that it is compared with"),
           FIELD(OverheadRow, startup_s, "time of the smallest message that both have"),
           FIELD(OverheadRow, startup_difference_s, "this time minus the system's"),
           FIELD(OverheadRow, startup_ratio, "this time over the system's"),
           FIELD(OverheadRow, icmp_startup_s, "time of the smallest ICMP echo on the same way; null: not measured",
                 .flags = FIELD_NULL),
           FIELD(OverheadRow, bandwidth_share, "largest bandwidth over the system's largest"),
           FIELD(OverheadRow, largest_bytes, "the largest size that both have"),
           FIELD(OverheadRow, bandwidth_share_at_largest, "bandwidth at that size over the system's"));

static json_t *measurement_json(const FieldContext *context, const void *record)
{
    (void)context;
    return comm_to_json(((const CommDocument *)record)->measurement);
}

static json_t *machine_json(const FieldContext *context, const void *record)
{
    (void)context;
    return machine_to_json(((const CommDocument *)record)->machine);
}

static json_t *guidelines_json(const FieldContext *context, const void *record)
{
    const CommDocument *document = record;
    (void)context;
    return comm_guidelines_json(document->measurement, document->machine->statistic);
}

const FieldList comm_view_fields = FIELDS(
    CommDocument,
    FIELD_LIST(CommDocument, summaries, n_summaries, "summary", "by middleware and operation", .of = &summary_fields),
    FIELD_LIST(CommDocument, overheads, n_overheads, "overheads",
               "what a library's messages cost compared with the system's on the same path", .of = &overhead_fields),
    FIELD_OWN("guidelines", SHAPE_ONE, guidelines_json, NULL, "whether a library's collectives are consistent",
              .noun = "object", .of = &comm_guidelines_fields),
    FIELD_OWN("measurement", SHAPE_ONE, measurement_json, NULL, "as `comm.json`", .noun = "object"),
    FIELD_OWN("machine", SHAPE_ONE, machine_json, NULL, "the machine model, as `machine.json`", .noun = "object"),
    FIELD(CommDocument, output, "with `-o`: the directory", .flags = FIELD_ABSENT));

static PlaceRow place_row(const CommMeasurement *measurement, const CommSeries *series, Arena *arena)
{
    return (PlaceRow){comm_way_text(measurement, series, arena), measurement->hosts[series->from_host].name,
                      measurement->hosts[series->to_host].name};
}

static ExtremesRow extremes_row(const CommMeasurement *measurement, const Extreme extremes[N_EXTREMES], Arena *arena)
{
    ExtremesRow row = {0};
    for (int kind = 0; kind < N_EXTREMES; kind++) {
        const Extreme *extreme = &extremes[kind];
        if (!extreme->series)
            continue;
        ExtremeRow *one = arena_new_array(arena, ExtremeRow, 1);
        *one = (ExtremeRow){extreme->value, extreme->point->bytes, place_row(measurement, extreme->series, arena)};
        row.extremes[kind] = one;
    }
    return row;
}

static OverheadRow overhead_row(const CommMeasurement *measurement, const CommOverhead *overhead, Arena *arena)
{
    const CommConfiguration *baseline = &measurement->configurations[overhead->baseline->configuration];
    return (OverheadRow){.place = place_row(measurement, overhead->series, arena),
                         .against = comm_configuration_name(baseline, arena),
                         .startup_s = overhead->startup_s,
                         .startup_difference_s = overhead->startup_s - overhead->baseline_startup_s,
                         .startup_ratio = overhead->startup_s / overhead->baseline_startup_s,
                         .icmp_startup_s = overhead->icmp_startup_s,
                         .bandwidth_share = overhead->bandwidth / overhead->baseline_bandwidth,
                         .largest_bytes = overhead->largest_bytes,
                         .bandwidth_share_at_largest = overhead->at_largest / overhead->baseline_at_largest};
}

static const OverheadRow *overhead_rows(const CommMeasurement *measurement, Arena *arena, uint32_t *n)
{
    const CommOverhead *overheads = summary_overheads(measurement, arena, n);
    OverheadRow *rows = arena_new_array(arena, OverheadRow, *n);
    for (uint32_t i = 0; i < *n; i++)
        rows[i] = overhead_row(measurement, &overheads[i], arena);
    return rows;
}

json_t *comm_overheads_json(const CommMeasurement *measurement, Arena *arena)
{
    uint32_t n;
    const OverheadRow *rows = overhead_rows(measurement, arena, &n);
    return fields_to_json_array(&overhead_fields, rows, n, 0);
}

json_t *comm_view_json(const CommMeasurement *measurement, const MachineModel *machine, const char *output,
                       Arena *arena)
{
    CommDocument document = {.measurement = measurement, .machine = machine, .output = output};
    const CommSummary *summaries = summary_make(measurement, arena, &document.n_summaries);
    SummaryRow *summary_rows = arena_new_array(arena, SummaryRow, document.n_summaries);
    for (uint32_t i = 0; i < document.n_summaries; i++)
        summary_rows[i] = (SummaryRow){summaries[i].middleware, summaries[i].operation, summaries[i].n_ranks,
                                       extremes_row(measurement, summaries[i].local, arena),
                                       extremes_row(measurement, summaries[i].remote, arena)};
    document.summaries = summary_rows;
    document.overheads = overhead_rows(measurement, arena, &document.n_overheads);
    return fields_to_json(&comm_view_fields, &document, 0);
}
