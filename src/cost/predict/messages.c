/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of messages from the paths of a machine model. A path connects hosts, but a choice of
 * machines names kinds. If several paths are possible, the interval contains all of them. Of several
 * configurations, the fastest is taken. */
#include "cost/predict/numbers.h"

#include <math.h>
#include <string.h>

#define TYPICAL_BYTES 8192.0 /* configurations are compared by a message of this size, as by `firma map` */
#define MASTER_HOST 0        /* the first host is the one where the measurement was started */

static bool is_of_kind(const Numbers *numbers, uint32_t host, const char *index)
{
    if (strcmp(index, "master") == 0)
        return host == MASTER_HOST;
    const MachineModel *machine = numbers->options->machine;
    for (size_t i = 0; i < numbers->platform->n_groups; i++) {
        const CpuModel *cpu = machine_find_processor(machine, numbers->kinds[i]);
        if (strcmp(numbers->platform->groups[i].kind, index) != 0 || !cpu)
            continue;
        for (uint32_t j = 0; j < cpu->n_hosts; j++)
            if (strcmp(cpu->hosts[j], machine->hosts[host].name) == 0)
                return true;
        if (cpu->n_hosts == 0 && strcmp(cpu->name, machine->hosts[host].name) == 0)
            return true;
    }
    return false;
}

static uint64_t machines_of(const Numbers *numbers, const char *index)
{
    uint64_t n = 0;
    for (size_t i = 0; i < numbers->platform->n_groups; i++)
        if (strcmp(numbers->platform->groups[i].kind, index) == 0)
            n += numbers->platform->groups[i].n_machines;
    return n;
}

/* Whether the path has the configuration of --configuration, as far as that is given. */
static bool is_configured(const Numbers *numbers, const MachinePath *path)
{
    const char *const words[] = {path->configuration.middleware, path->configuration.transport,
                                 path->configuration.packing};
    const char *rest = numbers->options->configuration;
    for (size_t i = 0; rest && *rest && i < 3; i++) {
        size_t length = strcspn(rest, " ");
        if (strlen(words[i]) != length || memcmp(words[i], rest, length) != 0)
            return false;
        rest += length + strspn(rest + length, " ");
    }
    return !rest || !*rest;
}

typedef enum Fit {
    /* Between the two kinds: within a host if they are one machine, else between hosts. */
    FIT_MEANT,
    FIT_ANY_HOSTS /* between any two hosts */
} Fit;

static bool fits(const Numbers *numbers, const MachinePath *path, const char *a, const char *b, Fit fit)
{
    uint32_t from = path->from_host, to = path->to_host;
    if (!is_configured(numbers, path))
        return false;
    if (fit == FIT_ANY_HOSTS)
        return from != to;
    /* If a kind's only machine is the master's host, all its messages stay on it. */
    const char *other = strcmp(a, "master") == 0 ? b : a;
    bool stays = machines_of(numbers, other) == 1 && is_of_kind(numbers, MASTER_HOST, other) &&
                 (strcmp(a, "master") == 0 || strcmp(a, b) == 0);
    if (stays)
        return from == MASTER_HOST && to == MASTER_HOST;
    bool is_between = (is_of_kind(numbers, from, a) && is_of_kind(numbers, to, b)) ||
                      (is_of_kind(numbers, from, b) && is_of_kind(numbers, to, a));
    return from != to && is_between;
}

static void add_path(const Numbers *numbers, const MachinePath *path, MessageCost *cost)
{
    for (uint32_t i = 0; i < path->n_segments; i++) {
        bool ends_before =
            i + 1 < path->n_segments && (double)path->segments[i + 1].from_bytes <= numbers->message_bytes.low;
        if (ends_before || (double)path->segments[i].from_bytes > numbers->message_bytes.high)
            continue;
        const Estimated *latency_s = &path->segments[i].latency_s, *s_per_byte = &path->segments[i].s_per_byte;
        cost->alpha_s = interval_hull(cost->alpha_s, (Interval){latency_s->low, latency_s->high});
        cost->beta_s = interval_hull(cost->beta_s, (Interval){s_per_byte->low, s_per_byte->high});
    }
}

static bool same_configuration(const MachinePath *a, const MachinePath *b)
{
    return strcmp(a->configuration.middleware, b->configuration.middleware) == 0 &&
           strcmp(a->configuration.transport, b->configuration.transport) == 0 &&
           strcmp(a->configuration.packing, b->configuration.packing) == 0;
}

/* The least time of a typical message of the middleware, within hosts or between hosts. Infinite:
 * none was measured. */
static double fastest_of(const MachineModel *machine, const char *middleware, bool within)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        if ((path->from_host == path->to_host) == within && path->n_segments &&
            (!middleware || strcmp(path->configuration.middleware, middleware) == 0))
            least = fmin(least, machine_message_s(path, TYPICAL_BYTES));
    }
    return least;
}

/* The MPI with the fastest messages, within hosts and between them, as `firma map` takes it. NULL:
 * no MPI has both, as far as the machine model has both. */
static const char *fastest_middleware(const MachineModel *machine)
{
    bool has_within = fastest_of(machine, NULL, true) < INFINITY,
         has_between = fastest_of(machine, NULL, false) < INFINITY;
    double least = INFINITY;
    const char *best = NULL;
    for (size_t i = 0; i < MIDDLEWARES; i++) {
        const char *name = comm_middlewares[i].name;
        if (!comm_middlewares[i].is_mpi)
            continue;
        double time_s =
            (has_within ? fastest_of(machine, name, true) : 0) + (has_between ? fastest_of(machine, name, false) : 0);
        if (time_s < least) {
            least = time_s;
            best = name;
        }
    }
    return best;
}

