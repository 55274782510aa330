/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph_trace.h. */
#include "graph_trace.h"

typedef struct Running {
    MemoryTrace *trace;
    uint32_t process;
    int64_t unit_ns, compute_ns; /* compute_ns: since the latest event */
} Running;

static void add_event(Running *running, EventKind kind, const Step *step)
{
    memory_trace_add(running->trace, running->process,
                     (Event){.kind = (uint8_t)kind,
                             .peer = step ? step->peer : 0,
                             .bytes = step ? (uint64_t)step->bytes : 0,
                             .request = NO_REQUEST,
                             .compute_ns = running->compute_ns});
    running->compute_ns = 0;
}

static void run_steps(Running *running, const Step *steps, uint32_t n_steps)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        const Step *step = &steps[i];
        for (uint64_t k = 0; step->kind == STEP_LOOP && k < step->times; k++)
            run_steps(running, step->body, step->n_body);
        if (step->kind == STEP_COMPUTE)
            running->compute_ns += (int64_t)(step->seconds * (double)running->unit_ns);
        else if (step->kind != STEP_LOOP)
            add_event(running, step->kind == STEP_SEND ? EVENT_SEND : EVENT_RECV, step);
    }
}

MemoryTrace *trace_of_graph(const TaskGraph *graph, int64_t unit_ns)
{
    MemoryTrace *trace = memory_trace_new(graph->n_tasks);
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        Running running = {trace, i, unit_ns, 0};
        add_begin(trace, i);
        run_steps(&running, graph->tasks[i].steps, graph->tasks[i].n_steps);
        add_event(&running, EVENT_END, NULL);
    }
    return trace;
}
