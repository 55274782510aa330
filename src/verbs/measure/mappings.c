/* SPDX-License-Identifier: BSD-3-Clause */
/* See mappings.h. Options are those of Open MPI 4.1 and 5.0, of MPICH's Hydra 4.0, and of Slurm 23. */
#include "verbs/measure/mappings.h"

#include "base/files.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/values.h"
#include "placement/platform/topology.h"
#include "verbs/map/command.h"
#include "verbs/measure/bind.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_OF_NODE_LIMIT = 1 << 20, OPTIONS_ROOM = 8 };

typedef struct Policy {
    const char *name;
    const char *options[N_LAUNCHERS][OPTIONS_ROOM];
} Policy;

/* Ranks are bound to a core each, also if there are more ranks than cores. */
#define BOUND "--bind-to", "core:overload-allowed"

static const Policy policies[] = {
    {"block", {{"--map-by", "core", BOUND}, {"-bind-to", "core"}, {"--distribution=block:block", "--cpu-bind=cores"}}},
    {"cyclic",
     {{"--map-by", "node", BOUND},
      {"-ppn", "1", "-bind-to", "core"},
      {"--distribution=cyclic:block", "--cpu-bind=cores"}}},
    {"sockets",
     {{"--map-by", "socket", BOUND},
      {"-bind-to", "core", "-map-by", "socket"},
      {"--distribution=block:cyclic", "--cpu-bind=cores"}}},
    {"unbound", {{"--bind-to", "none"}, {"-bind-to", "none"}, {"--cpu-bind=none"}}},
};
enum { N_POLICIES = sizeof policies / sizeof *policies };

/* A policy that is a number of ranks for each node. */
static void fill_policy(uint64_t ranks, Arena *arena, Policy *policy)
{
    *policy =
        (Policy){.options = {{"--map-by", arena_printf(arena, "ppr:%lu:node", (unsigned long)ranks), BOUND},
                             {"-ppn", arena_printf(arena, "%lu", (unsigned long)ranks), "-bind-to", "core"},
                             {arena_printf(arena, "--ntasks-per-node=%lu", (unsigned long)ranks), "--cpu-bind=cores"}}};
}

static bool find_policy(const char *name, Arena *arena, Policy *policy, Err *err)
{
    Err problem = {0};
    uint64_t ranks;
    for (size_t i = 0; i < N_POLICIES; i++)
        if (strcmp(name, policies[i].name) == 0) {
            *policy = policies[i];
            return true;
        }
    if (!number_option_parse("", name, &ranks, &problem) || ranks == 0 || ranks > RANKS_OF_NODE_LIMIT)
        return err_set(err, ERR_USAGE, "--policies: there is no policy `%s`", name) ||
               err_hint(err, "choose among " POLICIES);
    fill_policy(ranks, arena, policy);
    policy->name = arena_strdup(arena, name);
    return true;
}

bool policies_check(const char *text, Arena *arena, Err *err)
{
    const char *const *names;
    Policy policy;
    bool ok = list_option_parse("--policies", text, arena, &names, err);
    for (; ok && *names; names++)
        ok = find_policy(*names, arena, &policy, err);
    return ok;
}

/* The command with options behind its launcher. */
static char *const *with_options(const MapCommand *command, const char *const *options, Arena *arena)
{
    LaunchFiles files = {0};
    files.ways[command->kind].options = options;
    return launch_files_command(&files, command->kind, command->is_newer, command->words, command->launcher,
                                command->program, arena);
}

const char *mapping_path(const char *output, const char *name, const char *ending, Arena *arena)
{
    const char *suffix = files_has_suffix(output, ".json") ? ".json" : "";
    size_t length = strlen(output) - strlen(suffix);
    return arena_printf(arena, "%.*s.%s%s", (int)length, output, name, ending ? ending : suffix);
}

/* ---- rankfiles ---- */