/* The fastest of the paths that fit, of one middleware; NULL: of any. */
static const MachinePath *fastest_path(const Numbers *numbers, const char *a, const char *b, Fit fit,
                                       const char *middleware)
{
    const MachineModel *machine = numbers->options->machine;
    const MachinePath *best = NULL;
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        if (fits(numbers, path, a, b, fit) && path->n_segments &&
            (!middleware || strcmp(path->configuration.middleware, middleware) == 0) &&
            (!best || machine_message_s(path, TYPICAL_BYTES) < machine_message_s(best, TYPICAL_BYTES)))
            best = path;
    }
    return best;
}

/* Adds the paths that fit. Of several configurations, takes the fastest. */
static size_t collect(const Numbers *numbers, const char *a, const char *b, Fit fit, MessageCost *cost)
{
    const MachineModel *machine = numbers->options->machine;
    const char *middleware = fastest_middleware(machine);
    const MachinePath *best = middleware ? fastest_path(numbers, a, b, fit, middleware) : NULL;
    size_t n = 0;
    best = best ? best : fastest_path(numbers, a, b, fit, NULL);
    *cost = (MessageCost){{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, NULL, NULL};
    for (uint32_t i = 0; best && i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        if (!fits(numbers, path, a, b, fit))
            continue;
        if (same_configuration(best, path)) {
            add_path(numbers, path, cost);
            n++;
        } else if (!cost->chosen) {
            cost->chosen = arena_printf(numbers->arena, "%s is the fastest; -c NAME takes another",
                                        comm_configuration_name(&best->configuration, numbers->arena));
        }
    }
    return n;
}

bool messages_find(const Numbers *numbers, const char *first, const char *second, MessageCost *cost, Err *err)
{
    if (collect(numbers, first, second, FIT_MEANT, cost))
        return true;
    size_t n = collect(numbers, first, second, FIT_ANY_HOSTS, cost);
    cost->assumed = "as between any two hosts: the machine model doesn't say which hosts are of this kind";
    return n ||
           err_set(err, ERR_INPUT, "the machine model lacks the cost of messages between %s and %s%s%s", first, second,
                   numbers->options->configuration ? " by " : "",
                   numbers->options->configuration ? numbers->options->configuration : "") ||
           err_hint(err, "measure messages with `firma comm`, name the kind's hosts in its member `hosts`, or "
                         "leave messages out with --no-messages");
}

bool messages_own(const Numbers *numbers, MessageCost *cost)
{
    const MachineModel *machine = numbers->options->machine;
    bool within = fastest_of(machine, NULL, false) == INFINITY;
    const char *middleware = fastest_middleware(machine);
    const MachinePath *best = NULL;
    for (uint32_t i = 0; i < machine->n_paths; i++) {
        const MachinePath *path = &machine->paths[i];
        bool fits =
            is_configured(numbers, path) && path->n_segments && (path->from_host == path->to_host) == within &&
            (numbers->options->configuration || !middleware || strcmp(path->configuration.middleware, middleware) == 0);
        if (fits && (!best || machine_message_s(path, TYPICAL_BYTES) < machine_message_s(best, TYPICAL_BYTES)))
            best = path;
    }
    *cost = (MessageCost){{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, NULL, NULL};
    if (!best)
        return false;
    add_path(numbers, best, cost);
    cost->chosen = comm_configuration_name(&best->configuration, numbers->arena);
    return true;
}

static const Interval everything = {0, 9e18};

/* Sizes may depend on enclosing loops: an index is bound to its whole range. */
static void include_sizes(Numbers *numbers, const PamelaNode *node, Interval *hull)
{
    Interval low, high, size;
    Err ignored;
    size_t bound = numbers->bindings.count;
    if (node->kind == PAMELA_SEND)
        *hull =
            interval_hull(*hull, numbers_evaluate(numbers, node->amount, &size, NULL, &ignored) ? size : everything);
    if (node->kind == PAMELA_CALL) {
        const PamelaSub *sub = pamela_find(numbers->model, node->name);
        if (sub->n_parameters == 0)
            include_sizes(numbers, sub->body, hull);
    }
    if ((node->kind == PAMELA_PAR || node->kind == PAMELA_SEQ) &&
        numbers_evaluate(numbers, node->from, &low, NULL, &ignored) &&
        numbers_evaluate(numbers, node->to, &high, NULL, &ignored) && low.low <= high.high)
        *vec_push(&numbers->bindings) = (ExprBinding){node->name, {low.low, high.high}};
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i])
            include_sizes(numbers, node->children[i], hull);
    numbers->bindings.count = bound;
}

static bool sends_within(const PamelaNode *node)
{
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i] && sends_within(node->children[i]))
            return true;
    return node->kind == PAMELA_SEND;
}

void messages_sizes(Numbers *numbers)
{
    const PamelaModel *model = numbers->model;
    Interval hull = {INFINITY, -INFINITY};
    include_sizes(numbers, model->subs[model->n_subs - 1].body, &hull);
    for (size_t i = 0; i + 1 < model->n_subs; i++)
        if (model->subs[i].n_parameters && sends_within(model->subs[i].body))
            hull = everything;
    numbers->message_bytes = hull.low <= hull.high ? hull : everything;
    numbers->sizes_are_known = true;
}
