/* SPDX-License-Identifier: BSD-3-Clause */
/* firma comm: measures what message passing costs here, for each library, and compares with the
 * operating system's own costs. */
#include "comm/comm.h"
#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "comm/modelling.h"
#include "comm/protocol.h"
#include "placement/platform/topology.h"
#include "verbs/comm/comparing.h"
#include "verbs/comm/views.h"
#include "verbs/report/answer.h"
#include "verbs/report/from_comm.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *output, *hosts, *agent, *time;
    double target_percent;
    int repeat, untouched, raw, all;
} options = {.target_percent = 1};

static const char TIME_BY_DEFAULT[] = "60s";

static CompareOptions comparing;

enum { RANKS_BY_DEFAULT = 16 };

static const char DEFAULT_AGENT[] = "ssh";
static const uint64_t COLLECTIVE_SIZES_MOST = 1 << 20;

/* "none", or a list of CPUs. */
static bool read_cpus(const char *text, Arena *arena, uint32_t *n, const uint64_t **cpus, Err *err)
{
    NumberList list = {
        .option = "--cpus", .keeps_order = true, .most = CPU_SETSIZE - 1, .items_limit = HOST_CPUS_LIMIT};
    *n = 0;
    list.given = arena_strdup(arena, text);
    return strcmp(text, "none") == 0 || numbers_option_parse(&list, arena, n, cpus, err);
}

static bool check_cpu_list(const char *text, Arena *arena, Err *err)
{
    const uint64_t *numbers;
    uint32_t n;
    return read_cpus(text, arena, &n, &numbers, err);
}

static CheckedText cpus = {.check = check_cpu_list};
static NumberList sizes = {.option = "--sizes", .by_default = "0,1:4Mx2", .has_units = true, .most = COMM_BYTES_LIMIT},
                  processes = {.option = "--processes", .least = 2, .most = COMM_RANKS_LIMIT},
                  percentiles = {.option = "--percentiles", .most = 100},
                  rotate = {.option = "--rotate", .has_units = true, .most = COMM_BYTES_LIMIT};
