/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes files for launchers (files.h). The behaviour described here was observed with Open
 * MPI 4.1.4 and MPICH 4.0.2.
 *
 * Open MPI's rankfile names each rank's node and logical core. ("slot=p1", a number of the
 * operating system, binds to the wrong one.) Hosts must be in the allocation. Without a batch
 * system, --host makes it. Open MPI 5 launches by PRRTE, and reads the same file as a policy of --map-by.
 * PRRTE refuses ranks that share a core, unless --bind-to allows it. This is from its documentation; it
 * wasn't run.
 *
 * MPICH's list of processors starts again with every block of ranks on a node, so it is the same
 * for all blocks. Slurm's list is the same for all nodes; it applies to a node's ranks in ascending
 * order. It may only name processors of the job's allocation, so the job needs whole nodes. srun
 * starts more tasks than processors only with --overcommit. If one list doesn't fit all, a script
 * binds. */
#include "placement/launching/files.h"

#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "placement/launching/policy.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

typedef struct Placement {
    const uint32_t *processors;
    uint32_t n_tasks;
    const Platform *platform;
    Arena *arena;
} Placement;

static const Processor *processor_of(const Placement *placement, uint32_t rank)
{
    return &placement->platform->processors[placement->processors[rank]];
}

static bool is_plain_name(const char *name)
{
    if (!isalnum((unsigned char)name[0]))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".-_", *c))
            return false;
    return true;
}

static bool check_names(const Platform *platform, Err *err)
{
    for (uint32_t i = 0; i < platform->n_nodes; i++)
        if (!is_plain_name(platform->nodes[i]))
            return err_set(err, ERR_INPUT, "node `%.200s`: no launcher could read this name", platform->nodes[i]);
    return true;
}

static bool cpus_are_known(const Placement *placement)
{
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++)
        if (processor_of(placement, rank)->cpu < 0)
            return false;
    return true;
}

/* The word in Bash's $'…', with escapes for what a line of text can't hold. */
static const char *escaped_word(const char *word, Arena *arena)
{
    Text text = {0};
    uint32_t point;
    text_add(&text, "$'");
    for (size_t length; *word; word += length) {
        length = text_character(word, &point);
        if (point == '\'' || point == '\\')
            text_add(&text, "\\%c", *word);
        else if (text_is_visible(point))
            text_add(&text, "%.*s", (int)length, word);
        else
            for (size_t i = 0; i < length; i++)
                text_add(&text, "\\%03o", (unsigned char)word[i]);
    }
    text_add(&text, "'");
    return text_take(&text, arena);
}

/* The word, quoted for a shell if necessary. */
static const char *shell_word(const char *word, Arena *arena)
{
    if (!text_is_line(word))
        return escaped_word(word, arena);
    bool is_plain = word[0] != '\0';
    Text text = {0};
    for (const char *c = word; *c; c++)
        is_plain = is_plain && (isalnum((unsigned char)*c) || strchr("/.,:=+-_@%", *c));
    if (is_plain)
        return word;
    text_add(&text, "'");
    for (const char *c = word; *c; c++)
        text_add(&text, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(&text, "'");
    return text_take(&text, arena);
}

static const char *shell_words(const char *const *words, Arena *arena)
{
    Text text = {0};
    for (; *words; words++)
        text_add(&text, " %s", shell_word(*words, arena));
    return text_take(&text, arena);
}

static const char *rankfile_text(const Placement *placement)
{
    Text text = {0};
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++) {
        const Processor *processor = processor_of(placement, rank);
        text_add(&text, "rank %u=%s slot=%u\n", rank, processor->node, processor->core);
    }
    return text_take(&text, placement->arena);
}

/* "a:2,b:1": nodes with their numbers of ranks. */
static const char *nodes_with_counts(const Placement *placement)
{
    uint32_t *counts = arena_new_array(placement->arena, uint32_t, placement->platform->n_nodes);
    Text text = {0};
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++)
        counts[processor_of(placement, rank)->node_index]++;
    for (uint32_t node = 0; node < placement->platform->n_nodes; node++)
        if (counts[node])
            text_add(&text, "%s%s:%u", text.bytes.count ? "," : "", placement->platform->nodes[node], counts[node]);
    return text_take(&text, placement->arena);
}

