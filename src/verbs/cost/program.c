/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. firma runs through the source once for each process, with the least costs of the machine model
 * and with the largest ones. The graphs of tasks that result are simulated, as `firma map` simulates a run. If the
 * machine model has costs of code that is compiled with the same options, firma runs through it once before, to count
 * how often the parts of the compiled code run. docs/METHOD.md, section 15, *Programs of several processes*. */
#include "verbs/cost/program.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/option_values.h"
#include "cli/values.h"
#include "placement/graph/graph.h"
#include "placement/mapping/mapping.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/findings.h"
#include "verbs/cost/given.h"
#include "verbs/cost/machines.h"
#include "verbs/cost/models.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static NumberList processes = {.option = "--processes", .by_default = "1", .least = 1, .most = SOURCE_PROCESSES_LIMIT};
static struct {
    char *kind, *compiler_options;
    double speed;
} options = {.speed = 1};

const struct poptOption cost_program_option_table[] = {
    {"processes", 'n', OPTION_NUMBERS, &processes, 0, "numbers of processes, of an MPI program in C", "LIST"},
    {"kind", '\0', POPT_ARG_STRING, &options.kind, 0,
     "name of the kind of machine on which an MPI program computes; by default the only one, or this machine", "NAME"},
    {"compute-speed", '\0', POPT_ARG_DOUBLE, &options.speed, 0,
     "all processors compute this many times as fast as the costs of operations say, in an MPI program", "FACTOR"},
    {"compiler-options", '\0', POPT_ARG_STRING, &options.compiler_options, 0,
     "the compiler's options, for a source of an MPI program, besides those of mpicc", "TEXT"},
    POPT_TABLEEND};

bool cost_is_program(const char *path)
{
    return files_has_suffix(path, ".c");
}

const char *cost_program_option_given(void)
{
    return processes.given            ? "--processes"
           : options.kind             ? "--kind"
           : options.speed != 1       ? "--compute-speed"
           : options.compiler_options ? "--compiler-options"
                                      : NULL;
}

/* ---- The ends of the interval ---- */

typedef enum End { END_LOW, END_HIGH, ENDS } End;

static double end_of(Interval interval, End end)
{
    return end == END_LOW ? interval.low : interval.high;
}

/* The costs of operations at one end of their intervals, in a process with so many bytes of data. `guesses`: where
 * probabilities are assumed. */
static const CpuCosts *costs_at(const CpuCosts *costs, double bytes, bool guesses, End end, Arena *arena)
{
    CpuCosts *made = arena_alloc(arena, sizeof *made);
    *made = *costs;
    made->n_far = 0;
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++) {
            Interval cost = cpu_cost(costs, (CpuOperation)i, (CpuType)j, bytes);
            double value = end_of(guesses ? cpu_guessed(costs, cost) : cost, end) / options.speed;
            if (cost.low <= cost.high)
                made->cost_s[i][j] = (Interval){value, value};
        }
    return made;
}

static double estimated_at(const Estimated *estimated, End end, bool without_messages)
{
    return without_messages ? 0 : end_of((Interval){estimated->low, estimated->high}, end);
}

/* The machine whose messages take what one end of their intervals says. */
static const MachineModel *machine_at(const MachineModel *machine, End end, bool without_messages, Arena *arena)
{
    MachineModel *made = arena_alloc(arena, sizeof *made);
    MachinePath *paths = arena_copy_array(arena, machine->paths, machine->n_paths, sizeof *paths);
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        CostSegment *segments = arena_copy_array(arena, paths[i].segments, paths[i].n_segments, sizeof(CostSegment));
        for (uint32_t j = 0; j < paths[i].n_segments; j++) {
            segments[j].latency_s.value = estimated_at(&segments[j].latency_s, end, without_messages);
            segments[j].s_per_byte.value = estimated_at(&segments[j].s_per_byte, end, without_messages);
        }
        paths[i].segments = segments;
    }
    *made = *machine;
    made->paths = paths;
    return made;
}

