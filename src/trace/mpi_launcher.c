/* SPDX-License-Identifier: BSD-3-Clause */
/* See mpi_launcher.h. A candidate on PATH is an MPI's launcher if its --version contains certain
 * words. */
#include "trace/mpi_launcher.h"

#include "base/process.h"
#include <string.h>
#include <unistd.h>

enum { VERSION_TIMEOUT_MS = 10000, OPTIONS_LIMIT = 3 };

typedef struct Known {
    MpiFlavour flavour;
    const char *key, *package;
    const char *commands[5];      /* candidates, in this order; ends with NULL */
    const char *version_words[2]; /* --version contains one of them */
    const char *as_root, *always;
} Known;

static const Known known[] = {
    {MPI_FLAVOUR_OPENMPI,
     "openmpi",
     "openmpi-bin libopenmpi-dev",
     {"mpirun.openmpi", "mpirun", "mpiexec"},
     {"Open MPI", "OpenRTE"},
     "--allow-run-as-root",
     "--oversubscribe"},
    {MPI_FLAVOUR_MPICH,
     "mpich",
     "mpich libmpich-dev",
     {"mpirun.mpich", "mpiexec.hydra", "mpirun", "mpiexec"},
     {"HYDRA", "MPICH"},
     NULL,
     NULL},
};

const MpiFlavour mpi_launcher_flavours[] = {MPI_FLAVOUR_OPENMPI, MPI_FLAVOUR_MPICH, MPI_FLAVOUR_NONE};

static const Known *find_known(MpiFlavour flavour)
{
    const Known *found = known;
    while (found->flavour != flavour)
        found++;
    return found;
}

static const char *first_line(const char *text, Arena *arena)
{
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

/* The text behind "Version:" in Hydra's output of several lines; for other launchers, the first
 * line. */
static const char *version_line(MpiFlavour flavour, const char *text, Arena *arena)
{
    const char *version = strstr(text, "Version:");
    if (flavour != MPI_FLAVOUR_MPICH || !version)
        return first_line(text, arena);
    version += strlen("Version:");
    version += strspn(version, " ");
    return arena_printf(arena, "MPICH %s", first_line(version, arena));
}

static const char *const *first_options(const Known *mpi, Arena *arena)
{
    const char **options = arena_new_array(arena, const char *, OPTIONS_LIMIT);
    size_t n = 0;
    if (mpi->as_root && geteuid() == 0)
        options[n++] = mpi->as_root;
    if (mpi->always)
        options[n++] = mpi->always;
    return options;
}

MpiLauncher mpi_launcher_find(MpiFlavour flavour, Arena *arena)
{
    const Known *mpi = find_known(flavour);
    MpiLauncher launcher = {flavour, mpi->key, mpi->package, NULL, "", first_options(mpi, arena)};
    for (const char *const *command = mpi->commands; *command && !launcher.command; command++) {
        const char *const ask[] = {*command, "--version", NULL};
        char *text;
        int status;
        if (!process_capture(&(ProcessOptions){.words = ask}, VERSION_TIMEOUT_MS, arena, &text, &status) ||
            !(strstr(text, mpi->version_words[0]) || strstr(text, mpi->version_words[1])))
            continue;
        launcher.command = *command;
        launcher.version = version_line(flavour, text, arena);
    }
    return launcher;
}

const char *const *mpi_launcher_words(const MpiLauncher *launcher, unsigned n, const char *program, Arena *arena)
{
    const char **words = arena_new_array(arena, const char *, OPTIONS_LIMIT + 5);
    size_t count = 0;
    words[count++] = launcher->command;
    for (const char *const *option = launcher->first_options; *option; option++)
        words[count++] = *option;
    words[count++] = "-n";
    words[count++] = arena_printf(arena, "%u", n);
    words[count++] = program;
    return words;
}
