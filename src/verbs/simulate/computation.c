/* SPDX-License-Identifier: BSD-3-Clause */
/* See computation.h. Two kinds of machines are as fast as their benchmarks (firma machine cpu) say. */
#include "verbs/simulate/computation.h"

#include "base/text.h"
#include "cli/option_values.h"
#include "model/machine.h"
#include "verbs/map/platform_options.h"
#include <string.h>

static struct {
    double speed;
    char *traced, *target;
} options = {.speed = 1};

const struct poptOption computation_option_table[] = {
    {"compute-speed", '\0', POPT_ARG_DOUBLE, &options.speed, 0,
     "all processors compute this many times as fast as the traced machine's", "FACTOR"},
    {"traced-cpu", '\0', OPTION_JSON, &options.traced, 0,
     "what computing costs on the traced machine (firma machine cpu): computation is scaled by what --target-cpu or "
     "--machine says of the other one",
     "FILE"},
    {"target-cpu", '\0', OPTION_JSON, &options.target, 0, "what computing costs on the simulated machine", "FILE"},
    POPT_TABLEEND};

const char *const computation_sources[] = {[AS_TRACED] = "as traced",
                                           [BY_TIMES] = "--times",
                                           [BY_SPEED] = "--compute-speed",
                                           [BY_BENCHMARKS] = "--traced-cpu",
                                           NULL};

const char *computation_options_given(void)
{
    return options.speed != 1 ? "--compute-speed"
           : options.traced   ? "--traced-cpu"
           : options.target   ? "--target-cpu"
                              : NULL;
}

/* NULL: none. */
static const char *target_file(void)
{
    return options.target ? options.target : platform_options_make_up() ? NULL : platform_options_file();
}

void computation_options_files(const char *files[COMPUTATION_FILES])
{
    files[0] = options.traced;
    files[1] = options.target;
}

bool computation_options_check(const char *times, Err *err)
{
    if (!(options.speed >= 1e-6 && options.speed <= 1e6))
        return err_set(err, ERR_USAGE, "--compute-speed: %g isn't a factor from 1e-6 to 1e6", options.speed);
    if (options.target && !options.traced)
        return err_set(err, ERR_USAGE, "--target-cpu needs --traced-cpu, to compare with");
    if (options.traced && !target_file())
        return err_set(err, ERR_USAGE, "--traced-cpu needs --target-cpu or --machine, to compare with");
    return !options.traced || (!times && options.speed == 1) ||
           err_set(err, ERR_USAGE, "--traced-cpu and %s both say how fast processors compute",
                   times ? "--times" : "--compute-speed");
}

static bool is_of_host(const CpuModel *cpu, const char *host)
{
    for (uint32_t i = 0; i < cpu->n_hosts; i++)
        if (strcmp(cpu->hosts[i], host) == 0)
            return true;
    return strcmp(cpu->name, host) == 0;
}

/* The only kind of machine in the file, or the host's. */
static bool find_kind(const char *path, const char *host, Arena *arena, const CpuModel **found, Err *err)
{
    MachineModel *machine;
    Text names = {0};
    if (!machine_load(path, arena, &machine, err))
        return false;
    *found = machine->n_processors == 1 ? &machine->processors[0] : NULL;
    for (uint32_t i = 0; i < machine->n_processors && !*found; i++)
        if (is_of_host(&machine->processors[i], host))
            *found = &machine->processors[i];
    if (*found)
        return true;
    if (!machine->n_processors)
        return err_set(err, ERR_INPUT, "%s: doesn't say what computing costs", path) ||
               err_hint(err, "firma machine cpu measures that");
    for (uint32_t i = 0; i < machine->n_processors; i++)
        text_add(&names, "%s%s", i ? ", " : "", machine->processors[i].name);
    return err_set(err, ERR_INPUT, "%s: holds several kinds of machines (%s), and it isn't known which one counts",
                   path, text_take(&names, arena)) ||
           err_hint(err, "give a file with one kind, or --speed NODE=FACTOR for each node");
}

/* How many times as fast as one kind the other one is, by the benchmarks of the first language that both have. */
static bool compare(const CpuModel *traced, const CpuModel *target, const char **language, double *speed, Err *err)
{
    for (uint32_t i = 0; i < traced->n_languages; i++) {
        const CpuCosts *costs = &traced->languages[i], *other = cpu_costs(target, costs->language);
        if (!other || !(costs->benchmark_s > 0) || !(other->benchmark_s > 0))
            continue;
        *language = costs->language;
        *speed = costs->benchmark_s / other->benchmark_s;
        return true;
    }
    return err_set(err, ERR_INPUT, "%s and %s: no language was measured on both", options.traced, target_file());
}

static bool find_ratio(const Trace *trace, Arena *arena, Computation *computation, Err *err)
{
    const CpuModel *traced, *target;
    const char *language = "";
    if (!find_kind(options.traced, trace->host ? trace->host : "", arena, &traced, err) ||
        !find_kind(target_file(), "", arena, &target, err) ||
        !compare(traced, target, &language, &computation->speed, err))
        return false;
    computation->source = BY_BENCHMARKS;
    computation->text = arena_printf(
        arena, "%.3g times as fast as in the trace, by the benchmarks in %s of %s (%s) and %s (%s)", computation->speed,
        strcmp(language, "c") == 0      ? "C"
        : strcmp(language, "java") == 0 ? "Java"
                                        : language,
        traced->name, options.traced, target->name, target_file());
    return true;
}

bool computation_find(const Trace *trace, const char *times, Arena *arena, Computation *computation, Err *err)
{
    *computation = (Computation){AS_TRACED, options.speed, "as in the trace"};
    if (options.traced)
        return find_ratio(trace, arena, computation, err);
    if (options.speed != 1) {
        computation->source = BY_SPEED;
        computation->text = arena_printf(arena, "%g times as fast as in the trace", options.speed);
    }
    if (times) {
        computation->text =
            arena_printf(arena, "scaled by %s, phase by phase%s%s", times, options.speed == 1 ? "" : ", then ",
                         options.speed == 1 ? "" : computation->text);
        computation->source = BY_TIMES;
    }
    return true;
}