static Choice only = {.name_at = plan_selection_name},
              operations = {.names = (const char *const[]){COMM_OPERATIONS, PLAN_ALL_OPERATIONS, NULL}},
              pairs = {.names = (const char *const[]){"root", "all", NULL}},
              statistic = {.names = comm_statistic_names},
              method = {.given = COMM_METHOD_WINDOW,
                        .names = (const char *const[]){COMM_METHOD_WINDOW, COMM_METHOD_BARRIER, NULL}};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0,
     "where to write comm.json, machine.json, comm.csv and pictures", "DIR"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    {"time", 't', OPTION_DURATION, &options.time, 0,
     "how long measuring may take, such as 90s, 5m or 1h; by default 60s", "DURATION"},
    {"only", 0, OPTION_CHOICES, &only, 0,
     "only these configurations, separated by commas, such as openmpi,os:tcp (all of Open MPI, and "
     "the operating system's TCP sockets)",
     "LIST"},
    {"operations", 0, OPTION_CHOICES, &operations, 0,
     "only these operations, separated by commas, or all. Only if they are named, firma measures stream and "
     "bidirectional (bandwidth and messages a second, with 64 nonblocking messages under way in one direction, or in "
     "both); pairs (streams of half of the processes to the other half at once, between hosts from one host to the "
     "other); put and get (one-sided messages, each with its MPI_Win_flush); gatherv, scatterv, allgatherv and alltoallv, whose blocks grow linearly from 0 to twice the mean; and the "
     "nonblocking ibarrier, ibroadcast, igather, iscatter, iallgather, ireduce, iallreduce and ialltoall, alone and "
     "with computing that they overlap with",
     "LIST"},
    {"sizes", 0, OPTION_NUMBERS, &sizes, 0,
     "sizes of messages in bytes, such as 8,1k,64k; by default 0,1:4Mx2, that is 0, 1, 2, 4 … 4M (sockets have no "
     "empty messages, and begin with 1), and for collectives 4, 32, 256 … 1M",
     "LIST"},
    {"processes", 'n', OPTION_NUMBERS, &processes, 0,
     "numbers of processes in collectives and pairs, such as 2,3,8 or 2:8; by default 2, 3 … 8, 16, 32 …, as far as "
     "there are cores, or hosts and their slots",
     "LIST"},
    {"hosts", 0, POPT_ARG_STRING, &options.hosts, 0, "measure between the hosts of this file, which is described above",
     "FILE"},
    {"agent", 0, POPT_ARG_STRING, &options.agent, 0, "command that executes a command on another host; by default ssh",
     "COMMAND"},
    {"pairs", 0, OPTION_CHOICE, &pairs, 0,
     "between the first host and each other one (root), or between all pairs of hosts (all); by default root", "NAME"},
    {"target", 0, OPTION_PART, &options.target_percent, 0,
     "precision to reach: repeat until the median is known to ± this many percent, or time is up; by default 1",
     "PERCENT"},
    {"statistic", 0, OPTION_CHOICE, &statistic, 0,
     "which time of each size the model describes: the median (median) or the shortest (min); by default median, and "
     "min if a host is busy",
     "NAME"},
    {"percentiles", 0, OPTION_NUMBERS, &percentiles, 0,
     "show these percentiles of each size, whole numbers such as 50,90,99; 0 is the shortest time, 100 the longest",
     "LIST"},
    {"method", 0, OPTION_CHOICE, &method, 0,
     "how collectives are timed: from a common instant to the last process's end (window), or by the longest of the "
     "processes' own times after a barrier (barrier); by default window",
     "NAME"},
    {"cpus", 0, OPTION_CHECKED, &cpus, 0,
     "CPUs of this host for the processes, in this order, such as 0,2 or 0:3, or none, to bind to no CPUs; by default "
     "one of each core",
     "LIST"},
    {"rotate", 0, OPTION_NUMBERS, &rotate, 0,
     "move messages through this much memory, such as 64M, so that they aren't in a cache", "SIZE"},
    {"untouched", 0, POPT_ARG_NONE, &options.untouched, 0, "don't write to buffers before measuring", NULL},
    {"repeat", 'r', OPTION_COUNT, &options.repeat, 0,
     "how many times to start each measurement; by default three times, and more often until --target is met or time "
     "is up",
     "N"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every size in tables, not three", NULL},
    {"raw", 0, POPT_ARG_NONE, &options.raw, 0, "keep every sample, in DIR/samples.csv and comm.json", NULL},
    {"compare", 0, POPT_ARG_NONE, &comparing.compare, 0,
     "compare two measurements, A and B, instead of measuring; with --configuration, --statistic and --all", NULL},
    {"configuration", 'c', POPT_ARG_ARGV, &comparing.configurations, 0,
     "how messages are sent, such as `openmpi tcp`: with --compare, this configuration alone; given twice, that of A "
     "and that of B",
     "NAME"},
    POPT_TABLEEND};

static bool is_text(const char *word)
{
    json_t *text = json_string(word);
    json_decref(text);
    return text != NULL;
}

/* Checked here, since each worker would report the same missing processor. */
static bool check_cpus(const Host *chosen, const Host *own, Err *err)
{
    for (uint32_t i = 0; i < chosen->n_cpus; i++) {
        uint32_t k = 0;
        while (k < own->n_cpus && own->cpus[k] != chosen->cpus[i])
            k++;
        if (k == own->n_cpus)
            return err_set(err, ERR_USAGE, "--cpus: there is no processor %d that firma may use", chosen->cpus[i]);
    }
    return chosen->n_cpus > 1 || err_set(err, ERR_USAGE, "--cpus: two processes need two processors") ||
           err_hint(err, "with `--cpus none`, the operating system chooses processors");
}

static bool choose_cpus(Arena *arena, Host *own, Err *err)
{
    const Host all = *own;
    const uint64_t *numbers = NULL;
    if (!read_cpus(cpus.given, arena, &own->n_cpus, &numbers, err))
        return false;
    int *chosen = arena_new_array(arena, int, own->n_cpus);
    for (uint32_t i = 0; i < own->n_cpus; i++)
        chosen[i] = (int)numbers[i];
    own->cpus = chosen;
    return own->n_cpus == 0 || check_cpus(own, &all, err);
}

