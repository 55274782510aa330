/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the collectives of a trace, and expands them (collectives.h). Calls of one communicator
 * have the same *form* if operation, root and algorithm are equal. The n-th calls of all members
 * must have the same form. A call's share may differ between members. If an algorithm needs all
 * shares, the form stores each member's mean share. */
#include "placement/graph/collectives.h"

#include "base/map.h"
#include "base/vec.h"
#include "placement/graph/rules.h"
#include "placement/graph/steps.h"
#include <assert.h>

/* Most steps that calls become: in the folded graph, and with loops run through. (2·10⁸ steps can
 * be simulated.) */
#define STEPS_LIMIT 4e6
#define OPEN_STEPS_LIMIT 1e8

/* Most shares of members that are stored for algorithms that need all shares. */
enum { SHARES_LIMIT = 1 << 22 };

typedef struct Form {
    Collective collective;
    const CollectiveAlgorithm *algorithm; /* NULL: left out */
    uint32_t comm, root;                  /* root: its place in the communicator, or NO_ROOT */
    bool is_nonblocking;
    uint64_t n_calls; /* each with all members */
    double seconds;   /* in these calls, over all members */
    double steps, open_steps;
    MemberShare *shares; /* [n_members] sums, later means; NULL: not needed */
    uint64_t *n_shared;  /* [n_members] number of calls in the sums */
    double received;     /* by all members */
} Form;

/* A call with certain shares, which a step stands for. */
typedef struct Call {
    uint32_t form;
    MemberShare own;
} Call;

typedef struct CommCalls {
    VEC(uint32_t) forms; /* form of each call */
    bool is_disputed;    /* members disagree on their calls */
} CommCalls;

struct Collectives {
    const Trace *trace;
    CollectiveLibrary library;
    CommCalls *comms; /* [n_comms + 1] the last is for calls of processes that aren't members of
                         the communicator */
    Map form_of, call_of;
    VEC(Form) forms;
    VEC(Call) calls;
    uint64_t n_shares;
    /* of the current process: */
    uint32_t process;
    Map member_of; /* communicator -> number in members */
    VEC(struct Membership) members;
};

typedef struct Membership {
    uint32_t place; /* NO_PLACE: not a member */
    uint64_t n_calls;
} Membership;

#define NO_PLACE UINT32_MAX

Collectives *collectives_new(const Trace *trace, CollectiveLibrary library)
{
    Collectives *collectives = memory_zeroed(1, sizeof *collectives);
    collectives->trace = trace;
    collectives->library = library;
    collectives->comms = memory_zeroed((size_t)trace->n_comms + 1, sizeof(CommCalls));
    return collectives;
}

void collectives_free(Collectives *collectives)
{
    for (uint32_t i = 0; i <= collectives->trace->n_comms; i++)
        vec_free(&collectives->comms[i].forms);
    for (size_t i = 0; i < collectives->forms.count; i++) {
        free(collectives->forms.items[i].shares);
        free(collectives->forms.items[i].n_shared);
    }
    free(collectives->comms);
    map_free(&collectives->form_of);
    map_free(&collectives->call_of);
    map_free(&collectives->member_of);
    vec_free(&collectives->forms);
    vec_free(&collectives->calls);
    vec_free(&collectives->members);
    free(collectives);
}

/* ---- Taking calls ---- */

static uint32_t place_in(const Trace *trace, uint32_t comm, uint32_t process)
{
    if (comm >= trace->n_comms)
        return NO_PLACE;
    uint32_t place = comm_place(&trace->comms[comm], process);
    return place < trace->comms[comm].n_members ? place : NO_PLACE;
}

static Membership *membership_in(Collectives *collectives, uint32_t comm, uint32_t process)
{
    if (collectives->process != process) {
        map_free(&collectives->member_of);
        collectives->members.count = 0;
        collectives->process = process;
    }
    size_t number = map_number(&collectives->member_of, (MapKey){1, comm}, collectives->members.count);
    if (number == collectives->members.count)
        *vec_push(&collectives->members) = (Membership){place_in(collectives->trace, comm, process), 0};
    return &collectives->members.items[number];
}

static bool keeps_shares(Collectives *collectives, uint32_t n_members)
{
    if (collectives->n_shares + n_members > SHARES_LIMIT)
        return false;
    collectives->n_shares += n_members;
    return true;
}

static Form form_new(Collectives *collectives, Collective collective, const CollectiveAlgorithm *algorithm,
                     uint32_t comm, uint32_t root, bool is_nonblocking)
{
    Form form = {
        .collective = collective, .algorithm = algorithm, .comm = comm, .root = root, .is_nonblocking = is_nonblocking};
    uint32_t n_members = algorithm ? collectives->trace->comms[comm].n_members : 0;
    if (algorithm && collective_needs_shares(collective)) {
        if (!keeps_shares(collectives, n_members)) {
            form.algorithm = NULL;
        } else {
            form.shares = memory_zeroed(n_members, sizeof(MemberShare));
            form.n_shared = memory_zeroed(n_members, sizeof(uint64_t));
        }
    }
    return form;
}

