/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports events that could not be ordered as the method asks. */
#include "signature/order/engine.h"

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

/* Keeps the problems that are earliest in physical time, in whatever order they are found. */
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