static uint32_t count_nodes(const Placement *placement)
{
    bool *is_used = arena_new_array(placement->arena, bool, placement->platform->n_nodes);
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++) {
        bool *used = &is_used[processor_of(placement, rank)->node_index];
        n += !*used;
        *used = true;
    }
    return n;
}

/* "NODE:COUNT" for each block of consecutive ranks on a node. The launcher starts them in this
 * order. */
static const char *blocks_text(const Placement *placement)
{
    Text text = {0};
    uint32_t end;
    for (uint32_t first = 0; first < placement->n_tasks; first = end) {
        const Processor *processor = processor_of(placement, first);
        for (end = first + 1; end < placement->n_tasks; end++)
            if (processor_of(placement, end)->node_index != processor->node_index)
                break;
        text_add(&text, "%s:%u\n", processor->node, end - first);
    }
    return text_take(&text, placement->arena);
}

static const char *nodes_text(const Placement *placement)
{
    Text text = {0};
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++)
        text_add(&text, "%s\n", processor_of(placement, rank)->node);
    return text_take(&text, placement->arena);
}

/* One list of processors that fits all groups of ranks (blocks of ranks, or all ranks of a node).
 * NULL: groups differ, or processor numbers aren't known. */
static const char *common_list(const Placement *placement, bool by_block)
{
    uint32_t *positions = arena_new_array(placement->arena, uint32_t, placement->platform->n_nodes);
    int *cpus = arena_new_array(placement->arena, int, placement->n_tasks);
    uint32_t n = 0;
    Text text = {0};
    if (!cpus_are_known(placement))
        return NULL;
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++) {
        const Processor *processor = processor_of(placement, rank);
        uint32_t *position = &positions[processor->node_index];
        if (by_block && rank && processor_of(placement, rank - 1)->node_index != processor->node_index)
            *position = 0;
        if (*position == n)
            cpus[n++] = processor->cpu;
        else if (cpus[*position] != processor->cpu)
            return NULL;
        ++*position;
    }
    for (uint32_t i = 0; i < n; i++)
        text_add(&text, "%s%d", i ? "," : "", cpus[i]);
    return text_take(&text, placement->arena);
}

/* The script reads its rank from the variables that launchers set. The batch system's variable
 * comes last, since it is also set for the batch script. */
static const char *pin_text(const Placement *placement)
{
    Text text = {0};
    text_add(&text, "#!/bin/sh\n# Binds this rank to its processor, then executes the program.\n"
                    "case ${PMI_RANK:-${PMIX_RANK:-$SLURM_PROCID}} in\n");
    for (uint32_t rank = 0; rank < placement->n_tasks; rank++)
        text_add(&text, "%u) cpu=%d ;;\n", rank, processor_of(placement, rank)->cpu);
    text_add(&text,
             "*)\n    echo \"$0: no rank is set, or the mapping doesn't have this rank\" >&2\n    exit 1\n    ;;\n"
             "esac\nexec taskset -c \"$cpu\" \"$@\"\n");
    return text_take(&text, placement->arena);
}

enum { OPTIONS_ROOM = 12 };

#define YIELD_PARAMETER "mpi_yield_when_idle"

static const char *const *options_copy(const char *const *options, Arena *arena)
{
    const char **copy = arena_new_array(arena, const char *, OPTIONS_ROOM);
    for (size_t i = 0; options[i]; i++) {
        assert(i + 1 < OPTIONS_ROOM);
        copy[i] = options[i];
    }
    return copy;
}

static bool shares_processors(const Placement *placement)
{
    bool *is_taken = arena_new_array(placement->arena, bool, placement->platform->n_processors);
    for (uint32_t i = 0; i < placement->n_tasks; i++) {
        if (is_taken[placement->processors[i]])
            return true;
        is_taken[placement->processors[i]] = true;
    }
    return false;
}

