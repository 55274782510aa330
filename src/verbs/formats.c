/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of docs/FORMATS.md that are made of field lists. */
#include "cli/verbs.h"

#include "base/files.h"
#include "cost/count/task_counts.h"
#include "cost/predict/calibration.h"
#include "model/comm.h"
#include "model/machine.h"
#include "model/runs.h"
#include "model/signature.h"
#include "model/times.h"
#include "model/ttig.h"
#include "signature/states/states.h"
#include "verbs/check/text.h"
#include "verbs/checkpoint/checkpoint.h"
#include "verbs/comm/compare_views.h"
#include "verbs/comm/views.h"
#include "verbs/cost/check_text.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/predict_views.h"
#include "verbs/cost/program.h"
#include "verbs/cost/run.h"
#include "verbs/cost/run_text.h"
#include "verbs/diff/views.h"
#include "verbs/doctor/checklist.h"
#include "verbs/export/export.h"
#include "verbs/graph/views.h"
#include "verbs/machine/words.h"
#include "verbs/map/placement.h"
#include "verbs/map/views.h"
#include "verbs/measure/text.h"
#include "verbs/phases/comparison.h"
#include "verbs/phases/like.h"
#include "verbs/phases/text.h"
#include "verbs/predict/several.h"
#include "verbs/predict/text.h"
#include "verbs/scale/counts_views.h"
#include "verbs/scale/model_views.h"
#include "verbs/scale/runs_views.h"
#include "verbs/scale/trace_text.h"
#include "verbs/show/blocks.h"
#include "verbs/show/events.h"
#include "verbs/show/logical.h"
#include "verbs/show/matrix.h"
#include "verbs/show/occurrence.h"
#include "verbs/show/overview.h"
#include "verbs/show/phase.h"
#include "verbs/show/waits.h"
#include "verbs/simulate/views.h"
#include "verbs/study/limits.h"
#include "verbs/trace/tracing.h"

#include <stdio.h>
#include <string.h>

#define BEGIN "<!-- fields: "
#define END "<!-- end -->"

typedef struct Section {
    const char *name;
    const Document *document; /* or */
    const FieldList *fields;  /* of what `--json` prints, or of CSV's columns */
} Section;

static const Section sections[] = {
    {.name = "signature", .document = &signature_document},
    {.name = "times", .document = &times_document},
    {.name = "states", .document = &states_document},
    {.name = "comm", .document = &comm_document},
    {.name = "comm-csv", .fields = &comm_csv_fields},
    {.name = "comm-samples", .fields = &comm_samples_fields},
    {.name = "machine", .document = &machine_document},
    {.name = "tfg", .document = &tfg_document},
    {.name = "ttig", .document = &ttig_document},
    {.name = "runs", .document = &runs_document},
    {.name = "trace", .fields = &trace_fields},
    {.name = "cost-model", .fields = &cost_model_fields},
    {.name = "cost-predict", .fields = &cost_fields},
    {.name = "cost-predict-program", .fields = &cost_program_fields},
    {.name = "diff", .fields = &difference_fields},
    {.name = "diff-phases", .fields = &difference_phases_fields},
    {.name = "doctor", .fields = &doctor_fields},
    {.name = "graph", .fields = &graph_fields},
    {.name = "machine-export", .fields = &machine_export_fields},
    {.name = "map", .fields = &mapping_fields},
    {.name = "map-launchers", .fields = &launch_way_fields},
    {.name = "map-order", .fields = &launch_order_fields},
    {.name = "map-runs", .fields = &placement_runs_fields},
    {.name = "phases", .fields = &phases_fields},
    {.name = "predict", .fields = &prediction_fields},
    {.name = "predict-several", .fields = &several_fields},
    {.name = "simulate", .fields = &simulate_fields},
    {.name = "study-limits", .fields = &study_limit_fields},
    {.name = "scale", .fields = &scaling_fields},
    {.name = "scale-counts", .fields = &counts_fields},
    {.name = "scale-trace", .fields = &balance_fields},
    {.name = "show", .fields = &overview_fields},
    {.name = "show-ticks", .fields = &logical_fields},
    {.name = "show-blocks", .fields = &blocks_fields},
    {.name = "show-phase", .fields = &phase_view_fields},
    {.name = "show-occurrence", .fields = &occurrence_fields},
    {.name = "show-rank", .fields = &events_fields},
    {.name = "show-matrix", .fields = &matrix_fields},
    {.name = "show-waits", .fields = &waits_fields},
    {.name = "check", .fields = &binary_fields},
    {.name = "measure", .fields = &measured_prefix_fields},
    {.name = "measure-states", .fields = &measured_states_fields},
    {.name = "export", .fields = &export_fields},
    {.name = "checkpoint", .fields = &checkpoint_fields},
    {.name = "phases-like", .fields = &like_fields},
    {.name = "phases-compare", .fields = &comparison_fields},
    {.name = "comm-view", .fields = &comm_view_fields},
    {.name = "comm-compare", .fields = &comm_comparison_fields},
    {.name = "task-runs", .document = &task_runs_document},
    {.name = "cost-check", .fields = &flow_fields},
    {.name = "scale-model", .fields = &scaling_model_fields},
    {.name = "cost-calibrate", .fields = &cost_calibration_fields},
    {.name = "calibration", .document = &calibration_document},
    {.name = "cost-count", .fields = &cost_count_fields},
    {.name = "task-counts", .document = &task_counts_document},
};

static const FieldList *find_fields(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strlen(sections[i].name) == length && memcmp(sections[i].name, name, length) == 0)
            return sections[i].document ? sections[i].document->fields : sections[i].fields;
    return NULL;
}

/* The blanks between a line's beginning and a place in the text. */
static size_t indent_of(const char *text, const char *place)
{
    size_t indent = 0;
    while (place - indent > text && place[-1 - (ptrdiff_t)indent] == ' ')
        indent++;
    return indent;
}

/* Indents a list as far as the comment that names it. */
static bool replace_sections(const char *file, const char *at, Text *text, Err *err)
{
    for (const char *begin; (begin = strstr(at, BEGIN)); at = strstr(begin, END)) {
        const char *name = begin + strlen(BEGIN), *end = strstr(begin, END);
        size_t length = strcspn(name, " ");
        const FieldList *fields = find_fields(name, length);
        if (!fields || !end)
            return err_set(err, ERR_INPUT, "%s: fields of `%.*s`: %s", file, (int)length, name,
                           fields ? "the end is missing" : "there is no such list");
        const char *line_end = name + strcspn(name, "\n");
        size_t indent = indent_of(at, begin);
        text_add(text, "%.*s\n\n", (int)(line_end - at), at);
        fields_to_markdown(fields, indent, text);
        text_add(text, "\n");
        text_repeat(text, ' ', indent);
    }
    text_add(text, "%s", at);
    return true;
}

bool formats_print(const char *file, Err *err)
{
    Arena *arena = arena_new();
    const char *before;
    Text text = {0};
    bool fine = files_load_text(file, arena, &before, err) && replace_sections(file, before, &text, err);
    if (fine)
        fwrite(text.bytes.items, 1, text.bytes.count, stdout);
    vec_free(&text.bytes);
    arena_free(arena);
    return fine;
}
