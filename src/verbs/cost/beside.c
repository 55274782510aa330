/* SPDX-License-Identifier: BSD-3-Clause */
/* See beside.h. */
#include "verbs/cost/beside.h"

#include "base/files.h"
#include <string.h>

#define FORMAT "firma cost predict --json"
#define HINT "--beside takes what `" FORMAT "` prints"

static char **files;

const struct poptOption beside_option_table[] = {
    {"beside", 0, POPT_ARG_ARGV, &files, 0,
     "an earlier prediction, to be printed and drawn beside this one: the output of `cost predict --json`; "
     "may be repeated",
     "FILE"},
    POPT_TABLEEND};

bool beside_is_given(void)
{
    return files != NULL;
}

static bool check_choice(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const BesideChoice *choice = record;
    (void)context;
    return choice->time_s.low <= choice->time_s.high ||
           json_refuse(place, "time_s", err, "the least time is above the most");
}

static const FieldList choice_fields =
    FIELDS_CHECKED(BesideChoice, check_choice, FIELD(BesideChoice, machines, "`old:3,fast:2x4`"),
                   FIELD_AS(BesideChoice, n_workers, "workers", "how many"),
                   FIELD_REALS(BesideChoice, time_s, "time_s", "[least, most]"));

const FieldList beside_fields =
    FIELDS(BesidePrediction, FIELD(BesidePrediction, name, "of its file, without the ending", .flags = FIELD_OPTIONAL),
           FIELD(BesidePrediction, application, "its name"),
           FIELD_LIST(BesidePrediction, choices, n_choices, "predictions", "one for each choice of machines",
                      .of = &choice_fields));

static const char *name_of(const char *path, Arena *arena)
{
    static const char ending[] = ".json";
    const char *base = files_base_name(path);
    size_t length = strlen(base) - (files_has_suffix(base, ending) ? sizeof ending - 1 : 0);
    return arena_printf(arena, "%.*s", (int)length, base);
}

static bool load_one(const char *path, Arena *arena, BesidePrediction *prediction, Err *err)
{
    const FieldContext context = {.root = prediction, .arena = arena};
    const JsonPlace place = json_place(path, "%s", "");
    json_t *root;
    const char *verb;
    if (!json_load_root(path, FORMAT, &root, err))
        return err_hint(err, HINT);
    bool ok = json_get_string(root, "verb", &place, &verb, err) &&
              (strcmp(verb, "cost") == 0 || json_refuse(&place, "verb", err, "expected `cost`, found `%s`", verb)) &&
              fields_from_json(&beside_fields, &context, root, &place, prediction, err) &&
              (prediction->n_choices || json_refuse(&place, "predictions", err, "there are none"));
    json_decref(root);
    if (!ok)
        return err_hint(err, HINT);
    prediction->name = name_of(path, arena);
    return true;
}

bool beside_load(Arena *arena, Beside *beside, Err *err)
{
    uint32_t n = 0;
    while (files && files[n])
        n++;
    if (n > BESIDE_LIMIT)
        return err_set(err, ERR_USAGE, "--beside: at most %d predictions fit beside one", BESIDE_LIMIT);
    BesidePrediction *items = arena_new_array(arena, BesidePrediction, n);
    *beside = (Beside){n, items};
    for (uint32_t i = 0; i < n; i++)
        if (!load_one(files[i], arena, &items[i], err))
            return false;
    return true;
}

const Interval *beside_time_s(const BesidePrediction *prediction, const char *machines, uint64_t n_workers)
{
    for (uint32_t i = 0; i < prediction->n_choices; i++)
        if (prediction->choices[i].n_workers == n_workers && strcmp(prediction->choices[i].machines, machines) == 0)
            return &prediction->choices[i].time_s;
    return NULL;
}
