/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs all processes, one after the other. A process that needs what others tell (a broadcast value,
 * a split communicator) before they have run stops there, and runs again when they have. */
#include "cost/source/mpi/run.h"

#include "base/files.h"
#include "cost/lang/names.h"
#include "cost/source/arrays.h"
#include "cost/source/communication.h"
#include "cost/source/program/join.h"
#include "cost/source/program/nesting.h"
#include "cost/source/program/recycling.h"
#include "cost/source/statement.h"
#include "cost/source/sub.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS_NAMED = 4 };

/* By which calls the entry came to the function that runs, the latest first. */
static const char *calls_text(const Generator *all)
{
    const char *text = "";
    for (size_t i = all->calls.count; i-- > 1 && all->calls.count - i <= CALLS_NAMED;) {
        const ActiveCall *call = &all->calls.items[i];
        text = arena_printf(all->arena, "%s; %s is called at %s:%u", text, call->function->name, call->place.file,
                            call->place.line);
    }
    return text;
}

bool run_fail(Run *run, const SourcePlace *place, const char *format, ...)
{
    Generator *all = &run->world->all;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!all->failed)
        err_set(all->err, ERR_INPUT, "%s:%u: in process %u, %s%s", place->file, place->line, run->rank, message,
                calls_text(all));
    all->failed = true;
    return false;
}

void finding_of_run(World *world, const SourcePlace *place, const char *parameter, const char *message)
{
    world->n_assumed++;
    names_add(&world->asked, parameter, 1);
    finding_add(&world->all, place, parameter, message);
}

bool given_find(const World *world, const char *name, double *value)
{
    bool is_found = false;
    for (size_t i = 0; i < world->options->n_given; i++) {
        const GivenValue *given = &world->options->given[i];
        if (strcmp(given->name, name) != 0)
            continue;
        *value = given->value;
        is_found = true;
        if (given->is_used)
            *given->is_used = true;
    }
    return is_found;
}

bool given_of_place(World *world, const char *kind, const SourcePlace *place, double *value)
{
    return given_find(world, name_of_place(&world->all, kind, "", place), value) ||
           given_find(world, place_text(&world->all, place), value);
}

/* ---- What expressions ask while a process runs ---- */

/* Of the latest run of this expression; NULL: it hasn't been run. */
static const RunValue *value_of(const Running *running, const SourceExpression *expression)
{
    const Run *run = (const Run *)running;
    for (size_t i = run->results.count; i-- > 0;)
        if (run->results.items[i].expression == expression)
            return &run->results.items[i].value;
    return NULL;
}

static Amount address_value(const Running *running, const SourceVariable *variable)
{
    const Run *run = (const Run *)running;
    for (size_t i = 0; i < run->world->predefined.count; i++)
        if (run->handles.items[i].variable == variable)
            return amount_number(run->world->all.space, LEAST_HANDLE + (double)i);
    return UNKNOWN_AMOUNT;
}

static Amount given_value(const Running *running, const char *name)
{
    const Run *run = (const Run *)running;
    double value;
    return given_find(run->world, name, &value) ? amount_number(run->world->all.space, value) : UNKNOWN_AMOUNT;
}

/* ---- Processes ---- */

static void run_begin(Run *run, World *world, uint32_t rank)
{
    *run = (Run){.running = {.value_of = value_of, .address_value = address_value, .given_value = given_value},
                 .world = world,
                 .rank = rank};
    for (size_t i = 0; i < world->predefined.count; i++)
        *vec_push(&run->handles) = world->predefined.items[i];
    world->all.running = &run->running;
    world->all.made.count = world->all.calls.count = 0;
}

static void run_end(Run *run)
{
    vec_free(&run->block.nodes);
    vec_free(&run->activities);
    vec_free(&run->results);
    vec_free(&run->visits);
    vec_free(&run->handles);
    vec_free(&run->n_exchanges);
    vec_free(&run->amounts);
}

/* Sets argc and argv. */
static void set_arguments(Run *run, Scope *scope, const SourceFunction *entry)
{
    char *const *words = run->world->options->arguments;
    size_t n = 0;
    if (!words || entry->n_parameters < 2)
        return;
    while (words[n])
        n++;
    run->running.arguments = entry->parameters[1];
    run->running.words = arena_copy_array(run->world->all.arena, words, n, sizeof *words);
    run->running.n_words = n;
    variable_set(scope, entry->parameters[0], amount_number(scope->space, (double)n + 1));
}

