/* SPDX-License-Identifier: BSD-3-Clause */
/* See guidelines_views.h: the JSON. */
#include "verbs/comm/guidelines_views.h"

#include "verbs/comm/views.h"

typedef struct ViolationRow {
    const GuidelineViolation *violation;
    const char *configuration, *from, *to;
} ViolationRow;

typedef struct GuidelinesDocument {
    GuidelineCheck check;
    const ViolationRow *violations;
} GuidelinesDocument;

static const FieldList series_fields =
    FIELDS(CommSeries, FIELD(CommSeries, operation, "the operation that takes too long"),
           FIELD_AS(CommSeries, n_ranks, "ranks", "processes that take part"));

static const FieldList violation_fields = FIELDS(
    GuidelineViolation,
    FIELD(
        GuidelineViolation, guideline,
        "such as `allgather ≤ gather + broadcast`; `monotony`: at most the time of the next larger size; `split`: at most "
        "that of several operations on the next smaller size"),
    FIELD_INLINE_POINTED(GuidelineViolation, series, series_fields), FIELD(GuidelineViolation, bytes, "the size"),
    FIELD(GuidelineViolation, time_s, "its time"), FIELD(GuidelineViolation, bound_s, "what it should take at most"),
    FIELD(GuidelineViolation, bound_bytes, "the size with which that was measured"),
    FIELD(GuidelineViolation, parts, "of `split`: how many operations; else 1"),
    FIELD_AS(GuidelineViolation, factor.value, "factor", "`time_s` over `bound_s`"),
    FIELD_AS(GuidelineViolation, factor.low, "factor_low", "lower end of its 95 % interval, above 1"),
    FIELD_AS(GuidelineViolation, factor.high, "factor_high", "upper end of that interval"));

static const FieldList row_fields =
    FIELDS(ViolationRow, FIELD(ViolationRow, configuration, "its name, such as `openmpi tcp`"),
           FIELD(ViolationRow, from, "the root's host"), FIELD(ViolationRow, to, "the last rank's host"),
           FIELD_INLINE_POINTED(ViolationRow, violation, violation_fields));

const FieldList comm_guidelines_fields = FIELDS(
    GuidelinesDocument, FIELD_AS(GuidelinesDocument, check.n_guidelines, "guidelines", "how many could be checked"),
    FIELD_AS(GuidelinesDocument, check.n_checks, "checks",
             "in how many cases: configurations, numbers of processes and sizes"),
    FIELD_LIST(GuidelinesDocument, violations, check.n_violations, "violations",
               "those that are violated beyond the intervals", .of = &row_fields));

json_t *comm_guidelines_json(const CommMeasurement *measurement, CommStatistic statistic)
{
    Arena *arena = arena_new();
    GuidelinesDocument document = {.check = guidelines_check(measurement, statistic, arena)};
    ViolationRow *rows = arena_new_array(arena, ViolationRow, document.check.n_violations);
    for (uint32_t i = 0; i < document.check.n_violations; i++) {
        const GuidelineViolation *violation = &document.check.violations[i];
        const CommSeries *series = violation->series;
        rows[i] = (ViolationRow){violation, comm_way_text(measurement, series, arena),
                                 measurement->hosts[series->from_host].name, measurement->hosts[series->to_host].name};
    }
    document.violations = rows;
    json_t *json = fields_to_json(&comm_guidelines_fields, &document, 0);
    arena_free(arena);
    return json;
}