/* One host with the kind's cores. If messages cost nothing, the machine model needs no hosts. */
static const MachineModel *machine_without_messages(const MachineModel *machine, const char *kind, Arena *arena)
{
    MachineModel *made = arena_new_array(arena, MachineModel, 1);
    CommHost *host = arena_new_array(arena, CommHost, 1);
    MachinePath *path = arena_copy_array(arena, platform_make_path(0, 0, arena), 1, sizeof *path);
    *host = (CommHost){.name = kind, .n_cpus = machine_find_processor(machine, kind)->n_cores};
    path->configuration = (CommConfiguration){.middleware = "openmpi", .transport = COMM_DEFAULT, .packing = ""};
    path->level = "";
    *made = *machine;
    made->n_hosts = made->n_paths = 1;
    made->hosts = host;
    made->paths = path;
    return made;
}

/* ---- A prediction ---- */

typedef struct ProgramPrediction {
    uint32_t n_processes;
    double time_s[ENDS];
    double compute_s[ENDS]; /* of the processor that computes most */
    double messages, message_bytes;
} ProgramPrediction;

typedef struct ProgramReport {
    const char *program, *kind, *configuration, *costs;
    double compute_speed;
    bool messages;
    size_t n_sources, n_predictions, n_findings;
    const ProgramPrediction *predictions;
    const AnalysisFinding *findings;
} ProgramReport;

/* What a prediction is made from. */
typedef struct Subject {
    ProcessesOptions how;
    const CpuCosts *costs;
    ContextSource source;
    bool guesses;  /* probabilities are assumed */
    bool has_note; /* of what isn't found in the compiled code */
    double bytes;  /* of a process's data */
    size_t n_findings;
    const AnalysisFinding *findings;
    const Platform *platforms[ENDS];
    GraphCollectives collectives;
} Subject;

typedef struct Sums {
    double compute_s, messages, bytes;
} Sums;

static void add_steps(const Step *steps, uint32_t n, double times, Sums *sums)
{
    for (uint32_t i = 0; i < n; i++) {
        sums->compute_s += steps[i].kind == STEP_COMPUTE ? times * steps[i].seconds : 0;
        sums->messages += steps[i].kind == STEP_SEND ? times : 0;
        sums->bytes += steps[i].kind == STEP_SEND ? times * steps[i].bytes : 0;
        if (steps[i].kind == STEP_LOOP)
            add_steps(steps[i].body, steps[i].n_body, times * (double)steps[i].times, sums);
    }
}

static const uint32_t *place_by_default(const MappingProblem *problem, Arena *arena, Err *err)
{
    uint32_t *processors = arena_new_array(arena, uint32_t, problem->ttig->n_nodes);
    for (unsigned i = 0; i < n_mappers; i++)
        if (strcmp(mappers[i].name, MAPPING_DEFAULT) == 0)
            return mappers[i].map(problem, processors, err) ? processors : NULL;
    return NULL;
}

static bool simulate_graph(const TaskGraph *graph, const Platform *platform, End end, Arena *arena,
                           ProgramPrediction *prediction, Err *err)
{
    const Ttig ttig = {.n_nodes = graph->n_tasks, .tasks = graph};
    MappingProblem *problem;
    if (!mapping_problem_new(&ttig, platform, 0, arena, &problem, err))
        return false;
    const uint32_t *processors = place_by_default(problem, arena, err);
    double *loads = arena_new_array(arena, double, platform->n_processors);
    if (!processors)
        return false;
    prediction->messages = prediction->message_bytes = prediction->compute_s[end] = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        Sums sums = {0};
        add_steps(graph->tasks[i].steps, graph->tasks[i].n_steps, 1, &sums);
        loads[processors[i]] += sums.compute_s;
        prediction->compute_s[end] = fmax(prediction->compute_s[end], loads[processors[i]]);
        prediction->messages += sums.messages;
        prediction->message_bytes += sums.bytes;
    }
    prediction->time_s[end] = simulate(problem->simulation, processors).completion_s;
    return true;
}