static const char *way_path(const char *prefix, LauncherKind kind, Arena *arena)
{
    static const char *const endings[N_LAUNCHERS] = {
        [LAUNCHER_OPENMPI] = "rankfile", [LAUNCHER_MPICH] = "hosts", [LAUNCHER_SLURM] = "slurm-hosts"};
    return arena_printf(arena, "%s.%s", prefix, endings[kind]);
}

/* With "./", because launchers look up a name without a slash elsewhere. */
static const char *pin_path(const char *prefix, Arena *arena)
{
    return arena_printf(arena, "%s%s.pin", strchr(prefix, '/') ? "" : "./", prefix);
}

static LaunchWay openmpi_way(const Placement *placement, const char *prefix)
{
    Arena *arena = placement->arena;
    LaunchWay way = {.launcher = "Open MPI", .file = way_path(prefix, LAUNCHER_OPENMPI, arena), .binds = true};
    way.text = rankfile_text(placement);
    /* With as many slots as tasks, Open MPI doesn't notice that processors are shared. A waiting
     * task must then yield its processor to the others. */
    bool is_shared = shares_processors(placement);
    way.options = options_copy((const char *[]){"--host", nodes_with_counts(placement), "--rankfile", way.file,
                                                is_shared ? "--mca" : NULL, YIELD_PARAMETER, "1", NULL},
                               arena);
    way.newer_options =
        options_copy((const char *[]){"--host", nodes_with_counts(placement), "--map-by",
                                      arena_printf(arena, "rankfile:file=%s", way.file), is_shared ? "--bind-to" : NULL,
                                      "core:overload-allowed", "--mca", YIELD_PARAMETER, "1", NULL},
                     arena);
    way.line = arena_printf(arena, "mpirun%s -n %u ./app", shell_words(way.options, arena), placement->n_tasks);
    way.newer_line =
        arena_printf(arena, "mpirun%s -n %u ./app", shell_words(way.newer_options, arena), placement->n_tasks);
    const char *policy =
        is_shared ? NULL : launch_policy_find(placement->processors, placement->n_tasks, placement->platform, arena);
    if (policy)
        way.same = arena_printf(arena, "mpirun --host %s --map-by %s --bind-to core -n %u ./app",
                                nodes_with_counts(placement), policy, placement->n_tasks);
    return way;
}

/* " PIN" for a shell, if the script is needed. */
static const char *pin_word(const LaunchWay *way, const char *pin, Arena *arena)
{
    return way->needs_pin ? arena_printf(arena, " %s", shell_word(pin, arena)) : "";
}

static LaunchWay mpich_way(const Placement *placement, const char *prefix, const char *pin)
{
    Arena *arena = placement->arena;
    LaunchWay way = {.launcher = "MPICH", .file = way_path(prefix, LAUNCHER_MPICH, arena)};
    const char *list = common_list(placement, true);
    way.text = blocks_text(placement);
    way.binds = cpus_are_known(placement);
    way.needs_pin = way.binds && !list;
    way.options = options_copy(
        (const char *[]){"-f", way.file, "-bind-to", list ? arena_printf(arena, "user:%s", list) : "none", NULL},
        arena);
    way.line = arena_printf(arena, "mpiexec%s -n %u%s ./app", shell_words(way.options, arena), placement->n_tasks,
                            pin_word(&way, pin, arena));
    return way;
}

static LaunchWay slurm_way(const Placement *placement, const char *prefix, const char *pin)
{
    Arena *arena = placement->arena;
    LaunchWay way = {
        .launcher = "Slurm", .file = way_path(prefix, LAUNCHER_SLURM, arena), .variable = "SLURM_HOSTFILE"};
    const char *list = common_list(placement, false);
    way.text = nodes_text(placement);
    way.binds = cpus_are_known(placement);
    way.needs_pin = way.binds && !list;
    way.options = options_copy(
        (const char *[]){arena_printf(arena, "--nodes=%u", count_nodes(placement)),
                         arena_printf(arena, "--ntasks=%u", placement->n_tasks), "--distribution=arbitrary",
                         list ? arena_printf(arena, "--cpu-bind=map_cpu:%s", list) : "--cpu-bind=none",
                         shares_processors(placement) ? "--overcommit" : NULL, NULL},
        arena);
    way.line = arena_printf(arena, "%s=%s srun%s%s ./app", way.variable, shell_word(way.file, arena),
                            shell_words(way.options, arena), pin_word(&way, pin, arena));
    return way;
}

