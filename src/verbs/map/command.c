/* SPDX-License-Identifier: BSD-3-Clause */
/* See command.h. Options are those of Open MPI 4.1's mpirun (and of 5.0's where they differ), of MPICH's Hydra and
 * of srun. */
#include "verbs/map/command.h"

#include "base/files.h"
#include "base/words.h"
#include "trace/launch.h"

#include <stdlib.h>
#include <string.h>

/* What a launcher calls its options; without the dashes, as mpirun and Hydra take one or two. NULL ends. */
typedef struct Options {
    const char *const *placing; /* options that place ranks */
    const char *const *hosts;   /* those that choose hosts */
    const char *const *ranks;   /* options with the number of ranks; in the next word, or behind = */
    const char *glued;          /* letters of options that may have their value in the same word: -n4 */
    const char *const *variables;
} Options;

static const Options known[N_LAUNCHERS] = {
    [LAUNCHER_OPENMPI] = {(const char *const[]){"map-by",
                                                "rank-by",
                                                "bind-to",
                                                "rankfile",
                                                "rf",
                                                "cpu-set",
                                                "cpu-list",
                                                "slot-list",
                                                "bynode",
                                                "byslot",
                                                "bycore",
                                                "bysocket",
                                                "bind-to-core",
                                                "bind-to-socket",
                                                "bind-to-none",
                                                "npernode",
                                                "N",
                                                "pernode",
                                                "npersocket",
                                                "ppr",
                                                "cpus-per-proc",
                                                "cpus-per-rank",
                                                "use-hwthread-cpus",
                                                NULL},
                          (const char *const[]){"H", "host", "hostfile", "machinefile", "default-hostfile", "nolocal",
                                                "add-host", "add-hostfile", NULL},
                          (const char *const[]){"n", "np", "c", NULL}, "",
                          (const char *const[]){"OMPI_MCA_rmaps_base_mapping_policy",
                                                "OMPI_MCA_rmaps_base_ranking_policy",
                                                "OMPI_MCA_hwloc_base_binding_policy", "OMPI_MCA_orte_default_hostfile",
                                                "PRTE_MCA_rmaps_default_mapping_policy",
                                                "PRTE_MCA_hwloc_default_binding_policy", NULL}},
    [LAUNCHER_MPICH] = {(const char *const[]){"bind-to", "map-by", "membind", "ppn", "perhost", NULL},
                        (const char *const[]){"f", "hosts", "host", "hostfile", "machine", "machinefile", NULL},
                        (const char *const[]){"n", "np", NULL}, "",
                        (const char *const[]){"HYDRA_HOST_FILE", "HYDRA_BINDING", "HYDRA_MAPPING", NULL}},
    [LAUNCHER_SLURM] = {(const char *const[]){"m", "distribution", "B", "extra-node-info", "cpu-bind", "cpu_bind",
                                              "ntasks-per-node", "ntasks-per-core", "ntasks-per-socket", "hint", NULL},
                        (const char *const[]){"w", "nodelist", "F", "nodefile", "x", "exclude", "r", "relative", "N",
                                              "nodes", NULL},
                        (const char *const[]){"n", "ntasks", NULL}, "mwFxrNBn",
                        (const char *const[]){"SLURM_HOSTFILE", "SLURM_DISTRIBUTION", "SLURM_CPU_BIND", NULL}},
};

/* Open MPI's parameters behind --mca that do what its options do, with any prefix. */
static const char *const placing_parameters[] = {
    "rmaps", "hwloc_base_binding", "hwloc_base_cpu", "hwloc_default_", "hwloc_base_slot", "orte_default_hostfile",
    NULL};

/* The option's name within a word, and what stands behind it there; NULL: it's no option of that list. */
static const char *find_option(const Options *options, const char *const *list, const char *word, const char **value)
{
    const char *name = word + strspn(word, "-");
    size_t dashes = (size_t)(name - word), length = strcspn(name, "=");
    *value = NULL;
    for (; (dashes == 1 || dashes == 2) && *list; list++) {
        bool is_letter = dashes == 1 && !(*list)[1] && strchr(options->glued, **list);
        if (strncmp(*list, name, length) == 0 && !(*list)[length]) {
            *value = name[length] ? name + length + 1 : NULL;
            return *list;
        }
        if (is_letter && *name == **list) {
            *value = name + 1;
            return *list;
        }
    }
    return NULL;
}

static bool is_placing_parameter(const char *word, const char *name)
{
    const char *option = word + strspn(word, "-");
    if (*word != '-' || !name ||
        (strcmp(option, "mca") != 0 && strcmp(option, "gmca") != 0 && strcmp(option, "prtemca") != 0))
        return false;
    for (const char *const *begin = placing_parameters; *begin; begin++)
        if (strncmp(name, *begin, strlen(*begin)) == 0 && !strstr(name, "oversubscribe"))
            return true;
    return false;
}