static void keep_findings(Subject *subject, const Processes *read)
{
    subject->n_findings = read->n_findings;
    subject->findings = read->findings;
}

/* What is known of the compiled code where the machine model has costs of such. */
static bool find_compiled(Cli *cli, Subject *subject, Err *err)
{
    const char *program = files_base_name(subject->how.source.file);
    ContextProcesses rewritten;
    Err own = {0};
    subject->how.rewriter = NULL;
    subject->how.costs = costs_at(subject->costs, 0, false, END_LOW, cli->arena);
    bool fine = context_rewrite_processes(&subject->how, &subject->source, cli->arena, &rewritten, &own);
    if (!fine && own.kind != ERR_ENVIRONMENT)
        return (*err = own), false;
    if (!subject->has_note && !fine)
        cost_note_operations(cli, program, &own);
    if (!subject->has_note && fine)
        cost_note_loops(cli, program, &rewritten.loops);
    subject->has_note = subject->has_note || !fine || rewritten.loops.n_compiled < rewritten.loops.n;
    subject->how.rewriter = rewritten.rewriter;
    subject->bytes = rewritten.bytes;
    subject->guesses = rewritten.guesses;
    keep_findings(subject, rewritten.counted);
    return true;
}

static bool predict(Cli *cli, Subject *subject, uint32_t n_processes, ProgramPrediction *prediction, Err *err)
{
    Arena *arena = cli->arena;
    Processes *read = NULL;
    *prediction = (ProgramPrediction){.n_processes = n_processes};
    subject->how.n_processes = n_processes;
    if (subject->how.for_context && !find_compiled(cli, subject, err))
        return false;
    for (End end = END_LOW; end < ENDS; end++) {
        const Progress progress = {0};
        TaskGraph *graph;
        subject->how.costs = costs_at(subject->costs, subject->bytes, subject->guesses, end, arena);
        if (!processes_of_source(&subject->how, arena, &read, err) ||
            !graph_read(read->source, subject->collectives, &progress, arena, &graph, err) ||
            !simulate_graph(graph, subject->platforms[end], end, arena, prediction, err))
            return false;
    }
    if (!subject->how.for_context)
        keep_findings(subject, read);
    return true;
}

/* ---- Output ---- */

static const FieldList prediction_fields =
    FIELDS(ProgramPrediction, FIELD_AS(ProgramPrediction, n_processes, "processes", "how many"),
           FIELD_REALS(ProgramPrediction, time_s, "time_s", "[least, most]: the prediction"),
           FIELD_REALS(ProgramPrediction, compute_s, "compute_s", "[least, most]: what the busiest processor computes"),
           FIELD(ProgramPrediction, messages, "how many, those of collectives included"),
           FIELD(ProgramPrediction, message_bytes, "their bytes"));

const FieldList cost_program_fields =
    FIELDS(ProgramReport, FIELD(ProgramReport, program, "the file; of several, the first one"),
           FIELD_AS(ProgramReport, n_sources, "sources", "how many files"),
           FIELD(ProgramReport, kind, "of the machine that computes"),
           FIELD(ProgramReport, configuration, "how messages are sent"),
           FIELD(ProgramReport, costs,
                 "what computation costs: `compiled code`, `operations in compiled code`, or `single operations`"),
           FIELD(ProgramReport, compute_speed, "of `--compute-speed`; 1 by default"),
           FIELD(ProgramReport, messages, "false: what messages cost is left out"),
           FIELD_LIST(ProgramReport, predictions, n_predictions, "predictions", "one for each number of processes",
                      .of = &prediction_fields),
           FIELD_LIST(ProgramReport, findings, n_findings, "findings", "what was guessed in the source",
                      .of = &cost_finding_fields));

static const char costs_of_operations[] = "single operations";

static const char *span(Arena *arena, double low, double high)
{
    const char *first = format_seconds(arena, low), *last = format_seconds(arena, high);
    return strcmp(first, last) == 0 ? first : arena_printf(arena, "%s … %s", first, last);
}