/* What functions, texts and references initialise globals with; numbers are values of the variables. */
static void set_initial_values(const World *world, Scope *scope)
{
    const SourceProgram *program = world->all.program;
    for (size_t i = 0; i < program->n_initials; i++) {
        const SourceExpression *left = program->initials[i]->operands[0], *right = program->initials[i]->operands[1];
        place_assign_now(scope, left, amount_of(scope, right), right, place_followed(scope, right));
    }
}

/* Runs a process to its end, or to where it lacks what another process tells. */
static bool run_process(World *world, const SourceFunction *entry, uint32_t rank, const Activity **activities,
                        size_t *count, bool *is_whole)
{
    Generator *all = &world->all;
    Run run;
    run_begin(&run, world, rank);
    Scope scope = {.all = all, .space = all->space, .function = entry, .block = &run.block};
    run.running.scope = &scope;
    *vec_push(&all->calls) = (ActiveCall){entry, entry->place, entry->name};
    for (size_t i = 0; i < entry->n_parameters; i++)
        variable_assign(&scope, entry->parameters[i], UNKNOWN_AMOUNT);
    set_arguments(&run, &scope, entry);
    set_initial_values(world, &scope);
    unit_begin(&run, &scope, entry);
    if (world->array_bytes > 0)
        block_cost(all, &run.block, cpu_name(CPU_ALLOCATE, CPU_FIXED, all->arena),
                   expr_real(all->space, world->array_bytes));
    run_statement(&run, &scope, entry->body);
    unit_end(&run, NULL);
    if (!run.has_begun && !run.lacks_exchange)
        finding_add(all, &entry->place, NULL, "MPI_Init isn't called, so the program counts as one computation");
    if (run.has_begun && !run.has_ended && !run.lacks_exchange)
        finding_add(all, &entry->place, NULL, "a process ends before MPI_Finalize, as where a program gives up");
    if (!run.has_ended)
        add_event(&run, (Event){.kind = EVENT_END});
    *activities = vec_copy(&run.activities, all->arena);
    *count = run.activities.count;
    *is_whole = !run.lacks_exchange;
    for (size_t i = 0; i < run.amounts.count; i++)
        world->amounts.items[i].amount += run.amounts.items[i];
    vec_free(&scope.values);
    vec_free(&scope.escaped);
    run_end(&run);
    return !all->failed;
}

/* Rounds of running all processes: each needs at least one exchange less than the one before. */
enum { ROUNDS_LIMIT = 256 };

static bool run_all(World *world, const SourceFunction *entry, const Activity **activities, size_t *counts)
{
    for (int round = 0; round < ROUNDS_LIMIT; round++) {
        bool all_are_whole = true;
        for (size_t i = 0; i < world->amounts.count; i++)
            world->amounts.items[i].amount = 0;
        for (uint32_t i = 0; i < world->options->n_processes; i++) {
            bool is_whole;
            if (!run_process(world, entry, i, &activities[i], &counts[i], &is_whole))
                return false;
            all_are_whole = all_are_whole && is_whole;
        }
        if (all_are_whole)
            return true;
    }
    world->all.failed = true;
    return err_set(world->all.err, ERR_INPUT,
                   "processes wait for values that others never tell: a broadcast or a split isn't called by all");
}

/* ---- Reading ---- */

const char *processes_compiler_options(const AnalysisSource *source, Arena *arena)
{
    return arena_printf(arena, "%s %s", source->options ? source->options : "", communication_options(arena));
}

/* Each source is given once. */
static bool check_files(const char *const *files, size_t n, Err *err)
{
    char paths[2][PATH_MAX];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (files_resolve(files[k], paths[0]) && files_resolve(files[i], paths[1]) &&
                strcmp(paths[0], paths[1]) == 0)
                return err_set(err, ERR_INPUT, "%s: this source is given twice", files[i]);
    return true;
}