/* A line of a rankfile: "rank 3=node1 slot=2". */
typedef struct RankLine {
    const char *host;
    long core; /* -1: not a single core */
} RankLine;

static bool refuse_line(const char *path, size_t number, Err *err)
{
    return err_set(err, ERR_INPUT, "%s:%zu: expected `rank N=HOST slot=CORE`", path, number) ||
           err_hint(err, "`firma map -o PREFIX` writes PREFIX.rankfile, as Open MPI reads it");
}

static bool read_line(const char *path, size_t number, char *line, uint32_t n_ranks, Arena *arena, RankLine *lines,
                      Err *err)
{
    unsigned long rank;
    char digits[16], host[256], slot[64], *end;
    int length = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    if (!line[strspn(line, " \t")])
        return true;
    if (sscanf(line, " rank %15[0-9] = %255s slot = %63s %n", digits, host, slot, &length) != 3 || line[length])
        return refuse_line(path, number, err);
    rank = strtoul(digits, NULL, 10);
    if (rank >= n_ranks)
        return err_set(err, ERR_INPUT, "%s:%zu: rank %lu, but the signature has %u ranks", path, number, rank, n_ranks);
    if (lines[rank].host)
        return err_set(err, ERR_INPUT, "%s:%zu: rank %lu has a line already", path, number, rank);
    long core = strtol(slot, &end, 10);
    lines[rank] = (RankLine){arena_strdup(arena, host), *end || core < 0 ? -1 : core};
    return true;
}

static bool read_rankfile(const char *path, uint32_t n_ranks, Arena *arena, RankLine **lines, Err *err)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    *lines = arena_new_array(arena, RankLine, n_ranks);
    bool ok = true;
    for (ssize_t length; ok && (length = getline(&line, &capacity, file)) > 0;)
        ok = memchr(line, '\0', (size_t)length) ? refuse_line(path, ++number, err)
                                                : read_line(path, ++number, line, n_ranks, arena, *lines, err);
    if (ok && ferror(file))
        ok = err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    for (uint32_t rank = 0; ok && rank < n_ranks; rank++)
        if (!(*lines)[rank].host)
            ok = err_set(err, ERR_INPUT, "%s: has no line for rank %u of %u", path, rank, n_ranks);
    free(line);
    fclose(file);
    return ok;
}

/* "a:2,b:1": hosts with their numbers of ranks. */
static const char *hosts_with_counts(const RankLine *lines, uint32_t n, Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = 0, count = 0;
        while (strcmp(lines[first].host, lines[i].host) != 0)
            first++;
        for (uint32_t k = i; k < n; k++)
            count += strcmp(lines[k].host, lines[i].host) == 0;
        if (first == i)
            text_add(&text, "%s%s:%u", i ? "," : "", lines[i].host, count);
    }
    return text_take(&text, arena);
}

/* Options of MPICH and Slurm for processors of this host, by the operating system's numbers. */
static const char *const *cpu_options(LauncherKind kind, const int *cpus, uint32_t n, Arena *arena)
{
    const char **options = arena_new_array(arena, const char *, OPTIONS_ROOM);
    Text text = {0};
    for (uint32_t i = 0; i < n; i++)
        text_add(&text, "%s%d", i ? "," : "", cpus[i]);
    const char *list = text_take(&text, arena);
    if (kind == LAUNCHER_MPICH) {
        options[0] = "-bind-to";
        options[1] = arena_printf(arena, "user:%s", list);
    } else {
        options[0] = arena_printf(arena, "--cpu-bind=map_cpu:%s", list);
    }
    return options;
}

static const char *const *rankfile_options(const MapCommand *command, const char *path, const char *hosts, Arena *arena)
{
    const char **options = arena_new_array(arena, const char *, OPTIONS_ROOM);
    const char *const words[] = {"--host", hosts, command->is_newer ? "--map-by" : "--rankfile",
                                 command->is_newer ? arena_printf(arena, "rankfile:file=%s", path) : path};
    memcpy(options, words, sizeof words);
    return options;
}

