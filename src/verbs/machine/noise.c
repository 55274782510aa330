/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine noise: measures how much the time of the same work differs on this machine, and writes
 * that into a machine model. */
#include "base/interrupts.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "signature/noise/fixed_work.h"
#include "verbs/machine/edit.h"
#include "verbs/machine/noise_text.h"
#include "verbs/machine/words.h"

#include <string.h>
#include <unistd.h>

static struct {
    char *output, *into, *time;
} options = {.time = "20s"};

static const struct poptOption option_table[] = {
    {"output", 'o', OPTION_JSON, &options.output, 0, "where to write the machine model", "FILE"},
    SHARED_OPTIONS(force_option_table),
    {"into", 0, OPTION_JSON, &options.into, 0,
     "a machine model to edit in place: adds the noise, in place of this host's earlier one; it is written back, or to -o",
     "FILE"},
    {"time", 't', OPTION_DURATION, &options.time, 0,
     "how long measuring may take, such as 90s, 5m or 1h; it finds the noise of stretches up to an eighth as long; by "
     "default 20s",
     "DURATION"},
    POPT_TABLEEND};

static bool describe(const Cli *cli, MachineNoise *noise, Err *err)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        return err_set(err, ERR_ENVIRONMENT, "the host's name isn't known");
    noise->host = arena_strdup(cli->arena, host);
    noise->date = text_of_now(cli->arena);
    noise->command = arena_printf(cli->arena, "firma %s", cli->command_line);
    return true;
}

/* Puts the noise into the model, in place of an earlier one of this host. */
static void put(json_t *root, const MachineNoise *noise, Arena *arena)
{
    json_t *entries = json_object_get(root, "noise"), *entry = fields_to_json(&machine_noise_fields, noise, 0);
    if (!entries) {
        json_object_set_new(root, "noise", json_array());
        entries = json_object_get(root, "noise");
    }
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const char *host = json_to_text(json_object_get(json_array_get(entries, i), "host"), arena);
        if (!host || strcmp(host, noise->host) != 0)
            continue;
        json_array_set_new(entries, i, entry);
        return;
    }
    json_array_append_new(entries, entry);
}

static bool measure(Cli *cli, double duration_s, MachineNoise *noise, Err *err)
{
    sigset_t before;
    *noise = (MachineNoise){0};
    if (!describe(cli, noise, err))
        return false;
    interrupts_hold(&before);
    bool ok = fixed_work_measure(duration_s, &cli->progress, cli->arena, noise, err);
    interrupts_release(&before);
    cli_progress_end(cli);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    ModelEdit edit = {.output = options.output, .into = options.into};
    double duration_s;
    MachineNoise noise;
    if (n)
        return err_set(err, ERR_USAGE, "`%.100s`: unexpected; machine noise takes only options", words[0]);
    if (!seconds_option_parse("--time", options.time, &duration_s, err) || !model_edit_begin(cli, &edit, err) ||
        !model_edit_open(cli, &edit, err))
        return false;
    if (!measure(cli, duration_s, &noise, err)) {
        json_decref(edit.root);
        return false;
    }
    put(edit.root, &noise, cli->arena);
    return model_edit_finish(cli, &edit, fields_to_json(&machine_noise_fields, &noise, 0),
                             noise_text(&noise, cli->color, cli->arena),
                             arena_printf(cli->arena, "noise of %s", noise.host), err);
}

const Verb machine_noise = {
    .name = "machine noise",
    .summary = "measure how much the time of the same work differs on this machine",
    .synopsis = "[-o FILE] [--into FILE] [--time 20s]",
    .description =
        "Runs the same work again and again on all processors that firma may use, at the same time. For stretches of "
        "10 ms, 20 ms, 40 ms and so on, prints the Allan deviation: by how much two stretches that follow each other "
        "typically differ, divided by √2. No measurement of that length can be more exact on this machine. "
        "`firma measure --machine` takes the noise of the machine from the model, and `firma predict` then computes its "
        "intervals from it.\n\n"
        "Where the deviation falls as the square root of the length, longer measurements help. Where it stays, they "
        "don't, and several runs at different times do.",
    .examples = "firma machine noise                          # how noisy is this machine?\n"
                "firma machine noise -t 90s -o machine.json   # up to stretches of ten seconds, into a model\n"
                "firma machine noise --into machine.json      # adds it to a model of `firma comm`",
    .options = option_table,
    .run = run,
};