/* Asks hwloc what tells this host's cores apart, and chooses a pair of processors for each level. */
static void find_levels(Host *own, Arena *arena)
{
    Platform *local;
    Err ignored;
    if (!topology_local(true, arena, &local, &ignored) || local->n_levels == 2)
        return;
    HostLevel *levels = arena_new_array(arena, HostLevel, local->n_levels);
    HostPair *made = arena_new_array(arena, HostPair, local->n_levels);
    for (uint32_t level = 1; level + 1 < local->n_levels; level++)
        levels[own->n_levels++] =
            (HostLevel){local->levels[level].name, local->n_processors, local->levels[level].units};
    for (uint32_t level = local->n_levels - 1; level > 0; level--) {
        uint32_t at = 1;
        while (at < local->n_processors && platform_level(local, at - 1, at) != level)
            at++;
        if (at < local->n_processors)
            made[own->n_pairs++] =
                (HostPair){local->levels[level].name, {local->processors[at - 1].cpu, local->processors[at].cpu}};
    }
    own->levels = levels;
    own->pairs = made;
}

static bool read_hosts(Arena *arena, Hosts *hosts, Err *err)
{
    if (!options.hosts) {
        if (options.agent || pairs.given)
            return err_set(err, ERR_USAGE, "%s goes with --hosts", options.agent ? "--agent" : "--pairs");
        *hosts = hosts_own(arena);
        Host *own = arena_new_array(arena, Host, 1);
        *own = hosts->items[0];
        hosts->items = own;
        if (!cpus.given)
            find_levels(own, arena);
        return !cpus.given || choose_cpus(arena, own, err);
    }
    if (cpus.given)
        return err_set(err, ERR_USAGE,
                       "--cpus is for measuring on this host; with --hosts, the file names the processors");
    size_t n;
    const char *const *agent;
    if (words_split(options.agent ? options.agent : DEFAULT_AGENT, arena, &agent, &n) || !n)
        return err_set(err, ERR_USAGE, "--agent: `%s` isn't a command", options.agent);
    for (size_t i = 0; i < n; i++)
        if (!is_text(agent[i]))
            return err_set(err, ERR_USAGE, "--agent: `%s` isn't valid UTF-8", agent[i]);
    if (!hosts_load(options.hosts, agent, arena, hosts, err))
        return files_exist(options.hosts) ? false
                                          : err_hint(err, "--hosts takes a file that names the hosts, one a line");
    return true;
}

/* By default from two to the number of processors, or of the hosts' slots; beyond eight, powers of two. */
static bool read_ranks(Arena *arena, const Hosts *hosts, CommRequest *request, Err *err)
{
    uint32_t n = 0, most = hosts->n > 1 ? hosts_slots(hosts) : hosts_own(arena).items[0].n_cpus;
    const uint64_t *chosen;
    if (processes.given) {
        if (!numbers_option_parse(&processes, arena, &n, &chosen, err))
            return false;
        if (hosts->n > 1 && chosen[n - 1] > most)
            return err_set(err, ERR_USAGE, "--processes: %llu processes need as many hosts or slots, and there are %u",
                           (unsigned long long)chosen[n - 1], most) ||
                   err_hint(err, "in the file of hosts, slots=4 behind a host allows four processes there");
    }
    uint32_t *ranks = arena_new_array(arena, uint32_t, processes.given ? n : RANKS_BY_DEFAULT);
    for (uint32_t i = 0; processes.given && i < n; i++)
        ranks[i] = (uint32_t)chosen[i];
    for (uint32_t p = 2; !processes.given && p <= most && n < RANKS_BY_DEFAULT; p = p < 8 ? p + 1 : 2 * p)
        ranks[n++] = p;
    request->n_ranks = n;
    request->ranks = ranks;
    return true;
}