static bool is_here(const RankLine *line, const Platform *platform)
{
    return strcmp(line->host, platform->nodes[0]) == 0 || strcmp(line->host, "localhost") == 0;
}

/* Open MPI itself knows the cores of other hosts, and understands other kinds of slots. */
static bool check_cores(const char *path, const RankLine *lines, uint32_t n, const Platform *platform, Err *err)
{
    for (uint32_t rank = 0; rank < n; rank++)
        if (is_here(&lines[rank], platform) && lines[rank].core >= (long)platform->n_processors)
            return err_set(err, ERR_INPUT, "%s: rank %u: slot %ld, but this host's cores are 0 to %u", path, rank,
                           lines[rank].core, platform->n_processors - 1);
    return true;
}

/* Hydra and Slurm have no such file. On this host alone, they can bind each rank. */
static bool rankfile_cpus(const char *path, const RankLine *lines, uint32_t n, const Platform *platform, Arena *arena,
                          int **cpus, Err *err)
{
    *cpus = arena_new_array(arena, int, n);
    for (uint32_t rank = 0; rank < n; rank++) {
        if (!is_here(&lines[rank], platform))
            return err_set(err, ERR_INPUT, "%s: rank %u is on %s, and only Open MPI reads rankfiles of other hosts",
                           path, rank, lines[rank].host) ||
                   err_hint(err, "use --policies, or measure once for each mapping");
        if (lines[rank].core < 0)
            return err_set(err, ERR_INPUT, "%s: rank %u: the slot isn't a single core", path, rank);
        (*cpus)[rank] = platform->processors[lines[rank].core].cpu;
    }
    return true;
}

/* "best.v1" of "there/best.v1.rankfile". */
static const char *name_of_rankfile(const char *path, Arena *arena)
{
    const char *name = files_base_name(path), *suffix = files_has_suffix(name, ".rankfile") ? ".rankfile" : "";
    return arena_strndup(arena, name, strlen(name) - strlen(suffix));
}

static bool map_rankfile(const char *path, const MapCommand *command, const Platform *platform, uint32_t n_ranks,
                         Arena *arena, Mapped *mapped, Err *err)
{
    RankLine *lines = NULL;
    int *cpus = NULL;
    if (!read_rankfile(path, n_ranks, arena, &lines, err) || !check_cores(path, lines, n_ranks, platform, err))
        return false;
    mapped->name = name_of_rankfile(path, arena);
    if (!mapped->name[0])
        return err_set(err, ERR_USAGE, "--mappings: %s: a mapping needs a name before .rankfile", path);
    if (command->kind == LAUNCHER_OPENMPI) {
        mapped->command = with_options(
            command, rankfile_options(command, path, hosts_with_counts(lines, n_ranks, arena), arena), arena);
        return true;
    }
    if (!rankfile_cpus(path, lines, n_ranks, platform, arena, &cpus, err))
        return false;
    mapped->command = with_options(command, cpu_options(command->kind, cpus, n_ranks, arena), arena);
    return true;
}

/* ---- mappings ---- */

typedef VEC(Mapped) MappedList;

/* Names become parts of files' names. */
static bool check_names(const MappedList *list, Err *err)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->items[i].name, list->items[k].name) == 0)
                return err_set(err, ERR_USAGE,
                               "two mappings are called `%s`, and their files of phase times would be, too",
                               list->items[i].name);
    return true;
}

static bool finish(MappedList *list, bool ok, Arena *arena, Mappings *mappings, Err *err)
{
    ok = ok && check_names(list, err);
    mappings->n = (uint32_t)list->count;
    mappings->items = vec_copy(list, arena);
    vec_free(list);
    return ok;
}