static uint32_t find_form(Collectives *collectives, uint32_t comm, uint32_t place, const Event *event)
{
    bool is_nonblocking = event->request != NO_REQUEST;
    MemberShare own = {(double)event->bytes, (double)event->bytes_received};
    uint32_t n_members = place == NO_PLACE ? 0 : collectives->trace->comms[comm].n_members, root = NO_ROOT;
    Collective collective = (Collective)event->collective;
    const CollectiveAlgorithm *algorithm = collective_algorithm_in(
        collectives->library, collective, n_members ? &collectives->trace->comms[comm] : NULL, own);
    if (algorithm && collective_has_root(collective)) {
        root = event->peer == NO_ROOT ? NO_PLACE : place_in(collectives->trace, comm, event->peer);
        if (root == NO_PLACE)
            algorithm = NULL;
    }
    MapKey key = hash_word((MapKey){comm, root}, (uint64_t)event->collective << 1 | is_nonblocking);
    size_t number =
        map_number(&collectives->form_of, hash_word(key, (uint64_t)(uintptr_t)algorithm), collectives->forms.count);
    if (number == collectives->forms.count)
        *vec_push(&collectives->forms) = form_new(collectives, collective, algorithm, comm, root, is_nonblocking);
    return (uint32_t)number;
}

/* In a rooted collective of two groups, the root's own group doesn't name the root. */
static bool has_hidden_root(const Form *form, const Form *other)
{
    return form->collective == other->collective && form->is_nonblocking == other->is_nonblocking &&
           !(form->algorithm && other->algorithm);
}

/* Compares the process's next call on the communicator with the other members' call of the same
 * number. */
static void agree(Collectives *collectives, uint32_t comm, Membership *member, uint32_t form)
{
    CommCalls *calls = &collectives->comms[comm];
    assert(member->n_calls <= calls->forms.count);
    if (member->n_calls == calls->forms.count) {
        *vec_push(&calls->forms) = form;
        collectives->forms.items[form].n_calls++;
    } else if (calls->forms.items[member->n_calls] != form) {
        Form *first = &collectives->forms.items[calls->forms.items[member->n_calls]];
        Form *own = &collectives->forms.items[form];
        if (!has_hidden_root(first, own))
            calls->is_disputed = true;
        first->algorithm = own->algorithm = NULL;
    }
    member->n_calls++;
}

/* Numbers a step that stands for a call. Calls of a form are alike if the process's own share is. */
static uint32_t number_call(Collectives *collectives, const Call *call)
{
    const Form *form = &collectives->forms.items[call->form];
    MapKey key = hash_word(hash_word((MapKey){2, call->form}, (uint64_t)call->own.sent), (uint64_t)call->own.received);
    if (form->shares)
        key = (MapKey){3, call->form};
    size_t number = map_number(&collectives->call_of, key, collectives->calls.count);
    if (number == collectives->calls.count)
        *vec_push(&collectives->calls) = *call;
    return (uint32_t)number;
}

static void add_share(Form *form, uint32_t place, MemberShare own)
{
    form->shares[place].sent += own.sent;
    form->shares[place].received += own.received;
    form->n_shared[place]++;
}

bool collectives_take(Collectives *collectives, uint32_t process, const Event *event, Step *step)
{
    uint32_t comm = event->comm < collectives->trace->n_comms ? event->comm : collectives->trace->n_comms;
    Membership *member = membership_in(collectives, comm, process);
    if (member->place == NO_PLACE)
        member = membership_in(collectives, comm = collectives->trace->n_comms, process);
    uint32_t number = find_form(collectives, comm, member->place, event);
    Form *form = &collectives->forms.items[number];
    MemberShare own = {(double)event->bytes, (double)event->bytes_received};
    agree(collectives, comm, member, number);
    if (event->leave_ns > event->enter_ns)
        form->seconds += 1e-9 * (double)(event->leave_ns - event->enter_ns);
    if (!form->algorithm)
        return false;
    if (form->shares)
        add_share(form, member->place, own);
    const Call call = {number, form->shares ? (MemberShare){0} : own};
    *step = (Step){.kind = STEP_COLLECTIVE, .peer = number_call(collectives, &call), .times = 1};
    return true;
}

/* ---- Choosing ---- */

typedef struct Counter {
    MessageSink sink;
    double n;
} Counter;

static void count_message(MessageSink *sink, StepKind kind, uint32_t place, double bytes, bool blocks)
{
    (void)blocks;
    (void)kind;
    (void)place;
    (void)bytes;
    ((Counter *)sink)->n++;
}