static bool read_sizes(Arena *arena, CommRequest *request, Err *err)
{
    if (!numbers_option_parse(&sizes, arena, &request->n_sizes, &request->sizes, err))
        return false;
    request->has_named_sizes = sizes.given;
    /* By default, collectives use every third size, and neither empty nor very large ones. */
    uint64_t *collective_sizes = arena_new_array(arena, uint64_t, request->n_sizes);
    for (uint32_t i = 0; i < request->n_sizes; i++)
        if (sizes.given || (i && i % 3 == 0 && request->sizes[i] <= COLLECTIVE_SIZES_MOST))
            collective_sizes[request->n_collective_sizes++] = request->sizes[i];
    request->collective_sizes = collective_sizes;
    return true;
}

static bool read_percentiles(Arena *arena, CommRequest *request, Err *err)
{
    return !percentiles.given ||
           numbers_option_parse(&percentiles, arena, &request->n_percentiles, &request->percentiles, err);
}

static bool read_request(Arena *arena, CommRequest *request, Err *err)
{
    *request = (CommRequest){.untouched = options.untouched,
                             .rounds = (uint32_t)options.repeat,
                             .target = options.target_percent / 100,
                             .method = method.given,
                             .all_pairs = pairs.given && strcmp(pairs.given, "all") == 0};
    if (!seconds_option_parse("--time", options.time ? options.time : TIME_BY_DEFAULT, &request->budget_s, err) ||
        !read_hosts(arena, &request->hosts, err) || !read_ranks(arena, &request->hosts, request, err) ||
        !read_sizes(arena, request, err) || !read_percentiles(arena, request, err) ||
        !size_option_parse(&rotate, arena, &request->rotate_bytes, err) ||
        (only.given && !list_option_parse("--only", only.given, arena, &request->only, err)) ||
        (operations.given && !list_option_parse("--operations", operations.given, arena, &request->operations, err)))
        return false;
    if (processes.given && request->only && !plan_selects_collectives(request))
        return err_set(err, ERR_USAGE, "--processes: --only and --operations leave neither collectives nor pairs") ||
               err_hint(err, "--processes is for collectives, which firma measures of MPI and PVM, and pairs");
    if (options.raw && !options.output)
        return err_set(err, ERR_USAGE, "--raw needs a directory for the file of samples") ||
               err_hint(err, "add -o DIR");
    return true;
}

static bool is_part(const char *name)
{
    static const char *const names[] = {"comm.json", "machine.json",  "comm.csv",       "samples.csv",
                                        "time.svg",  "bandwidth.svg", "collectives.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static const DirectoryKind comm_directory = {.what = "firma comm's results", .mark = "comm.json", .is_part = is_part};

static Output comm_output(void)
{
    return (Output){.path = options.output, .kind = &comm_directory};
}

static bool save_pictures(const CommMeasurement *measurement, const MachineModel *machine, const char *directory,
                          Arena *arena, Err *err)
{
    json_t *document = from_comm(measurement, machine, arena);
    const struct {
        const char *name, *picture;
    } files[] = {{"time.svg", messages_file(document, false, arena)},
                 {"bandwidth.svg", messages_file(document, true, arena)},
                 {"collectives.svg", collectives_file(document, arena)}};
    bool ok = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].picture)
            ok &= files_save_text(arena_printf(arena, "%s/%s", directory, files[i].name), files[i].picture, err);
    json_decref(document);
    return ok;
}

/* Writes as many files as possible, because measuring again takes long. */
static bool save_files(const CommMeasurement *measurement, const MachineModel *machine, const char *directory,
                       Arena *arena, Err *err)
{
    bool ok = comm_save(measurement, arena_printf(arena, "%s/comm.json", directory), err);
    ok &= machine_save(machine, arena_printf(arena, "%s/machine.json", directory), err);
    ok &= files_save_text(arena_printf(arena, "%s/comm.csv", directory), comm_csv(measurement, false, arena), err);
    if (options.raw)
        ok &=
            files_save_text(arena_printf(arena, "%s/samples.csv", directory), comm_csv(measurement, true, arena), err);
    return save_pictures(measurement, machine, directory, arena, err) && ok;
}

/* Earlier results come back if the new ones can't be written completely. */
static bool save(Cli *cli, const CommMeasurement *measurement, const MachineModel *machine, Err *err)
{
    const Output output = comm_output();
    OutputDirectory directory;
    if (!output.path)
        return true;
    if (!output_directory_begin(&output, cli->arena, &directory, err))
        return false;
    bool ok = save_files(measurement, machine, directory.filled, cli->arena, err);
    return output_directory_end(&directory, ok || !directory.replaces, cli->arena, err) && ok;
}

