/* SPDX-License-Identifier: BSD-3-Clause */
/* T0, T1 … TR of random models on random machines, compared with executing the models loop by
 * loop. */
#include "base/text.h"
#include "cost/model/cost.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 300, DEPTH = 4, NAMES = 16 };

static const CostGroup all_groups[] = {{"old", 2, 1, 1}, {"fast", 2, 2, 1}, {"old", 1, 2, 2}};

static unsigned below(unsigned limit)
{
    return (unsigned)random() % limit;
}

/* ---- random models ---- */

typedef struct Draft {
    Text text;
    unsigned n_workers, n_indices; /* indices i1 … are in scope */
    bool is_processor[NAMES];      /* 1 … P */
} Draft;

static void add_processor(Draft *draft)
{
    for (unsigned i = 1; i <= draft->n_indices; i++)
        if (draft->is_processor[i] && below(2)) {
            text_add(&draft->text, "i%u", i);
            return;
        }
    text_add(&draft->text, "%u", 1 + below(draft->n_workers));
}

static void add_amount(Draft *draft)
{
    if (draft->n_indices && below(2))
        text_add(&draft->text, "(i%u + %u)", 1 + below(draft->n_indices), below(3));
    else
        text_add(&draft->text, "%u", 1 + below(5));
}

static void add_node(Draft *draft, unsigned depth);

static void add_loop(Draft *draft, unsigned depth)
{
    unsigned index = ++draft->n_indices, first = 1 + below(draft->n_workers);
    unsigned last = first + below(draft->n_workers - first + 1);
    text_add(&draft->text, "%s (i%u = %u, %u) { ", below(2) ? "par" : "seq", index, first, last);
    draft->is_processor[index] = true;
    add_node(draft, depth - 1);
    text_add(&draft->text, " }");
    draft->n_indices--;
}

static void add_two(Draft *draft, unsigned depth, const char *before, const char *between, const char *after)
{
    text_add(&draft->text, "%s", before);
    add_node(draft, depth - 1);
    text_add(&draft->text, "%s", between);
    add_node(draft, depth - 1);
    text_add(&draft->text, "%s", after);
}

static void add_leaf(Draft *draft)
{
    switch (below(6)) {
    case 0:
        text_add(&draft->text, "send[0, ");
        add_processor(draft);
        text_add(&draft->text, "](");
        add_amount(draft);
        text_add(&draft->text, ")");
        return;
    case 1:
        text_add(&draft->text, "use(disk, ");
        add_amount(draft);
        text_add(&draft->text, ")");
        return;
    case 2:
        text_add(&draft->text, "delay(");
        add_amount(draft);
        text_add(&draft->text, ")");
        return;
    case 3:
        text_add(&draft->text, "work[");
        add_processor(draft);
        text_add(&draft->text, "](");
        add_amount(draft);
        text_add(&draft->text, ")");
        return;
    case 4:
        text_add(&draft->text, "sum_int64");
        return;
    default:
        add_amount(draft);
        text_add(&draft->text, " sum_double[");
        add_processor(draft);
        text_add(&draft->text, "]");
    }
}

static void add_node(Draft *draft, unsigned depth)
{
    unsigned kind = depth && draft->n_indices < 4 ? below(8) : 7;
    if (kind < 3)
        add_loop(draft, depth);
    else if (kind == 3)
        add_two(draft, depth, "{ ", "; ", " }");
    else if (kind == 4)
        add_two(draft, depth, "{ { ", " } || { ", " } }");
    else if (kind == 5)
        add_two(draft, depth, "if (x, 1/4) { ", " } else { ", " }");
    else
        add_leaf(draft);
}

/* ---- executing a model ---- */

typedef struct Run {
    const PamelaModel *model;
    const CostPlatform *platform;
    ExprBinding names[NAMES];
    size_t n_names;
    /* The time to compute. T0 if all members are unset. */
    int machine; /* -1 none; 0 the master */
    bool is_link, is_disk;
} Run;

