/* SPDX-License-Identifier: BSD-3-Clause */
/* firma phases: reads a trace, finds the phases that repeat, shows them, and writes the signature. */
#include "cli/cli.h"
#include "order/order.h"
#include "phases/phases.h"
#include "report/format.h"
#include "report/table.h"
#include "trace/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
    char *output;
    double volume_tolerance_percent, similarity_percent, relevance_percent;
    int all;
} options = {NULL, 5, 80, 1, 0};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "the signature's file; without it nothing is written", "FILE"},
    {"volume-tolerance", '\0', POPT_ARG_DOUBLE, &options.volume_tolerance_percent, 0,
     "volumes match when they differ by at most this share of the larger; by default 5", "PERCENT"},
    {"similarity", '\0', POPT_ARG_DOUBLE, &options.similarity_percent, 0,
     "phases are the same when at least this share of their events match; by default 80", "PERCENT"},
    {"relevance", '\0', POPT_ARG_DOUBLE, &options.relevance_percent, 0,
     "a phase is relevant from this share of the application's time on; by default 1", "PERCENT"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every phase, not only the relevant ones", NULL},
    POPT_TABLEEND};

/* ---- progress: what the order stage reports, in records of the archive, whose total is known ---- */

typedef struct ReadingProgress {
    const Archive *archive;
    const Progress *bar;
} ReadingProgress;

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const ReadingProgress *reading = self;
    progress_report(reading->bar, what, archive_records_read(reading->archive),
                    archive_records_total(reading->archive));
}

/* ---- the loop structure in one line: "1 + 25×(2 3 + 4×(5))" ---- */

typedef struct LoopText {
    char *text;
    size_t used, limit;
} LoopText;

static bool add_text(LoopText *line, const char *piece)
{
    size_t length = strlen(piece);
    if (line->used + length > line->limit)
        return false;
    memcpy(line->text + line->used, piece, length + 1);
    line->used += length;
    return true;
}

/* False when the line is full. */
static bool add_loop(LoopText *line, const Loop *loop, bool outermost)
{
    char piece[64];
    if (loop->phase) {
        if (loop->count > 1)
            snprintf(piece, sizeof piece, "%" PRIu64 "×%" PRIu32, loop->count, loop->phase);
        else
            snprintf(piece, sizeof piece, "%" PRIu32, loop->phase);
        return add_text(line, piece);
    }
    bool wrapped = !outermost || loop->count > 1;
    snprintf(piece, sizeof piece, "%" PRIu64 "×(", loop->count);
    if (wrapped && !add_text(line, piece))
        return false;
    for (uint32_t i = 0; i < loop->n_body; i++) {
        bool joins_loop = i > 0 && (loop->body[i].phase == 0 || loop->body[i - 1].phase == 0);
        if ((i > 0 && !add_text(line, joins_loop ? " + " : " ")) || !add_loop(line, &loop->body[i], false))
            return false;
    }
    return !wrapped || add_text(line, ")");
}

/* At most `columns` wide on a terminal; the end is cut off with "…". */
static char *loop_text(const Loop *sequence, size_t columns, Arena *arena)
{
    LoopText line = {.limit = 4 * columns};
    line.text = arena_alloc(arena, line.limit + 1);
    bool whole = add_loop(&line, sequence, true);
    if (whole && text_width(line.text) <= columns)
        return line.text;
    while (line.used > 0 && text_width(line.text) + 2 > columns) {
        while (line.used > 0 && (line.text[--line.used] & '\xC0') == '\x80')
            continue;
        line.text[line.used] = '\0';
    }
    return arena_printf(arena, "%s …", line.text);
}

static size_t output_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 40 ? size.ws_col : 100;
}

/* ---- the phase table ---- */

static double mean_duration_s(const Signature *signature, const Phase *phase)
{
    return phase->weight ? phase->share * signature->application_s / (double)phase->weight : 0;
}

static void add_phase_row(Table *table, const Signature *signature, const Phase *phase, Arena *arena)
{
    table_cell(table, "%u", phase->id);
    table_cell(table, "%s", format_count(arena, phase->n_ticks));
    table_cell(table, "%s", format_count(arena, phase->weight));
    table_cell(table, "%s", format_seconds(arena, mean_duration_s(signature, phase)));
    table_cell(table, "%s", format_percent(arena, phase->share));
    table_cell(table, "%s", format_percent(arena, phase->similarity));
    table_cell(table, "%s", phase->relevant ? "yes" : "no");
    table_row_style(table, phase->relevant ? TABLE_PLAIN : TABLE_DIM);
}

typedef struct LeftOut {
    uint32_t n_phases;
    uint64_t weight;
    double share;
} LeftOut;

static void add_left_out_row(Table *table, const LeftOut *left_out, Arena *arena)
{
    table_cell(table, "%u others", left_out->n_phases);
    table_cell(table, "%s", "");
    table_cell(table, "%s", format_count(arena, left_out->weight));
    table_cell(table, "%s", "");
    table_cell(table, "%s", format_percent(arena, left_out->share));
    table_cell(table, "%s", "");
    table_cell(table, "%s", "no");
    table_row_style(table, TABLE_DIM);
}