static void show(const Cli *cli, const CommMeasurement *measurement, const MachineModel *machine, bool is_saved)
{
    if (cli->json) {
        const char *output = is_saved ? options.output : NULL;
        json_t *document = comm_view_json(measurement, machine, output, cli->arena);
        if (output)
            json_object_set_new(document, "files", output_directory_json(output));
        report_option_add(document);
        cli_print_json(cli, document);
        return;
    }
    if (cli->quiet)
        return;
    answer_print(cli, "communication", from_comm(measurement, machine, cli->arena));
    cli_print(cli, "%s", comm_text(measurement, machine, options.all, cli->color, cli->arena));
}

static void note_output(const Cli *cli)
{
    if (options.output && !cli->json && !cli->quiet)
        cli_print(cli, "\n%s: comm.json, machine.json, comm.csv%s and pictures\n",
                  text_as_line(options.output, cli->arena), options.raw ? ", samples.csv" : "");
}

static CommStatistic choose_statistic(const CommMeasurement *measurement)
{
    if (statistic.given)
        return comm_statistic_of(statistic.given);
    for (uint32_t i = 0; i < measurement->n_hosts; i++)
        if (comm_host_is_busy(&measurement->hosts[i]))
            return COMM_MINIMUM;
    return COMM_MEDIAN;
}

/* Options that say what to measure. */
static const char *measuring_option(void)
{
    const struct {
        const char *name;
        bool is_given;
    } all[] = {{"--output", options.output},
               {"--time", options.time},
               {"--only", only.given},
               {"--operations", operations.given},
               {"--sizes", sizes.given},
               {"--hosts", options.hosts},
               {"--processes", processes.given},
               {"--agent", options.agent},
               {"--pairs", pairs.given},
               {"--cpus", cpus.given},
               {"--rotate", rotate.given},
               {"--repeat", options.repeat},
               {"--raw", options.raw},
               {"--untouched", options.untouched},
               {"--percentiles", percentiles.given},
               {"--report", report_option()}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_given)
            return all[i].name;
    return NULL;
}

