/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether a task graph can run to its end (graph_check_waits() in graph.h). Runs tasks in
 * turn, each until it waits, and only counts messages. */
#include "base/text.h"
#include "model/traffic.h"
#include "placement/graph/graph.h"

/* Most steps to run, which takes some seconds. */
#define MOST_STEPS ((uint64_t)1 << 25)

/* Most names in an error message. */
enum { NAMES_SHOWN = 8 };

typedef struct Frame {
    const Step *steps;
    uint32_t n_steps, at;
    uint64_t left; /* iterations left, the current one included */
} Frame;

typedef struct Walker {
    VEC(Frame) frames; /* the innermost loop last */
    bool waits;
    bool is_queued;
    uint32_t waits_for;
} Walker;

typedef struct Walk {
    const TaskGraph *graph;
    Walker *walkers;
    VEC(uint32_t) ready; /* a stack */
    uint64_t steps_left;
    TrafficTable traffic;
} Walk;

static void make_ready(Walk *walk, uint32_t task)
{
    if (!walk->walkers[task].is_queued)
        *vec_push(&walk->ready) = task;
    walk->walkers[task].is_queued = true;
}

/* The next step that isn't a loop; NULL: there is none. The caller advances the frame's `at`. */
static const Step *next_step(Walker *walker)
{
    while (walker->frames.count) {
        Frame *frame = &walker->frames.items[walker->frames.count - 1];
        if (frame->at < frame->n_steps) {
            const Step *step = &frame->steps[frame->at];
            if (step->kind != STEP_LOOP)
                return step;
            frame->at++;
            *vec_push(&walker->frames) = (Frame){step->body, step->n_body, 0, step->times};
        } else if (--frame->left) {
            frame->at = 0;
        } else {
            walker->frames.count--;
        }
    }
    return NULL;
}

static void run_task(Walk *walk, uint32_t task)
{
    Walker *walker = &walk->walkers[task];
    walker->waits = walker->is_queued = false;
    for (const Step *step; walk->steps_left && (step = next_step(walker));
         walker->frames.items[walker->frames.count - 1].at++, walk->steps_left--) {
        if (step->kind == STEP_SEND) {
            const Walker *peer = &walk->walkers[step->peer];
            traffic_between(&walk->traffic, task, step->peer)->sent++;
            if (peer->waits && peer->waits_for == task)
                make_ready(walk, step->peer);
        } else if (step->kind == STEP_RECV) {
            Traffic *traffic = traffic_between(&walk->traffic, step->peer, task);
            if (traffic->sent <= traffic->received) {
                walker->waits = true;
                walker->waits_for = step->peer;
                return;
            }
            traffic->received++;
        }
    }
}

/* Names the circle of waits that a waiting task leads to. */
static bool name_circle(const Walk *walk, uint32_t task, Err *err)
{
    const Task *tasks = walk->graph->tasks;
    for (uint32_t i = 0; i < walk->graph->n_tasks; i++)
        task = walk->walkers[task].waits_for;
    Text text = {0};
    uint32_t at = task, n = 0;
    do {
        if (n < NAMES_SHOWN)
            text_add(&text, "%s`%.80s` for `%.80s`", n ? ", " : "", tasks[at].name,
                     tasks[walk->walkers[at].waits_for].name);
        n++;
        at = walk->walkers[at].waits_for;
    } while (at != task);
    if (n > NAMES_SHOWN)
        text_add(&text, " … (%u tasks)", n);
    err_set(err, ERR_INPUT, "tasks wait for each other's messages in a circle: %.*s", (int)text.bytes.count,
            text.bytes.items);
    vec_free(&text.bytes);
    return err_hint(err, "each of these tasks receives before it sends");
}

bool graph_check_waits(const TaskGraph *graph, bool *is_whole, Err *err)
{
    uint32_t n = graph->n_tasks;
    Walk walk = {.graph = graph, .walkers = memory_zeroed(n, sizeof(Walker)), .steps_left = MOST_STEPS};
    for (uint32_t i = n; i-- > 0;) {
        *vec_push(&walk.walkers[i].frames) = (Frame){graph->tasks[i].steps, graph->tasks[i].n_steps, 0, 1};
        make_ready(&walk, i);
    }
    while (walk.ready.count && walk.steps_left)
        run_task(&walk, walk.ready.items[--walk.ready.count]);
    bool ok = true;
    if (is_whole)
        *is_whole = walk.steps_left > 0;
    for (uint32_t i = 0; ok && walk.steps_left && i < n; i++)
        ok = !walk.walkers[i].waits || name_circle(&walk, i, err);
    for (uint32_t i = 0; i < n; i++)
        vec_free(&walk.walkers[i].frames);
    free(walk.walkers);
    vec_free(&walk.ready);
    traffic_free(&walk.traffic);
    return ok;
}
