/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of `firma scale … -o DIR`: what is said as a document, and pictures. */
#include "base/files.h"
#include "base/json.h"
#include "report/plot.h"
#include "verbs/scale/scale.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool make_directory(const char *directory, Err *err)
{
    if (mkdir(directory, 0777) == 0 || (errno == EEXIST && files_is_directory(directory)))
        return true;
    return err_set(err, errno == EEXIST ? ERR_USAGE : ERR_ENVIRONMENT, "%s: %s", directory,
                   errno == EEXIST ? "is there, and no directory" : strerror(errno));
}

static void save_pictures(Cli *cli, const char *const scripts[SCALE_PICTURES], const char *directory)
{
    static const char *const names[SCALE_PICTURES] = {"time.svg", "speedup.svg", "efficiency.svg", "isoefficiency.svg"};
    for (size_t i = 0; i < SCALE_PICTURES; i++) {
        Err err = {0};
        if (scripts[i] && !plot_draw(scripts[i], arena_printf(cli->arena, "%s/%s", directory, names[i]), &err)) {
            cli_note(cli, "no pictures: %s", err.message);
            return;
        }
    }
}

bool scale_save(Cli *cli, const json_t *document, const char *const scripts[SCALE_PICTURES], const char *directory,
                Err *err)
{
    if (!make_directory(directory, err) ||
        !json_save_document(document, arena_printf(cli->arena, "%s/scaling.json", directory), err))
        return false;
    save_pictures(cli, scripts, directory);
    return true;
}
