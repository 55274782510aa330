/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of ordering methods, and what they report. */
#include "signature/order/order.h"

#include "signature/order/engine.h"

static const OrderMethod *const METHODS[] = {&order_pas2p, &order_lamport};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

const OrderMethod *order_method(const char *name)
{
    for (size_t i = 0; i < METHOD_COUNT; i++)
        if (strcmp(METHODS[i]->name, name) == 0)
            return METHODS[i];
    return NULL;
}

const char *order_method_names(Arena *arena)
{
    const char *names = METHODS[0]->name;
    for (size_t i = 1; i < METHOD_COUNT; i++)
        names = arena_printf(arena, "%s, %s", names, METHODS[i]->name);
    return names;
}

static bool comes_before(const OrderProblem *a, const OrderProblem *b)
{
    if (a->event.enter_ns != b->event.enter_ns)
        return a->event.enter_ns < b->event.enter_ns;
    if (a->process != b->process)
        return a->process < b->process;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    if (a->event.peer != b->event.peer)
        return a->event.peer < b->event.peer;
    if (a->event.comm != b->event.comm)
        return a->event.comm < b->event.comm;
    return a->event.tag < b->event.tag;
}

/* Keeps the earliest by physical time, whatever the order in which they are found. */
void order_report_problem(OrderReport *report, OrderProblemKind kind, uint32_t process, const Event *event)
{
    enum { LIMIT = sizeof report->problems / sizeof *report->problems };
    OrderProblem problem = {kind, process, queued_original(event)};
    size_t n = report->n_problems < LIMIT ? (size_t)report->n_problems : LIMIT;
    report->n_problems++;
    if (n == LIMIT) {
        if (!comes_before(&problem, &report->problems[LIMIT - 1]))
            return;
        n--;
    }
    for (; n && comes_before(&problem, &report->problems[n - 1]); n--)
        report->problems[n] = report->problems[n - 1];
    report->problems[n] = problem;
}

bool order_trace(const OrderMethod *method, EventSource *source, TickSink *sink, const OrderOptions *options,
                 const Progress *progress, Arena *arena, OrderReport *report, Err *err)
{
    uint32_t n_processes = source->trace->application.n_processes;
    if (!n_processes)
        return err_set(err, ERR_INPUT, "the trace has no processes");
    OrderReport result = {.processes = arena_new_array(arena, ProcessSpan, n_processes)};
    if (!order_run(method, source, sink, options, progress, &result, err))
        return false;
    *report = result;
    return true;
}