static const char *phase_table(const Cli *cli, const Signature *signature)
{
    Table *table = table_new(cli->arena);
    table_column(table, "phase", TABLE_LEFT);
    table_column(table, "ticks", TABLE_RIGHT);
    table_column(table, "weight", TABLE_RIGHT);
    table_column(table, "mean duration", TABLE_RIGHT);
    table_column(table, "share of time", TABLE_RIGHT);
    table_column(table, "similarity", TABLE_RIGHT);
    table_column(table, "relevant", TABLE_LEFT);
    LeftOut left_out = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->relevant || options.all) {
            add_phase_row(table, signature, phase, cli->arena);
        } else {
            left_out.n_phases++;
            left_out.weight += phase->weight;
            left_out.share += phase->share;
        }
    }
    if (left_out.n_phases)
        add_left_out_row(table, &left_out, cli->arena);
    return table_text(table, cli->color);
}

/* ---- problems ---- */

static const char *problem_text(const OrderProblem *problem, Arena *arena)
{
    const Event *event = &problem->event;
    switch (problem->kind) {
    case PROBLEM_UNMATCHED_RECV:
        return arena_printf(
            arena, "process %u received from %u (tag %u, %" PRIu64 " bytes) what nobody sent in this trace; left out",
            problem->process, event->peer, event->tag, event->bytes);
    case PROBLEM_PARTIAL_COLLECTIVE:
        return arena_printf(arena, "process %u entered a %s that not all members entered; ordered with those that did",
                            problem->process, collective_name(event->collective));
    case PROBLEM_CYCLE:
        return arena_printf(arena, "process %u: events wait for each other in a circle; ordered by force",
                            problem->process);
    }
    return "unknown";
}

static size_t kept_problems(const OrderReport *report)
{
    size_t limit = sizeof report->problems / sizeof *report->problems;
    return report->n_problems < limit ? (size_t)report->n_problems : limit;
}

static uint32_t count_unfinished(const Signature *signature, const OrderReport *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < signature->application.n_processes; i++)
        count += !report->processes[i].finished;
    return count;
}

static void print_problems(const Signature *signature, const OrderReport *report, Arena *arena)
{
    uint32_t unfinished = count_unfinished(signature, report);
    if (unfinished)
        printf("note: %u of %u processes never reached MPI_Finalize; the phases are those of what ran\n", unfinished,
               signature->application.n_processes);
    if (report->n_unmatched_sends)
        printf("note: %s messages were sent that nobody received\n", format_count(arena, report->n_unmatched_sends));
    size_t kept = kept_problems(report);
    for (size_t i = 0; i < kept; i++)
        printf("note: %s\n", problem_text(&report->problems[i], arena));
    if (report->n_problems > kept)
        printf("note: … and %s more such problems\n", format_count(arena, report->n_problems - kept));
}

/* ---- both forms of output ---- */

static double mean(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / count : 0;
}

static double largest(const double *values, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static void print_edge(const char *name, const char *what, const double *values, uint32_t count, Arena *arena)
{
    const char *average = format_seconds(arena, mean(values, count));
    printf("%-13s %s on average, %s at most, %s\n", name, average, format_seconds(arena, largest(values, count)), what);
}

static void print_text(const Cli *cli, const Signature *signature, const OrderReport *report)
{
    Arena *arena = cli->arena;
    uint32_t n = signature->application.n_processes;
    fputs(phase_table(cli, signature), stdout);
    uint32_t relevant = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        relevant += signature->phases[i].relevant;
    printf("\n%-13s %s on %u processes, %s events, %s ticks\n", "application",
           format_seconds(arena, signature->application_s), n, format_count(arena, signature->n_send_events),
           format_count(arena, signature->n_ticks));
    printf("%-13s %s of the time is in the %u relevant of %u phases\n", "coverage",
           format_percent(arena, signature->coverage), relevant, signature->n_phases);
    print_edge("startup", "from MPI_Init to the first event", signature->startup_s, n, arena);
    print_edge("shutdown", "from the last event to MPI_Finalize", signature->shutdown_s, n, arena);
    printf("%-13s %s\n", "sequence", loop_text(&signature->sequence, output_columns() - 14, arena));
    print_problems(signature, report, arena);
    if (options.output)
        printf("%-13s %s\n", "signature", options.output);
}

static json_t *phases_to_json(const Signature *signature)
{
    json_t *phases = json_array();
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        json_t *one = json_object();
        json_object_set_new(one, "id", json_integer(phase->id));
        json_object_set_new(one, "ticks", json_integer(phase->n_ticks));
        json_object_set_new(one, "events", json_integer(phase->n_events));
        json_object_set_new(one, "weight", json_integer((json_int_t)phase->weight));
        json_object_set_new(one, "mean_duration_s", json_real(mean_duration_s(signature, phase)));
        json_object_set_new(one, "share", json_real(phase->share));
        json_object_set_new(one, "similarity", json_real(phase->similarity));
        json_object_set_new(one, "relevant", json_boolean(phase->relevant));
        json_array_append_new(phases, one);
    }
    return phases;
}