bool mappings_of_command(const char *policies_text, const char *rankfiles, char *const *words, uint32_t n_ranks,
                         Arena *arena, Mappings *mappings, Err *err)
{
    MapCommand command;
    Platform *platform = NULL;
    MappedList list = {0};
    const char *const none[] = {NULL}, *const *names = none, *const *paths = none;
    bool ok = map_command_read(words, rankfiles == NULL, arena, &command, err) &&
              (!policies_text || list_option_parse("--policies", policies_text, arena, &names, err)) &&
              (!rankfiles || list_option_parse("--mappings", rankfiles, arena, &paths, err)) &&
              (!rankfiles || topology_local(true, arena, &platform, err));
    for (; ok && *names; names++) {
        Policy policy;
        ok = find_policy(*names, arena, &policy, err);
        const char **options = arena_new_array(arena, const char *, OPTIONS_ROOM);
        if (ok) {
            memcpy(options, policy.options[command.kind], sizeof policy.options[command.kind]);
            *vec_push(&list) = (Mapped){.name = policy.name, .command = with_options(&command, options, arena)};
        }
    }
    for (; ok && *paths; paths++) {
        Mapped mapped = {0};
        ok = map_rankfile(*paths, &command, platform, n_ranks, arena, &mapped, err);
        if (ok)
            *vec_push(&list) = mapped;
    }
    return finish(&list, ok, arena, mappings, err);
}

/* ---- processors of saved states ---- */

/* The core with the operating system's number. */
static bool find_core(const Platform *platform, int cpu, uint32_t *core, Err *err)
{
    for (uint32_t i = 0; i < platform->n_processors; i++)
        if (platform->processors[i].cpu == cpu) {
            *core = platform->processors[i].core;
            return true;
        }
    return err_set(err, ERR_USAGE, "--bind: this host has no core with the number %d for a rank of its own", cpu);
}

/* How the launcher places ranks as --bind places those of saved states. */
static bool bind_command(const char *const *cpus_of_rank, const MapCommand *command, const Platform *platform,
                         uint32_t n_ranks, const char *output, Arena *arena, Mapped *mapped, Err *err)
{
    int *cpus = arena_new_array(arena, int, n_ranks);
    Text text = {0};
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        uint32_t core = 0;
        if (strchr(cpus_of_rank[rank], '-'))
            return err_set(err, ERR_USAGE, "--bind %s: with --verify, each rank needs one processor", mapped->name);
        cpus[rank] = atoi(cpus_of_rank[rank]);
        if (!find_core(platform, cpus[rank], &core, err))
            return false;
        text_add(&text, "rank %u=%s slot=%u\n", rank, platform->nodes[0], core);
    }
    const char *rankfile = text_take(&text, arena);
    if (command->kind != LAUNCHER_OPENMPI) {
        mapped->command = with_options(command, cpu_options(command->kind, cpus, n_ranks, arena), arena);
        return true;
    }
    mapped->rankfile = mapping_path(output, mapped->name, ".rankfile", arena);
    mapped->rankfile_text = rankfile;
    const char *hosts = arena_printf(arena, "%s:%u", platform->nodes[0], n_ranks);
    mapped->command = with_options(command, rankfile_options(command, mapped->rankfile, hosts, arena), arena);
    return true;
}

bool mappings_of_binds(const char *const *binds, char *const *words, uint32_t n_ranks, const char *output, Arena *arena,
                       Mappings *mappings, Err *err)
{
    MapCommand command;
    Platform *platform = NULL;
    MappedList list = {0};
    bool ok =
        !words || (map_command_read(words, false, arena, &command, err) &&
                   map_command_check_ranks(&command, n_ranks, err) && topology_local(true, arena, &platform, err));
    for (; ok && *binds; binds++) {
        const char *const *cpus_of_rank;
        Mapped mapped = {.name = *binds};
        ok = bind_read(*binds, n_ranks, arena, &cpus_of_rank, err) &&
             (!words || bind_command(cpus_of_rank, &command, platform, n_ranks, output, arena, &mapped, err));
        *vec_push(&list) = mapped;
    }
    return finish(&list, ok, arena, mappings, err);
}