static bool read_all(const AnalysisSource *source, Arena *arena, const SourceProgram **program, Err *err)
{
    size_t n = 1;
    while (source->others && source->others[n - 1])
        n++;
    const char **files = arena_new_array(arena, const char *, n);
    SourceProgram **units = arena_new_array(arena, SourceProgram *, n);
    for (size_t i = 0; i < n; i++)
        files[i] = i ? source->others[i - 1] : source->file;
    if (!check_files(files, n, err))
        return false;
    for (size_t i = 0; i < n; i++) {
        const SourceOptions how = {
            .file = files[i], .options = processes_compiler_options(source, arena), .prelude = i ? NULL : mpi_prelude};
        if (!nesting_check(files[i], err) || !source_read_c(&how, arena, &units[i], err))
            return false;
    }
    *program = units[0];
    return n == 1 || source_join(units, files, n, arena, program, err);
}

bool processes_read(const AnalysisSource *source, Arena *arena, const SourceProgram **program, Err *err)
{
    if (read_all(source, arena, program, err))
        return true;
    if (strstr(err->message, "mpi.h"))
        err_hint(err, "install an MPI whose mpicc is on PATH, or name the folder of its mpi.h with "
                      "--compiler-options -I…");
    return false;
}

static void world_begin(World *world)
{
    uint32_t n = world->options->n_processes, *members = arena_new_array(world->all.arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    *vec_push(&world->comms) = (Comm){.name = "MPI_COMM_WORLD", .n_members = n, .members = members};
    handles_read(world);
}

static void world_end(World *world)
{
    Generator *all = &world->all;
    vec_free(&world->comms);
    vec_free(&world->predefined);
    vec_free(&world->exchanges);
    vec_free(&world->sub_costs);
    vec_free(&world->amounts);
    map_free(&world->is_loud);
    map_free(&world->asked);
    vec_free(&all->parameters);
    vec_free(&all->findings);
    vec_free(&all->names);
    vec_free(&all->subs);
    vec_free(&all->made);
    vec_free(&all->calls);
    vec_free(&all->assigned_globals);
    vec_free(&all->orders);
    vec_free(&all->fixed);
}

/* Findings of models that were made to know what a function returns may concern nothing that runs. */
static void keep_asked(World *world)
{
    Generator *all = &world->all;
    size_t kept = 0;
    for (size_t i = 0; i < all->findings.count; i++) {
        const char *name = all->findings.items[i].parameter;
        if (!name || names_get(&world->asked, name))
            all->findings.items[kept++] = all->findings.items[i];
    }
    all->findings.count = kept;
}

static Processes *result_of(World *world, const Activity *const *activities, const size_t *counts, Arena *arena)
{
    keep_asked(world);
    Processes *made = arena_alloc(arena, sizeof *made);
    made->source = events_source(world, activities, counts, arena);
    made->n_findings = world->all.findings.count;
    made->findings = vec_copy(&world->all.findings, arena);
    made->n_amounts = world->amounts.count;
    made->amounts = vec_copy(&world->amounts, arena);
    return made;
}

bool processes_of_source(const ProcessesOptions *options, Arena *arena, Processes **processes, Err *err)
{
    const SourceProgram *program = options->program;
    const AnalysisOptions how = {.for_context = options->for_context};
    if (!program && !processes_read(&options->source, arena, &program, err))
        return false;
    World world = {.options = options,
                   .all = {.program = program,
                           .options = &how,
                           .space = expr_space_new(arena),
                           .arena = arena,
                           .err = err,
                           .emit_list = emit_list,
                           .sub_make = sub_make}};
    const SourceFunction *entry = source_find(program, options->source.entry);
    const Activity **activities = arena_new_array(arena, const Activity *, options->n_processes);
    size_t *counts = arena_new_array(arena, size_t, options->n_processes);
    world_begin(&world);
    if (entry && how.for_context) {
        recycling_find(program, entry);
        world.array_bytes = arrays_bytes(&world.all, entry);
    }
    bool ok = entry ? run_all(&world, entry, activities, counts)
                    : err_set(err, ERR_INPUT, "%s: the source has no function `%s` with a body", options->source.file,
                              options->source.entry);
    if (ok)
        *processes = result_of(&world, activities, counts, arena);
    world_end(&world);
    return ok;
}