static CollectivePart part_of(const Collectives *collectives, const Step *step, uint32_t process)
{
    const Call *call = &collectives->calls.items[step->peer];
    const Form *form = &collectives->forms.items[call->form];
    const Comm *comm = &collectives->trace->comms[form->comm];
    uint32_t place = place_in(collectives->trace, form->comm, process);
    return (CollectivePart){.n = comm->n_members,
                            .place = place,
                            .neighbours = comm->neighbours ? &comm->neighbours[place] : NULL,
                            .root = form->root,
                            .own = call->own,
                            .shares = form->shares,
                            .received = form->received,
                            .library = collectives->library};
}

static void put_call(const Collectives *collectives, const Step *step, uint32_t process, MessageSink *sink)
{
    const CollectivePart part = part_of(collectives, step, process);
    collectives->forms.items[collectives->calls.items[step->peer].form].algorithm->put_messages(&part, sink);
}

static void count_steps(Collectives *collectives, uint32_t process, const Step *steps, uint32_t n_steps, double runs)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            count_steps(collectives, process, steps[i].body, steps[i].n_body, runs * (double)steps[i].times);
        if (steps[i].kind != STEP_COLLECTIVE)
            continue;
        Form *form = &collectives->forms.items[collectives->calls.items[steps[i].peer].form];
        if (!form->algorithm)
            continue;
        Counter counter = {.sink = {count_message}};
        put_call(collectives, &steps[i], process, &counter.sink);
        form->steps += counter.n;
        form->open_steps += counter.n * runs;
    }
}

/* Turns the members' sums into means. */
static void finish_shares(const Collectives *collectives, Form *form)
{
    for (uint32_t i = 0; form->shares && i < collectives->trace->comms[form->comm].n_members; i++) {
        if (form->n_shared[i]) {
            form->shares[i].sent /= (double)form->n_shared[i];
            form->shares[i].received /= (double)form->n_shared[i];
        }
        form->received += form->shares[i].received;
    }
}

static int compare_steps(const void *left, const void *right)
{
    const Form *a = *(Form *const *)left, *b = *(Form *const *)right;
    if (a->open_steps < b->open_steps || a->open_steps > b->open_steps)
        return a->open_steps < b->open_steps ? -1 : 1;
    return (a > b) - (a < b);
}

static void leave_out_most_expensive(Collectives *collectives)
{
    size_t n = collectives->forms.count;
    Form **order = memory_zeroed(n + 1, sizeof *order);
    double steps = 0, open_steps = 0;
    for (size_t i = 0; i < n; i++)
        order[i] = &collectives->forms.items[i];
    qsort(order, n, sizeof *order, compare_steps);
    for (size_t i = 0; i < n; i++) {
        steps += order[i]->steps;
        open_steps += order[i]->open_steps;
        if (steps > STEPS_LIMIT || open_steps > OPEN_STEPS_LIMIT)
            order[i]->algorithm = NULL;
    }
    free(order);
}

void collectives_choose(Collectives *collectives, const Task *tasks, uint32_t n_tasks)
{
    for (size_t i = 0; i < collectives->forms.count; i++) {
        Form *form = &collectives->forms.items[i];
        finish_shares(collectives, form);
        if (collectives->comms[form->comm].is_disputed)
            form->algorithm = NULL;
    }
    for (uint32_t i = 0; i < n_tasks; i++)
        count_steps(collectives, i, tasks[i].steps, tasks[i].n_steps, 1);
    leave_out_most_expensive(collectives);
}

static bool leave_out(Collectives *collectives, bool nonblocking_alone)
{
    bool has_changed = false;
    for (size_t i = 0; i < collectives->forms.count; i++) {
        Form *form = &collectives->forms.items[i];
        if (!form->algorithm || (nonblocking_alone && !form->is_nonblocking))
            continue;
        form->algorithm = NULL;
        has_changed = true;
    }
    return has_changed;
}

bool collectives_leave_out_nonblocking(Collectives *collectives)
{
    return leave_out(collectives, true);
}

void collectives_leave_out_all(Collectives *collectives)
{
    leave_out(collectives, false);
}

bool collectives_may_lock(const Collectives *collectives)
{
    for (size_t i = 0; i < collectives->forms.count; i++)
        if (collectives->forms.items[i].algorithm && collectives->forms.items[i].is_nonblocking)
            return true;
    return false;
}

/* ---- Messages ---- */

typedef struct Expansion {
    MessageSink sink;
    const Collectives *collectives;
    uint32_t process;
    const Comm *comm; /* of the current call */
    uint64_t half;    /* of it: COLLECTIVE_WHOLE … */
    uint64_t runs;
    StepList *list;
    TrafficTable *traffic;
    TaskGraph *graph;
    Arena *arena;
} Expansion;

