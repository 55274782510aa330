/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. A launcher takes the first word behind its options for the program. The tables
 * have the options of Open MPI's mpirun (4.1, 5.0), MPICH's Hydra and srun. */
#include "trace/launch/program.h"

#include "base/files.h"
#include "trace/launch/executable.h"

#include <string.h>

/* Options that are followed by one word, without their dashes. All other options have no value, or
 * have it behind "=" or in the same word. */
static const char with_one_word[] =
    " n np c H host hostfile default-hostfile machinefile machine f hosts rankfile rf map-by bind-to rank-by wdir wd"
    " path x N npernode npersocket ppr cpus-per-proc cpus-per-rank cpu-set cpu-list slot-list membind stdin tmpdir"
    " prefix timeout am tune envlist genvlist ppn perhost launcher launcher-exec bootstrap iface rmk output-filename"
    " report-uri p w A t J o e i m F r B ntasks ntasks-per-node nodes nodelist nodefile distribution partition account"
    " time job-name cpus-per-task ";
static const char with_two_words[] = " mca gmca prtemca pmixmca env genv ";

static bool is_one_of(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; length && (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

bool launch_is_launcher(const char *word)
{
    static const char *const starts[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun"};
    const char *name = files_base_name(word);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

int launch_find_linked(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **library)
{
    for (int i = 0; argv[i]; i++) {
        const char *path = launch_find_executable(argv[i], arena);
        *flavour = path ? executable_flavour(path, arena, library) : MPI_FLAVOUR_NONE;
        if (*flavour != MPI_FLAVOUR_NONE)
            return i;
    }
    return -1;
}

int launch_find_launcher(char *const argv[], Arena *arena)
{
    for (int i = 0; argv[i]; i++)
        if ((launch_is_launcher(argv[i]) || strcmp(files_base_name(argv[i]), "srun") == 0) &&
            launch_find_executable(argv[i], arena))
            return i;
    return -1;
}

/* The first word behind the launcher that is neither an option nor belongs to one; -1: none. */
static int find_behind_options(char *const argv[], int launcher)
{
    int i = launcher + 1;
    while (argv[i] && argv[i][0] == '-') {
        const char *name = argv[i] + strspn(argv[i], "-");
        int n_values = is_one_of(with_two_words, name) ? 2 : is_one_of(with_one_word, name);
        for (i++; argv[i] && n_values; n_values--)
            i++;
    }
    return argv[i] ? i : -1;
}

int launch_find_program(char *const argv[], Arena *arena)
{
    MpiFlavour flavour;
    const char *library;
    int program = launch_find_linked(argv, arena, &flavour, &library), launcher = launch_find_launcher(argv, arena);
    if (program < 0 && launcher >= 0)
        program = find_behind_options(argv, launcher);
    for (int i = 1; program < 0 && launcher < 0 && argv[0] && argv[i]; i++)
        if (launch_find_executable(argv[i], arena))
            program = i;
    return program;
}