/* What the whole takes longer than a part of it: without what rounding leaves of equal times. */
static double beyond(double whole_s, double part_s)
{
    return whole_s - part_s > 1e-9 * whole_s ? whole_s - part_s : 0;
}

static double middle(const double ends[ENDS])
{
    return (ends[END_LOW] + ends[END_HIGH]) / 2;
}

static const char *text_of(const ProgramReport *report, bool color, Arena *arena)
{
    Text text = {0};
    Table *table = table_new(arena);
    table_columns(table, ">processes|predicted|>speedup|computation|messages, waiting|>messages|>bytes");
    for (size_t i = 0; i < report->n_predictions; i++) {
        const ProgramPrediction *one = &report->predictions[i];
        double time_s = middle(one->time_s);
        const double rest_s[] = {beyond(one->time_s[0], one->compute_s[0]), beyond(one->time_s[1], one->compute_s[1])};
        table_cells(table, "%u|%s|%s|%s|%s|%s|%s", one->n_processes, span(arena, one->time_s[0], one->time_s[1]),
                    time_s > 0 ? arena_printf(arena, "%.2f", middle(report->predictions[0].time_s) / time_s) : "–",
                    span(arena, one->compute_s[0], one->compute_s[1]),
                    span(arena, fmin(rest_s[0], rest_s[1]), fmax(rest_s[0], rest_s[1])),
                    format_count(arena, (uint64_t)one->messages), format_bytes(arena, one->message_bytes));
    }
    const char *others = report->n_sources == 1 ? ""
                         : report->n_sources == 2
                             ? " and another source"
                             : arena_printf(arena, " and %zu other sources", report->n_sources - 1);
    text_add(&text, "program %s%s on %s, %s\n\n%s", files_base_name(report->program), others, report->kind,
             report->messages ? report->configuration : "messages cost nothing", table_text(table, color));
    if (report->costs == costs_of_operations)
        text_add(&text,
                 "Operations cost what they do one by one, which compiled code hardly does.\n"
                 "`firma machine cpu` measures them in code that is compiled like this one (--compiler-options).\n");
    else
        text_add(&text, "Computation: %s.\n", report->costs);
    return text_take(&text, arena);
}

static void print(Cli *cli, const ProgramReport *report)
{
    if (cli->json)
        cli_print_json(cli, fields_to_json(&cost_program_fields, report, 0));
    else if (!cli->quiet)
        cli_print(cli, "%s", text_of(report, cli->color, cli->arena));
    if (!cli->json)
        cost_print_findings(cli, report->findings, report->n_findings);
}

/* ---- */

static bool find_costs(const MachineModel *machine, ProgramReport *report, Subject *subject, Err *err)
{
    const char *kind = options.kind;
    if (!kind && !cost_find_local_kind(machine, &kind, err))
        return false;
    const CpuModel *cpu = machine_find_processor(machine, kind);
    if (!cpu)
        return err_set(err, ERR_USAGE, "--kind: the machine model has no kind `%s`", kind);
    const CpuCosts *costs = cpu_costs_at(cpu, "c", options.compiler_options ? options.compiler_options : "");
    costs = costs ? costs : cpu_costs(cpu, "c");
    if (!costs)
        return err_set(err, ERR_INPUT, "%s: the machine model lacks the costs of C programs on %s",
                       cost_options.machine, kind) ||
               err_hint(err, "measure them with `firma machine cpu`");
    subject->costs = costs;
    subject->how.for_context = *costs->options != '\0';
    report->kind = kind;
    return true;
}

static bool find_platforms(const MachineModel *machine, Arena *arena, ProgramReport *report, Subject *subject, Err *err)
{
    if (!report->messages && !machine->n_paths && !cost_options.configuration)
        machine = machine_without_messages(machine, report->kind, arena);
    for (End end = END_LOW; end < ENDS; end++) {
        Platform *platform;
        if (!platform_from_machine(machine_at(machine, end, !report->messages, arena), NULL, cost_options.configuration,
                                   0, NULL, arena, &platform, err))
            return err->kind == ERR_USAGE ? false : err_prefix(err, "%s", cost_options.machine);
        subject->platforms[end] = platform;
    }
    report->configuration = subject->platforms[0]->description;
    subject->collectives =
        strncmp(report->configuration, "mpich", 5) == 0 ? COLLECTIVES_OF_MPICH : COLLECTIVES_OF_OPENMPI;
    return true;
}