static void print_json(const Cli *cli, const Signature *signature, const OrderReport *report)
{
    uint32_t n = signature->application.n_processes;
    json_t *document = json_object(), *problems = json_array();
    if (options.output)
        json_object_set_new(document, "signature", cli_json_string(options.output));
    json_object_set_new(document, "processes", json_integer(n));
    json_object_set_new(document, "processes_unfinished", json_integer(count_unfinished(signature, report)));
    json_object_set_new(document, "application_s", json_real(signature->application_s));
    json_object_set_new(document, "send_events", json_integer((json_int_t)signature->n_send_events));
    json_object_set_new(document, "ticks", json_integer((json_int_t)signature->n_ticks));
    json_object_set_new(document, "occurrences", json_integer((json_int_t)signature->n_occurrences));
    json_object_set_new(document, "coverage", json_real(signature->coverage));
    json_object_set_new(document, "startup_s", json_real(mean(signature->startup_s, n)));
    json_object_set_new(document, "startup_slowest_s", json_real(largest(signature->startup_s, n)));
    json_object_set_new(document, "shutdown_s", json_real(mean(signature->shutdown_s, n)));
    json_object_set_new(document, "shutdown_slowest_s", json_real(largest(signature->shutdown_s, n)));
    json_object_set_new(document, "phases", phases_to_json(signature));
    json_object_set_new(document, "problem_count", json_integer((json_int_t)report->n_problems));
    json_object_set_new(document, "unmatched_sends", json_integer((json_int_t)report->n_unmatched_sends));
    for (size_t i = 0; i < kept_problems(report); i++)
        json_array_append_new(problems, cli_json_string(problem_text(&report->problems[i], cli->arena)));
    json_object_set_new(document, "problems", problems);
    cli_print_json(&verb_phases, document);
}

/* ---- the verb ---- */

static bool share_of_option(const char *name, double percent, double *share, Err *err)
{
    if (!(percent >= 0 && percent <= 100))
        return err_set(err, ERR_USAGE, "--%s: %g is not a percentage between 0 and 100", name, percent);
    *share = percent / 100;
    return true;
}

static bool read_parameters(PhaseParameters *parameters, Err *err)
{
    return share_of_option("volume-tolerance", options.volume_tolerance_percent, &parameters->volume_tolerance, err) &&
           share_of_option("similarity", options.similarity_percent, &parameters->similarity, err) &&
           share_of_option("relevance", options.relevance_percent, &parameters->relevance, err);
}

static bool analyse(Cli *cli, Archive *archive, const PhaseParameters *parameters, Err *err)
{
    ReadingProgress reading = {archive, &cli->progress};
    const Progress progress = {&reading, cli->progress.report ? report_reading : NULL};
    Signature *signature;
    OrderReport report = {0};
    if (!phases_find(archive_source(archive), "pas2p", parameters, &progress, cli->arena, &signature, &report, err))
        return false;
    cli_progress_end(cli);
    if (options.output && !signature_save(signature, options.output, err))
        return false;
    if (cli->json)
        print_json(cli, signature, &report);
    else if (!cli->quiet)
        print_text(cli, signature, &report);
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PhaseParameters parameters;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "%d traces are named, and it takes one" : "no trace is named", n) ||
               err_hint(err, "usage: firma phases %s", verb_phases.synopsis);
    if (!read_parameters(&parameters, err))
        return false;
    Archive *archive;
    if (!archive_open(words[0], &archive, err))
        return false;
    bool fine = analyse(cli, archive, &parameters, err);
    archive_close(archive);
    return fine;
}

const Verb verb_phases = {
    .name = "phases",
    .summary = "find what repeats in a trace: its phases and their weights",
    .synopsis = "TRACE [-o FILE] [--similarity PERCENT] [--relevance PERCENT]",
    .description =
        "Reads an OTF2 archive that `firma trace` or another tool such as Score-P wrote, puts its events into "
        "PAS2P's logical order, which is the same on every machine, and finds the phases: stretches of "
        "communication and computation that repeat. How often a phase occurs is its weight. Phases that hold at "
        "least 1 % of the time are relevant; with their weights they are the program's signature, the file that "
        "`firma measure` and `firma predict` work with.\n\n"
        "The sequence that is printed reads like a program: 1 + 25×(2 3) is phase 1, then 25 times phases 2 and "
        "3. Mean durations are means over occurrences and processes; coverage is the share of the application's "
        "time in relevant phases.",
    .examples = "firma phases app.trace -o app.firma                  # table on stdout, signature in app.firma\n"
                "firma phases app.trace --all                         # also the phases that don't matter\n"
                "firma phases scorep-run/traces.otf2 --similarity 90  # another tool's trace, compared more strictly",
    .options = option_table,
    .run = run,
};
