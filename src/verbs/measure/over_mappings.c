/* SPDX-License-Identifier: BSD-3-Clause */
/* See over_mappings.h. */
#include "verbs/measure/over_mappings.h"

#include "base/files.h"
#include "cli/outputs.h"
#include "model/application.h"
#include "signature/predict/predict.h"
#include "trace/ownership.h"
#include "verbs/predict/several.h"
#include "verbs/trace/tracing.h"

static bool check_outputs(const Cli *cli, const Mappings *mappings, const OverMappings *how, Err *err)
{
    enum { OF_EACH = 5 };
    Output *outputs = arena_new_array(cli->arena, Output, OF_EACH * (size_t)mappings->n);
    if (files_is_device(how->output))
        return err_set(err, ERR_USAGE, "%s: is no file, after which those of several mappings could be named",
                       how->output);
    size_t n = 0;
    for (uint32_t i = 0; i < mappings->n; i++) {
        const char *name = mappings->items[i].name;
        outputs[n++] = (Output){.path = mapping_path(how->output, name, NULL, cli->arena)};
        outputs[n++] = (Output){.path = mappings->items[i].rankfile};
        if (!how->verify)
            continue;
        const char *trace = mapping_path(how->output, name, ".trace", cli->arena);
        outputs[n++] = (Output){.path = trace, .kind = &archive_directory};
        outputs[n++] = (Output){.path = arena_printf(cli->arena, "%s.log", trace)};
    }
    return outputs_check(outputs, n, &how->input, 1, cli->arena, err);
}

/* Runs the program in full under the recorder, as for a prediction's error. */
static bool verify(Cli *cli, const Signature *signature, const Mapped *mapping, const OverMappings *how,
                   double *actual_s, Err *err)
{
    const char *trace = mapping_path(how->output, mapping->name, ".trace", cli->arena);
    Tracing tracing = {.archive = trace,
                       .recording = arena_printf(cli->arena, "%s.recording", trace),
                       .output_path = arena_printf(cli->arena, "%s.log", trace),
                       .salt = application_salt(&signature->application, cli->arena),
                       .expected_s = signature->application_s};
    if (!recording_remove(tracing.recording, cli->arena, err) ||
        !tracing_record(cli, &tracing, mapping->command, err) || !tracing_judge(&tracing, cli->arena, err))
        return false;
    *actual_s = tracing.summary.application_s - tracing.summary.recording_s;
    return true;
}

static bool measure(Cli *cli, const Signature *signature, const Mapped *mapping, const OverMappings *how,
                    SeveralRow *row, Err *err)
{
    *row = (SeveralRow){.mapping = mapping->name, .path = mapping_path(how->output, mapping->name, NULL, cli->arena)};
    if (mapping->rankfile && !files_save_text(mapping->rankfile, mapping->rankfile_text, err))
        return false;
    if (!how->measure(how->self, mapping, row->path, &row->times, err) ||
        !predict_run_time(signature, row->times, prediction_estimator_name(0), cli->arena, &row->prediction, err))
        return err_prefix(err, "mapping %s", mapping->name);
    return true;
}

/* Fills in rows, up to the first mapping that fails. */
static bool measure_rows(Cli *cli, const Signature *signature, const Mappings *mappings, const OverMappings *how,
                         SeveralRow *rows, uint32_t *n, Err *err)
{
    for (*n = 0; *n < mappings->n;) {
        const Mapped *mapping = &mappings->items[*n];
        SeveralRow *row = &rows[*n];
        if (!measure(cli, signature, mapping, how, row, err))
            return false;
        ++*n;
        if (how->verify && !verify(cli, signature, mapping, how, &row->actual_s, err))
            return err_prefix(err, "mapping %s, in full", mapping->name);
    }
    return true;
}

/* Mappings by different names may place ranks alike, for example on a single node. */
static void note_alike(const Cli *cli, const SeveralRow *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) {
            const PhaseTimes *a = rows[k].times, *b = rows[i].times;
            if (!a->n_places || a->n_places != b->n_places || !places_are_same(a->places, b->places, a->n_places))
                continue;
            cli_note(cli, "%s places all ranks as %s does here", rows[i].mapping, rows[k].mapping);
            break;
        }
}

bool over_mappings(Cli *cli, const Signature *signature, const Mappings *mappings, const OverMappings *how, Err *err)
{
    SeveralRow *rows = arena_new_array(cli->arena, SeveralRow, mappings->n);
    uint32_t n;
    if (!check_outputs(cli, mappings, how, err))
        return false;
    bool ok = measure_rows(cli, signature, mappings, how, rows, &n, err);
    cli_progress_end(cli);
    note_alike(cli, rows, n);
    if (n && cli->json)
        cli_print_json(cli, several_json(rows, n));
    else if (n && !cli->quiet)
        cli_print(cli, "%s", several_text(rows, n, cli->color, cli->arena));
    return ok;
}