static void count_message_of(Expansion *expansion, const Step *step, uint64_t runs)
{
    if (step->kind == STEP_SEND)
        traffic_between(expansion->traffic, expansion->process, step->peer)->sent += runs;
    else if (step->kind == STEP_RECV)
        traffic_between(expansion->traffic, step->peer, expansion->process)->received += runs;
}

static void add_message(Expansion *expansion, const Step *step, uint64_t runs)
{
    count_message_of(expansion, step, runs);
    *vec_push(&expansion->list->steps) = *step;
}

static void put_message(MessageSink *sink, StepKind kind, uint32_t place, double bytes, bool blocks)
{
    Expansion *expansion = (Expansion *)sink;
    if (expansion->half == (kind == STEP_SEND ? COLLECTIVE_RECEIVES : COLLECTIVE_SENDS))
        return;
    if (kind == STEP_SEND) {
        expansion->graph->n_collective_messages += expansion->runs;
        expansion->graph->collective_bytes += bytes * (double)expansion->runs;
    }
    assert(place < expansion->comm->n_members);
    const Step step = {
        .kind = kind, .peer = expansion->comm->members[place], .bytes = bytes, .times = 1, .blocks = blocks};
    add_message(expansion, &step, expansion->runs);
}

static void expand_call(Expansion *expansion, const Step *step, uint64_t runs)
{
    const Collectives *collectives = expansion->collectives;
    const Form *form = &collectives->forms.items[collectives->calls.items[step->peer].form];
    if (!form->algorithm)
        return;
    expansion->comm = &collectives->trace->comms[form->comm];
    expansion->half = step->first;
    expansion->runs = runs;
    put_call(collectives, step, expansion->process, &expansion->sink);
}

static void expand_steps(Expansion *expansion, const Step *steps, uint32_t n_steps, uint64_t runs, StepList *list)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        const Step *step = &steps[i];
        expansion->list = list;
        if (step->kind == STEP_LOOP) {
            StepList body = {0};
            expand_steps(expansion, step->body, step->n_body, runs * step->times, &body);
            steps_add_loop(list, step->times, &body, expansion->arena);
        } else if (step->kind == STEP_COMPUTE) {
            steps_add_compute(list, step->seconds);
        } else if (step->kind == STEP_COLLECTIVE) {
            expand_call(expansion, step, runs);
        } else {
            add_message(expansion, step, runs);
        }
    }
}

static bool has_calls(const Step *steps, uint32_t n_steps)
{
    for (uint32_t i = 0; i < n_steps; i++)
        if (steps[i].kind == STEP_COLLECTIVE ||
            (steps[i].kind == STEP_LOOP && has_calls(steps[i].body, steps[i].n_body)))
            return true;
    return false;
}

static void count_traffic(Expansion *expansion, const Step *steps, uint32_t n_steps, uint64_t runs)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            count_traffic(expansion, steps[i].body, steps[i].n_body, runs * steps[i].times);
        else if (steps[i].kind != STEP_COMPUTE)
            count_message_of(expansion, &steps[i], runs);
    }
}

void collectives_expand(const Collectives *collectives, uint32_t process, Task *task, TrafficTable *traffic,
                        TaskGraph *graph, Arena *arena)
{
    StepList list = {0};
    Expansion expansion = {.sink = {put_message},
                           .collectives = collectives,
                           .process = process,
                           .traffic = traffic,
                           .graph = graph,
                           .arena = arena};
    if (!has_calls(task->steps, task->n_steps)) {
        count_traffic(&expansion, task->steps, task->n_steps, 1);
        return;
    }
    expand_steps(&expansion, task->steps, task->n_steps, 1, &list);
    task->steps = steps_take(&list, arena, &task->n_steps);
}

/* Whether the trace has only the sums of a member's parts, which may differ from pair to pair. */
static bool is_guessed(Collective collective)
{
    return collective == COLLECTIVE_ALLTOALLV || collective == COLLECTIVE_ALLTOALLW ||
           collective == COLLECTIVE_NEIGHBOR_ALLGATHERV || collective == COLLECTIVE_NEIGHBOR_ALLTOALLV ||
           collective == COLLECTIVE_NEIGHBOR_ALLTOALLW;
}

void collectives_count(const Collectives *collectives, TaskGraph *graph, double *left_out_s, double *guessed_s)
{
    graph->n_collectives = graph->n_collectives_left_out = 0;
    *guessed_s = 0;
    for (size_t i = 0; i < collectives->forms.count; i++) {
        const Form *form = &collectives->forms.items[i];
        if (form->algorithm) {
            graph->n_collectives += form->n_calls;
            *guessed_s += is_guessed(form->collective) ? form->seconds : 0;
        } else {
            graph->n_collectives_left_out += form->n_calls;
            *left_out_s += form->seconds;
        }
    }
}
