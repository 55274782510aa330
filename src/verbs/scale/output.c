/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of `firma scale … -o DIR`: scaling.json and pictures. */
#include "base/files.h"
#include "base/json.h"
#include "cli/outputs.h"
#include "verbs/scale/scale.h"

#include <string.h>

static const char *const picture_names[SCALE_PICTURES] = {"time.svg", "speedup.svg", "efficiency.svg",
                                                          "isoefficiency.svg"};

static bool is_part(const char *name)
{
    for (size_t i = 0; i < SCALE_PICTURES; i++)
        if (strcmp(name, picture_names[i]) == 0)
            return true;
    return strcmp(name, "scaling.json") == 0;
}

static const DirectoryKind scale_directory = {
    .what = "firma scale's results", .mark = "scaling.json", .is_part = is_part};

bool scale_check_output(const char *directory, const char *input, Arena *arena, Err *err)
{
    return outputs_check_one(&(Output){.path = directory, .kind = &scale_directory}, &input, 1, arena, err);
}

static bool save_files(const json_t *document, const char *const pictures[SCALE_PICTURES], const char *directory,
                       Arena *arena, Err *err)
{
    bool ok = json_save_document(document, arena_printf(arena, "%s/scaling.json", directory), err);
    for (size_t i = 0; i < SCALE_PICTURES && ok; i++)
        ok = !pictures[i] ||
             files_save_text(arena_printf(arena, "%s/%s", directory, picture_names[i]), pictures[i], err);
    return ok;
}

bool scale_save(Cli *cli, const json_t *document, const char *const pictures[SCALE_PICTURES], const char *directory,
                Err *err)
{
    OutputDirectory filled;
    if (!output_directory_begin(&(Output){.path = directory, .kind = &scale_directory}, cli->arena, &filled, err))
        return false;
    bool ok = save_files(document, pictures, filled.filled, cli->arena, err);
    return output_directory_end(&filled, ok, cli->arena, err);
}

const char *scale_distance_text(const Distance *distance, Arena *arena)
{
    return distance->is_extrapolated
               ? arena_printf(arena, "%sextrapolated %.3g ×", distance->is_far ? "far " : "", distance->times)
               : "";
}

void scale_add_directory(json_t *document, const char *directory)
{
    json_object_set_new(document, "output", json_from_text(directory));
    json_object_set_new(document, "files", output_directory_json(directory));
}