static bool compare(Cli *cli, int n, const char *const *words, Err *err)
{
    const char *superfluous = measuring_option();
    if (superfluous)
        return err_set(err, ERR_USAGE, "--compare measures nothing, so it doesn't go with %s", superfluous);
    comparing.statistic = statistic.given;
    comparing.all = options.all;
    return compare_run(cli, &comparing, n, words, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    CommRequest request;
    CommMeasurement measurement;
    int interrupted = 0;
    if (comparing.compare)
        return compare(cli, n, words, err);
    if (n > 0)
        return err_set(err, ERR_USAGE, "%s: unexpected; comm takes only options", words[0]) ||
               err_hint(err, "with --compare, it takes two measurements");
    if (comparing.configurations)
        return err_set(err, ERR_USAGE, "--configuration goes with --compare") ||
               err_hint(err, "--only chooses what is measured");
    const Output outputs[] = {comm_output(), {.path = report_option()}};
    if (!read_request(cli->arena, &request, err) ||
        !outputs_check(outputs, 2, (const char *const[]){options.hosts}, 1, cli->arena, err))
        return false;
    measuring_begin(cli, NULL);
    if (!comm_measure(&request, options.raw, &cli->progress, cli->arena, &measurement, &interrupted, err))
        return false;
    measurement.command = arena_printf(cli->arena, "firma %s", cli->command_line);
    cli_progress_end(cli);
    const char *incomplete = arena_printf(cli->arena, "processes of %u launch%s ended while they measured",
                                          measurement.n_broken, measurement.n_broken == 1 ? "" : "es");
    if (measurement.missing)
        incomplete = measurement.missing;
    const bool is_incomplete = measurement.n_broken || measurement.missing;
    if (is_incomplete)
        cli_note_incomplete(cli, "the measurement", &incomplete, 1);
    const MachineModel *machine = modelling_make(&measurement, choose_statistic(&measurement), cli->arena);
    bool is_saved = save(cli, &measurement, machine, err) &&
                    report_option_write(cli, NULL, "communication", from_comm(&measurement, machine, cli->arena), err);
    show(cli, &measurement, machine, is_saved);
    if (!is_saved)
        return false;
    note_output(cli);
    if (interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); the results up to then are kept", strsignal(interrupted));
    return !is_incomplete || err_set(err, ERR_NEGATIVE, "%s; the other results are kept", incomplete);
}

const Verb verb_comm = {
    .name = "comm",
    .question = QUESTION_MESSAGES,
    .summary = "measure what messages cost, compared with the operating system",
    .synopsis = "[-o DIR] [--time 60s] [--only LIST] [--hosts FILE] | --compare A B",
    .description =
        "Measures how long messages and collectives take between processes. The measured configurations "
        "are each installed MPI, as it chooses by itself (default), through shared memory and through TCP; "
        "PVM, directly and through its "
        "daemons, with the packings xdr, raw and inplace; and the operating system's own TCP sockets, "
        "Unix sockets and ICMP. Nothing needs to be configured. What isn't installed is named, and the "
        "rest is measured.\n\n"
        "firma prints startup times and bandwidths, what each library costs over the operating system, "
        "and the known algorithm whose cost fits each collective best. Of each size, it keeps the shortest "
        "time, the median and the 90th percentile, with intervals. firma also prints a model of the "
        "machine: lines α + n/β describe the time of a message of n bytes, in segments where one line "
        "isn't enough. They describe medians, or the shortest times if other programs keep a host busy.\n\n"
        "Each process runs on a processor of its own. Each size is warmed up, and repeated until its "
        "median is known to ± --target or its share of --time is used up. Sizes and configurations take "
        "turns. Each configuration is started three times, if there is time, and then again until the "
        "intervals, which hold the differences between launches, are narrow enough or time is up. In a collective, all "
        "processes begin at a common instant, on synchronised clocks, and the time ends with the last "
        "process. Byte counters of the network interfaces show which way the messages went.\n\n"
        "With --hosts, messages go between hosts, one process on each. The file has one host a line, "
        "`NAME [ADDRESS] [CPU,CPU…] [slots=N]`, and `#` begins a comment. The first host is the root. With slots, "
        "collectives of more processes than hosts, and pairs, run up to N processes on that host. Processes "
        "are bound to the CPUs that the file names, and their libraries to the network of the addresses. "
        "firma must be installed at the same place on all hosts, and the agent must start commands there without asking for a password. A host that doesn't answer, or a pair of hosts that fails, is "
        "left out, and the exit status is then 1.\n\n"
        "n bytes are the whole vector of a collective: what the root scatters or gathers, what each "
        "process has after an allgather, what each process sends in an alltoall, or the vector of a "
        "broadcast or reduction.\n\n"
        "With --compare, firma measures nothing. It compares two measurements, A and B: of two days, two libraries or "
        "two machines. Each is a directory of -o, its comm.json, or what --json printed. firma compares each "
        "configuration, operation, number of processes and size that both have, and names the others. If no "
        "configuration is in both, those that differ by middleware alone are compared, such as openmpi tcp with mpich "
        "tcp; or name two by --configuration. x % slower: B takes x % more time than A; x % faster: it takes x % less. "
        "Times differ if their ratio's 95 % interval, which holds the differences between launches, leaves out 1. The "
        "exit status is 0 if no more times differ than by chance, and 1 otherwise.",
    .examples = "firma comm -o here                          # all that is installed, in a minute\n"
                "firma comm --only openmpi,os --time 20s     # Open MPI and the operating system\n"
                "firma comm --hosts hosts.txt -o cluster     # between the first host and each other one\n"
                "firma comm --operations broadcast -n 2:8    # broadcasts among 2 to 8 processes\n"
                "firma comm --compare monday tuesday         # two measurements\n"
                "firma comm --compare here -c 'openmpi tcp' -c 'mpich tcp'  # two libraries of one measurement",
    .files = "json",
    .options = option_table,
    .run = run,
};