static const CostGroup *group_of(const CostPlatform *platform, int processor, int *machine)
{
    *machine = 0;
    if (processor == 0)
        return &platform->groups[0];
    for (size_t i = 0; i < platform->n_groups; i++) {
        const CostGroup *group = &platform->groups[i];
        int workers = (int)(group->n_machines * group->workers_each);
        if (processor <= workers) {
            *machine += 1 + (processor - 1) / (int)group->workers_each;
            return group;
        }
        processor -= workers;
        *machine += (int)group->n_machines;
    }
    fail_msg("no such processor");
    return NULL;
}

static double value_of(const Run *run, const Expr *expr)
{
    Interval value;
    Err err;
    if (!expr_evaluate(expr, run->names, run->n_names, &value, NULL, &err))
        fail_msg("%s", err.message);
    return value.low;
}

static double kind_cost(const CostGroup *group)
{
    return strcmp(group->kind, "old") == 0 ? 2 : 1;
}

static bool asks_time(const Run *run)
{
    return run->machine < 0 && !run->is_disk;
}

static double compute(const Run *run, int processor, double cost)
{
    int machine;
    cost *= kind_cost(group_of(run->platform, processor, &machine));
    return asks_time(run) || (!run->is_link && run->machine == machine) ? cost : 0;
}

static double go(Run *run, const PamelaNode *node, int processor);

static double loop(Run *run, const PamelaNode *node, int processor)
{
    int from = (int)value_of(run, node->from), to = (int)value_of(run, node->to);
    double all = 0;
    size_t n = run->n_names++;
    for (int i = from; i <= to; i++) {
        run->names[n] = (ExprBinding){node->name, {i, i}};
        double one = go(run, node->children[0], processor);
        all = node->kind == PAMELA_PAR && asks_time(run) ? fmax(all, one) : all + one;
    }
    run->n_names = n;
    return all;
}

static double call(Run *run, const PamelaNode *node, int processor)
{
    const PamelaSub *sub = pamela_find(run->model, node->name);
    Run inner = *run;
    inner.n_names = 0;
    for (size_t i = 0; i < sub->n_parameters; i++) {
        double value = value_of(run, node->arguments[i]);
        inner.names[inner.n_names++] = (ExprBinding){sub->parameters[i], {value, value}};
    }
    return go(&inner, sub->body, processor);
}

static double message(const Run *run, const PamelaNode *node)
{
    int machine, to = (int)value_of(run, node->to);
    double kind = kind_cost(group_of(run->platform, to, &machine));
    double cost = 10 * kind + value_of(run, node->amount) * 3 * kind;
    return asks_time(run) || (run->is_link && (run->machine == 0 || run->machine == machine)) ? cost : 0;
}

static double go(Run *run, const PamelaNode *node, int processor)
{
    double all = 0, q;
    double count = node->amount && node->kind != PAMELA_SEND ? value_of(run, node->amount) : 1;
    int where = node->processor ? (int)value_of(run, node->processor) : processor;
    switch (node->kind) {
    case PAMELA_SEQ:
    case PAMELA_PAR:
        return loop(run, node, processor);
    case PAMELA_IF:
        q = count;
        return q * go(run, node->children[0], processor) + (1 - q) * go(run, node->children[1], processor);
    case PAMELA_OPERATION:
        return compute(run, where, count * (strcmp(node->name, "sum_double") == 0 ? 1 : 5));
    case PAMELA_CALL:
        return count * call(run, node, where);
    case PAMELA_SEND:
        return message(run, node);
    case PAMELA_USE:
        return asks_time(run) || run->is_disk ? count : 0;
    case PAMELA_DELAY:
        return asks_time(run) ? count : 0;
    default:
        for (size_t i = 0; i < node->n_children; i++) {
            double one = go(run, node->children[i], processor);
            all = node->kind == PAMELA_PARALLEL && asks_time(run) ? fmax(all, one) : all + one;
        }
        return all;
    }
}

static double ask(const PamelaModel *model, const CostPlatform *platform, int machine, bool is_link, bool is_disk)
{
    Run run = {.model = model, .platform = platform, .machine = machine, .is_link = is_link, .is_disk = is_disk};
    return go(&run, model->subs[model->n_subs - 1].body, 1);
}