/* may_choose_hosts: options that name hosts are allowed. */
static bool check_placing(const MapCommand *command, bool may_choose_hosts, Err *err)
{
    const Options *options = &known[command->kind];
    const char *value;
    for (int i = command->launcher + 1; i < command->program; i++) {
        const char *word = command->words[i], *next = command->words[i + 1];
        bool is_parameter = command->kind == LAUNCHER_OPENMPI && is_placing_parameter(word, next);
        bool names_hosts = find_option(options, options->hosts, word, &value);
        if (names_hosts ? may_choose_hosts : !is_parameter && !find_option(options, options->placing, word, &value))
            continue;
        err_set(err, ERR_USAGE, "%s%s%s: the mapping says where ranks run", word, is_parameter ? " " : "",
                is_parameter ? next : "");
        return err_hint(err, "leave it out%s",
                        names_hosts ? "; --nodes chooses among the machine's nodes"
                                    : ": firma adds options that place ranks");
    }
    return true;
}

static uint32_t read_number(const char *text)
{
    char *end;
    unsigned long number = text ? strtoul(text, &end, 10) : 0;
    return text && end != text && !*end && *text != '-' && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static uint32_t find_ranks(const MapCommand *command)
{
    const Options *options = &known[command->kind];
    const char *value;
    uint32_t n = command->kind == LAUNCHER_SLURM ? read_number(getenv("SLURM_NTASKS")) : 0;
    for (int i = command->launcher + 1; i < command->program; i++)
        if (find_option(options, options->ranks, command->words[i], &value))
            n = read_number(value ? value : command->words[i + 1]);
    return n;
}

static bool find_kind(MapCommand *command, Arena *arena, Err *err)
{
    MpiFlavour flavour;
    const char *reason, *launcher = command->words[command->launcher];
    if (strcmp(files_base_name(launcher), "srun") == 0) {
        command->kind = LAUNCHER_SLURM;
        return true;
    }
    if (!launch_find_flavour(command->words + command->launcher, arena, &flavour, &reason, err))
        return err_hint(err, "firma can give a mapping to mpirun of Open MPI and of MPICH, and to srun");
    command->kind = flavour == MPI_FLAVOUR_OPENMPI ? LAUNCHER_OPENMPI : LAUNCHER_MPICH;
    command->is_newer = command->kind == LAUNCHER_OPENMPI && launch_is_prrte(launcher, arena);
    return flavour == MPI_FLAVOUR_OPENMPI || flavour == MPI_FLAVOUR_MPICH ||
           err_set(err, ERR_USAGE, "%s: firma can give a mapping to mpirun of Open MPI and of MPICH, and to srun",
                   launcher);
}

/* Several programs, separated by ":", would each have options of their own. */
static bool starts_one_program(const MapCommand *command, Err *err)
{
    for (int i = command->launcher + 1; command->kind != LAUNCHER_SLURM && command->words[i]; i++)
        if (strcmp(command->words[i], ":") == 0)
            return err_set(err, ERR_USAGE, "\":\" begins another program, and a mapping is for one program") ||
                   err_hint(err, "write the files with -o, and give them to the launcher yourself");
    return true;
}

bool map_command_read(char *const *words, bool may_choose_hosts, Arena *arena, MapCommand *command, Err *err)
{
    MapCommand read = {.words = words, .launcher = launch_find_launcher(words, arena)};
    if (read.launcher < 0)
        return err_set(err, ERR_USAGE, "no word of the command is an installed launcher (mpirun, mpiexec or srun)") ||
               err_hint(err, "name the launcher, as in mpirun -n 4 ./app; firma can't change what a script starts");
    int program = launch_find_program(words + read.launcher, arena);
    if (program <= 0)
        return err_set(err, ERR_USAGE, "can't tell which word of the command is the program");
    read.program = read.launcher + program;
    if (!find_kind(&read, arena, err) || !check_placing(&read, may_choose_hosts, err) ||
        !starts_one_program(&read, err))
        return false;
    read.n_ranks = find_ranks(&read);
    *command = read;
    return true;
}

MapCommand map_command_without_hosts(const MapCommand *command, Arena *arena)
{
    static const char alone[] = "nolocal"; /* the only one of these options that has no value */
    const Options *options = &known[command->kind];
    MapCommand left = *command;
    int n = (int)words_count((const char *const *)command->words), at = 0;
    char **words = arena_new_array(arena, char *, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const char *value, *name = NULL;
        if (i > command->launcher && i < command->program)
            name = find_option(options, options->hosts, command->words[i], &value);
        if (i == command->program)
            left.program = at;
        if (!name)
            words[at++] = command->words[i];
        else if (!value && strcmp(name, alone) != 0)
            i++;
    }
    left.words = words;
    return left;
}

bool map_command_check_ranks(const MapCommand *command, uint32_t n_tasks, Err *err)
{
    if (!command->n_ranks)
        return err_set(err, ERR_USAGE, "the command doesn't say how many ranks it starts") ||
               err_hint(err, "the graph has %u tasks: -n %u", n_tasks, n_tasks);
    return command->n_ranks == n_tasks ||
           err_set(err, ERR_USAGE, "the command starts %u ranks, and the graph has %u tasks", command->n_ranks,
                   n_tasks);
}

const char *map_command_placing_variable(LauncherKind kind)
{
    const char *const *name = known[kind].variables;
    while (*name && !getenv(*name))
        name++;
    return *name;
}