bool launch_files_make(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, const char *prefix,
                       Arena *arena, LaunchFiles *files, Err *err)
{
    const Placement placement = {processors, n_tasks, platform, arena};
    if (!check_names(platform, err))
        return false;
    *files = (LaunchFiles){.pin = pin_path(prefix, arena),
                           .order = launch_order_make(processors, n_tasks, platform, prefix, arena)};
    if (files->order.cray_line)
        files->order.cray_line = arena_printf(arena, "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=%s %s",
                                              shell_word(files->order.cray_file, arena), files->order.cray_line);
    files->ways[LAUNCHER_OPENMPI] = openmpi_way(&placement, prefix);
    files->ways[LAUNCHER_MPICH] = mpich_way(&placement, prefix, files->pin);
    files->ways[LAUNCHER_SLURM] = slurm_way(&placement, prefix, files->pin);
    if (files->ways[LAUNCHER_MPICH].needs_pin || files->ways[LAUNCHER_SLURM].needs_pin)
        files->pin_text = pin_text(&placement);
    return true;
}

const char *const *launch_files_paths(const char *prefix, Arena *arena)
{
    const char **paths = arena_new_array(arena, const char *, N_LAUNCHERS + 4);
    for (int i = 0; i < N_LAUNCHERS; i++)
        paths[i] = way_path(prefix, (LauncherKind)i, arena);
    paths[N_LAUNCHERS] = launch_order_path(prefix, arena);
    paths[N_LAUNCHERS + 1] = launch_order_cray_path(prefix, arena);
    paths[N_LAUNCHERS + 2] = pin_path(prefix, arena);
    return paths;
}

bool launch_files_write(const LaunchFiles *files, Err *err)
{
    FileText texts[N_LAUNCHERS + 3];
    size_t n = 0;
    for (int i = 0; i < N_LAUNCHERS; i++)
        texts[n++] = (FileText){.path = files->ways[i].file, .text = files->ways[i].text};
    texts[n++] = (FileText){.path = files->order.file, .text = files->order.text};
    texts[n++] = (FileText){.path = files->order.cray_file, .text = files->order.cray_text};
    if (files->pin_text)
        texts[n++] = (FileText){.path = files->pin, .text = files->pin_text, .is_program = true};
    return files_save_texts(texts, n, err);
}

static bool has_word(char *const *words, const char *word)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

/* Number of options for the command. Open MPI refuses a parameter that is set twice, so firma
 * leaves it out if the command sets it. */
static int count_options(const char *const *options, char *const *command)
{
    int n = (int)words_count(options);
    bool sets_yield = n > 3 && strcmp(options[n - 2], YIELD_PARAMETER) == 0;
    return sets_yield && has_word(command, YIELD_PARAMETER) ? n - 3 : n;
}

char *const *launch_files_command(const LaunchFiles *files, LauncherKind kind, bool is_newer, char *const *command,
                                  int launcher, int program, Arena *arena)
{
    const LaunchWay *way = &files->ways[kind];
    const char *const *options = is_newer && way->newer_options ? way->newer_options : way->options;
    int n = (int)words_count((const char *const *)command), n_options = count_options(options, command), at = 0;
    const char **words = arena_new_array(arena, const char *, (size_t)n + (size_t)n_options + 2);
    for (int i = 0; i < n; i++) {
        if (i == program && way->needs_pin)
            words[at++] = files->pin;
        words[at++] = command[i];
        for (int k = 0; i == launcher && k < n_options; k++)
            words[at++] = options[k];
    }
    return (char *const *)words;
}
