/* SPDX-License-Identifier: BSD-3-Clause */
/* See preload.h. */
#include "trace/launch/preload.h"

#include "base/libraries.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err)
{
    const char *name = flavour == MPI_FLAVOUR_MPICH ? "libfirma-mpich.so"
                       : flavour == MPI_FLAVOUR_PVM ? "libfirma-pvm.so"
                                                    : "libfirma-openmpi.so";
    const char *found = libraries_find(name, "trace/recorder", arena);
    if (found && strpbrk(found, " :")) {
        err_set(err, ERR_ENVIRONMENT, "%s: LD_PRELOAD can't hold a path with a blank or colon", found);
        return err_hint(
            err, "copy the library to a directory without blank and colon, and set FIRMA_LIBDIR to that directory");
    }
    if (found) {
        *path = found;
        return true;
    }
    err_set(err, ERR_ENVIRONMENT, "%s: the recorder for %s was not found", name, mpi_flavour_name(flavour));
    return err_hint(
        err, "install %s's headers (Debian: %s) and build firma again, or set FIRMA_LIBDIR to the recorder's directory",
        mpi_flavour_name(flavour),
        flavour == MPI_FLAVOUR_MPICH ? "libmpich-dev"
        : flavour == MPI_FLAVOUR_PVM ? "pvm-dev"
                                     : "libopenmpi-dev");
}

bool preload_is_set(char *const argv[], int program)
{
    for (int i = 0; i < program; i++) {
        bool names_variable = strcmp(argv[i], "-env") == 0 || strcmp(argv[i], "-genv") == 0;
        if (names_variable && i + 1 < program && strcmp(argv[i + 1], "LD_PRELOAD") == 0)
            return true;
        if (strcmp(argv[i], "-x") == 0 && i + 1 < program && strncmp(argv[i + 1], "LD_PRELOAD=", 11) == 0)
            return true;
        if (strncmp(argv[i], "LD_PRELOAD=", 11) == 0)
            return true;
    }
    return false;
}

static void set_variable(Preload *preload, const char *name, const char *value, Arena *arena)
{
    assert(preload->n_variables < PRELOAD_VARIABLES);
    preload->environment[preload->n_variables++] = arena_printf(arena, "%s=%s", name, value);
}

#define FORWARDED "LD_PRELOAD;" RECORD_DIRECTORY_VARIABLE

/* Open MPI starts remote daemons by ssh, without the environment. So Open MPI must be told which
 * variables to forward. The variable OMPI_MCA_mca_base_env_list does this without a change of the
 * command line. But Open MPI ignores it if the command line has -x, or a list of its own. In these
 * two cases, this function adds the variables there. */
static void forward_by_openmpi(Preload *preload, int program, Arena *arena)
{
    const char *const *words = preload->words;
    int n = 0, first_x = -1, list = -1;
    for (; words[n]; n++) {
        if (n < program && first_x < 0 && strcmp(words[n], "-x") == 0)
            first_x = n;
        if (n + 1 < program && strcmp(words[n], "mca_base_env_list") == 0)
            list = n + 1;
    }
    const char **changed = arena_new_array(arena, const char *, (size_t)n + 5);
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (i == first_x) {
            changed[used++] = "-x";
            changed[used++] = "LD_PRELOAD";
            changed[used++] = "-x";
            changed[used++] = RECORD_DIRECTORY_VARIABLE;
        }
        changed[used++] = i == list ? arena_printf(arena, "%s;%s", words[i], FORWARDED) : words[i];
    }
    preload->words = changed;
    if (first_x < 0 && list < 0) {
        const char *users = getenv("OMPI_MCA_mca_base_env_list");
        set_variable(preload, "OMPI_MCA_mca_base_env_list",
                     users && *users ? arena_printf(arena, "%s;%s", users, FORWARDED) : FORWARDED, arena);
    }
}

Preload preload_prepare(const char *recorder, const char *recording, const LaunchOptions *options, char *const argv[],
                        int program, Arena *arena)
{
    Preload preload = {.words = (const char *const *)argv};
    const char *users = getenv("LD_PRELOAD");
    set_variable(&preload, RECORD_DIRECTORY_VARIABLE, recording, arena);
    if (recorder)
        set_variable(&preload, "LD_PRELOAD", users && *users ? arena_printf(arena, "%s:%s", recorder, users) : recorder,
                     arena);
    if (recorder && options->flavour == MPI_FLAVOUR_OPENMPI)
        forward_by_openmpi(&preload, program, arena);
    if (options->to_be_stopped && !getenv("OMPI_MCA_odls_base_sigkill_timeout"))
        set_variable(&preload, "OMPI_MCA_odls_base_sigkill_timeout", "0", arena);
    return preload;
}

void preload_for_pvm(Preload *preload, const char *const *machine, Arena *arena)
{
    const char *users = getenv("PVM_EXPORT");
    set_variable(preload, "PVM_EXPORT",
                 arena_printf(arena, "LD_PRELOAD:" RECORD_DIRECTORY_VARIABLE "%s%s", users && *users ? ":" : "",
                              users ? users : ""),
                 arena);
    for (; *machine; machine++) {
        assert(preload->n_variables < PRELOAD_VARIABLES);
        preload->environment[preload->n_variables++] = *machine;
    }
}