static void note_sharing(const Cli *cli, const Subject *subject, const uint64_t *numbers, uint32_t n)
{
    const uint32_t n_processors = subject->platforms[0]->n_processors;
    uint64_t most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = numbers[i] > most ? numbers[i] : most;
    if (most > n_processors)
        cli_note(cli, "%" PRIu64 " processes share the machine's %" PRIu32 " processors", most, n_processors);
}

/* Reads the source, and compiles it where the machine model has costs of compiled code. */
static bool open_program(Cli *cli, Subject *subject, Err *err)
{
    const AnalysisSource *source = &subject->how.source;
    CompiledCode *code;
    Err own = {0};
    if (!processes_read(source, cli->arena, &subject->how.program, err))
        return false;
    subject->source = (ContextSource){subject->how.program, NULL, cost_limits(subject->costs), NULL};
    if (!subject->how.for_context || !*subject->costs->scheduler)
        return true;
    size_t n = 0;
    while (source->others[n])
        n++;
    const CompiledCode **others = arena_new_array(cli->arena, const CompiledCode *, n + 1);
    for (size_t i = 0; i <= n; i++) {
        const char *file = i ? source->others[i - 1] : source->file;
        if (!compiled_open(file, processes_compiler_options(source, cli->arena), subject->costs->scheduler, cli->arena,
                           &code, &own)) {
            cost_note_operations(cli, files_base_name(file), &own);
            subject->source.code = NULL;
            return true;
        }
        if (i)
            others[i - 1] = code;
        else
            subject->source.code = code;
    }
    subject->source.others = n ? others : NULL;
    return true;
}

bool cost_predict_program(Cli *cli, const char *const *paths, char *const *arguments, bool without_messages, Err *err)
{
    Arena *arena = cli->arena;
    const char *path = paths[0];
    static char *const none[] = {NULL};
    Subject subject = {.how = {.source = {"c", path, options.compiler_options, "main", paths + 1},
                               .arguments = arguments ? arguments : none}};
    ProgramReport report = {.program = path, .compute_speed = options.speed, .messages = !without_messages};
    MachineModel *machine;
    const uint64_t *numbers;
    uint32_t n;
    GivenValue *given;
    if (!processes.given)
        return err_set(err, ERR_USAGE, "an MPI program needs numbers of processes") || err_hint(err, "add -n 1,2,4");
    if (!(options.speed >= 1e-6 && options.speed <= 1e6))
        return err_set(err, ERR_USAGE, "--compute-speed: %g isn't a factor from 1e-6 to 1e6", options.speed);
    if (!numbers_option_parse(&processes, arena, &n, &numbers, err) ||
        !given_values_read(arena, &subject.how.n_given, &given, err) || !cost_load_machine(arena, &machine, err) ||
        !find_costs(machine, &report, &subject, err) || !find_platforms(machine, arena, &report, &subject, err))
        return false;
    ProgramPrediction *predictions = arena_new_array(arena, ProgramPrediction, n);
    subject.how.given = given;
    if (!open_program(cli, &subject, err))
        return false;
    note_sharing(cli, &subject, numbers, n);
    for (uint32_t i = 0; i < n; i++)
        if (!predict(cli, &subject, (uint32_t)numbers[i], &predictions[i], err))
            return false;
    report.costs = subject.how.rewriter      ? "compiled code"
                   : subject.how.for_context ? "operations in compiled code"
                                             : costs_of_operations;
    if (!given_values_check(given, subject.how.n_given, path, err))
        return false;
    while (paths[report.n_sources])
        report.n_sources++;
    report.n_predictions = n;
    report.predictions = predictions;
    report.n_findings = subject.n_findings;
    report.findings = subject.findings;
    print(cli, &report);
    return true;
}