/* The largest load of all machines. */
static double ask_largest(const PamelaModel *model, const CostPlatform *platform, bool is_link)
{
    double most = is_link ? ask(model, platform, 0, true, false) : 0;
    int machine = 0;
    for (size_t i = 0; i < platform->n_groups; i++)
        for (uint32_t j = 0; j < platform->groups[i].n_machines; j++) {
            const CostGroup *group = &platform->groups[i];
            unsigned capacity = group->n_cores < group->workers_each ? group->n_cores : group->workers_each;
            most = fmax(most, ask(model, platform, ++machine, is_link, false) / (is_link ? 1 : capacity));
        }
    return most;
}

/* ---- comparing ---- */

static const ExprBinding machine_numbers[] = {
    {"t_sum_double[old]", {2, 2}}, {"t_sum_double[fast]", {1, 1}},  {"t_sum_int64[old]", {10, 10}},
    {"t_sum_int64[fast]", {5, 5}}, {"alpha[master,old]", {20, 20}}, {"alpha[master,fast]", {10, 10}},
    {"beta[master,old]", {6, 6}},  {"beta[master,fast]", {3, 3}},
};

static double number(const Expr *expr)
{
    Interval value;
    Err err;
    if (!expr_evaluate(expr, machine_numbers, sizeof machine_numbers / sizeof *machine_numbers, &value, NULL, &err))
        fail_msg("%s", err.message);
    return value.low + (value.high - value.low) / 2;
}

static double largest(const CostStage *stage, const char *what)
{
    double most = 0;
    for (size_t i = 0; i < stage->n_resources; i++)
        if (strncmp(stage->resources[i].name, what, strlen(what)) == 0)
            most = fmax(most, number(stage->resources[i].load));
    return most;
}

static void same(const char *text, const char *what, double found, double expected)
{
    if (fabs(found - expected) > 1e-9 * fmax(1, fabs(expected)))
        fail_msg("%s: found %.15g, expected %.15g in\n%s", what, found, expected, text);
}

static void compare(const char *text, const CostPlatform *platform)
{
    Arena *arena = arena_new();
    PamelaModel *model;
    CostApplication *application;
    CostExpressions *expressions;
    const PamelaModel *placed;
    Err err = {0};
    if (!pamela_parse("model", text, expr_space_new(arena), arena, &model, &err))
        fail_msg("%s in\n%s", err.message, text);
    cost_application_written(model, arena, &application);
    if (!cost_place(application, platform, NULL, &placed, &err) || !cost_of_placed(application, &expressions, &err))
        fail_msg("%s in\n%s", err.message, text);
    const CostStage *whole = &expressions->whole;
    double t0 = ask(model, platform, -1, false, false), processors = ask_largest(model, platform, false);
    double links = ask_largest(model, platform, true), disk = ask(model, platform, -1, false, true);
    same(text, "T0", number(whole->without_contention), t0);
    same(text, "processors", largest(whole, "processor"), processors);
    same(text, "links", largest(whole, "link"), links);
    same(text, "disk", largest(whole, "disk"), disk);
    same(text, "T", number(whole->time), fmax(fmax(t0, processors), fmax(links, disk)));
    assert_true(number(expressions->time) >= number(whole->time) * (1 - 1e-9));
    cost_application_end(application);
    arena_free(arena);
}

static void costs_are_those_of_the_model_run_through(void **state)
{
    srandom(20);
    for (unsigned i = 0; i < MODELS; i++) {
        const CostPlatform platform = {1 + below(3), all_groups, false, false};
        Draft draft = {.n_workers = (unsigned)cost_workers(&platform)};
        Arena *arena = arena_new();
        text_add(&draft.text, "work(m) = seq (i = 1, m) seq (j = i, m) sum_double\nmain = { ");
        add_node(&draft, DEPTH);
        text_add(&draft.text, "; ");
        add_node(&draft, DEPTH);
        text_add(&draft.text, " }\n");
        compare(text_take(&draft.text, arena), &platform);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_are_those_of_the_model_run_through)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
