/* SPDX-License-Identifier: BSD-3-Clause */
/* See waits.h. A receive has the send's logical time plus one, and a process sends at most once at a
 * logical time. So the last two sends of each process are enough to find a receive's send. */
#include "signature/profile/waits.h"

#include "base/map.h"
#include "base/vec.h"
#include "model/signature.h"
#include "signature/profile/by_occurrence.h"
#include <stdlib.h>
#include <string.h>

/* Of a process: receives of one call come at different ticks; waits are mostly for the same few processes. */
enum { CALLS_KEPT = 64, CAUSES_KEPT = 64 };

/* A call, by its entry and return. */
typedef struct CallWait {
    int64_t enter_ns, leave_ns;
    int64_t waited_ns; /* the longest wait of its events so far */
} CallWait;

typedef struct SendSeen {
    uint64_t lt, place;
    uint32_t peer;
    int64_t enter_ns, leave_ns;
} SendSeen;

/* The number of a cause, kept to spare most searches. */
typedef struct KeptCause {
    uint32_t cause, number; /* number: in `causes`, from 1; 0: none */
} KeptCause;

typedef struct Waiting {
    SendSeen sends[2];
    KeptCause kept[N_WAITS][CAUSES_KEPT]; /* by the cause's last bits */
    uint16_t tags[CALLS_KEPT];            /* of the calls, by which a search sees at once that a call is new */
    CallWait calls[CALLS_KEPT];
    uint32_t next_call;
} Waiting;

typedef VEC(const OccurrenceStart *) KnownStarts;

typedef struct Finding {
    uint32_t n; /* processes */
    Waiting *processes;
    ByOccurrence *sorter;     /* items are PhaseTimes */
    const LogicalEvent **row; /* [n] scratch */
    Map rows;                 /* phase -> its number in `times` */
    uint32_t last_phase;      /* whose row was found last; 0: none */
    size_t last_row;
    VEC(PhaseTime) times; /* [n] for each phase */
    PhaseTime *outside;   /* [n] */
    Map cause_numbers;
    VEC(WaitCause) causes;
    int64_t waited_ns[CALL_KIND_COUNT];
    const KnownOccurrences *known; /* NULL: they are found while the trace is read */
    KnownStarts *known_starts;     /* [n] */
    ActivityRecord *record;        /* NULL: nobody wants to know who does what when */
} Finding;

static void add_time(PhaseTime *sum, const PhaseTime *time)
{
    sum->compute_ns += time->compute_ns;
    sum->mpi_ns += time->mpi_ns;
    for (int i = 0; i < N_WAITS; i++)
        sum->waits_ns[i] += time->waits_ns[i];
}

/* ---- events ---- */

static void take_time(void *self, uint32_t process, const OccurrenceStart *start, const void *item);

static int64_t clamp(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The last start at the place or before it; NULL: outside of all occurrences. */
static const OccurrenceStart *known_start(const Finding *finding, uint32_t process, uint64_t place)
{
    const KnownStarts *starts = &finding->known_starts[process];
    size_t at = 0;
    vec_bisect(at, starts->count, starts->items[at]->send_event <= place);
    bool is_outside = place == BEFORE_ALL || !at || place + 1 >= finding->known->n_events[process];
    return is_outside ? NULL : starts->items[at - 1];
}

static PhaseTime weighted(const PhaseTime *time, double weight)
{
    PhaseTime scaled = {.compute_ns = (int64_t)((double)time->compute_ns * weight),
                        .mpi_ns = (int64_t)((double)time->mpi_ns * weight)};
    for (int i = 0; i < N_WAITS; i++)
        scaled.waits_ns[i] = (int64_t)((double)time->waits_ns[i] * weight);
    return scaled;
}

static void add_item(Finding *finding, uint32_t process, uint64_t place, const PhaseTime *time)
{
    if (!finding->known) {
        PhaseTime *last = by_occurrence_last(finding->sorter, process, place);
        if (last)
            add_time(last, time);
        else
            by_occurrence_add(finding->sorter, process, place, time);
        return;
    }
    const OccurrenceStart *start = known_start(finding, process, place);
    const PhaseTime scaled = start ? weighted(time, finding->known->weights[start->occurrence]) : *time;
    take_time(finding, process, start, &scaled);
}

/* The number of occurrences that the one at the place stands for. */
static double weight_at(const Finding *finding, uint32_t process, uint64_t place)
{
    const OccurrenceStart *start = finding->known ? known_start(finding, process, place) : NULL;
    return start ? finding->known->weights[start->occurrence] : 1;
}

static WaitCause *find_cause(Finding *finding, uint32_t process, uint32_t cause, WaitKind kind)
{
    KeptCause *kept = &finding->processes[process].kept[kind][cause % CAUSES_KEPT];
    if (kept->number && kept->cause == cause)
        return &finding->causes.items[kept->number - 1];
    size_t at =
        map_number(&finding->cause_numbers, (MapKey){(uint64_t)process << 32 | cause, kind}, finding->causes.count);
    if (at == finding->causes.count)
        *vec_push(&finding->causes) = (WaitCause){process, cause, kind, 0, 0};
    *kept = (KeptCause){cause, (uint32_t)at + 1};
    return &finding->causes.items[at];
}

static void add_cause(Finding *finding, uint32_t process, uint32_t cause, WaitKind kind, double weight, int64_t time_ns)
{
    WaitCause *of = find_cause(finding, process, cause, kind);
    of->count += (uint64_t)(weight + 0.5);
    of->time_ns += (int64_t)(weight * (double)time_ns);
}

static void add_wait(Finding *finding, uint32_t process, uint64_t place, uint32_t cause, WaitKind kind, uint32_t call,
                     int64_t from_ns, int64_t to_ns)
{
    PhaseTime time = {0};
    int64_t time_ns = to_ns - from_ns;
    if (time_ns <= 0)
        return;
    if (finding->known && finding->known->waited)
        finding->known->waited(finding->known->self, process, from_ns, to_ns);
    if (finding->record)
        activity_add_wait(finding->record, process, from_ns, to_ns);
    double weight = weight_at(finding, process, place);
    time.waits_ns[kind] = time_ns;
    add_item(finding, process, place, &time);
    add_cause(finding, process, cause, kind, weight, time_ns);
    finding->waited_ns[call] += (int64_t)(weight * (double)time_ns);
}

static uint16_t call_tag(const LogicalEvent *event)
{
    return (uint16_t)((uint64_t)(event->enter_ns ^ event->leave_ns) * 0x9e3779b97f4a7c15u >> 48);
}

static bool has_tag(const Waiting *process, uint16_t tag)
{
    uint16_t found = 0;
    for (uint32_t i = 0; i < CALLS_KEPT; i++) /* without branches, so that the compiler compares many at once */
        found |= (uint16_t) - (process->tags[i] == tag);
    return found;
}

/* The event's call, and whether this is the call's first event. */
static CallWait *find_call(Waiting *process, const LogicalEvent *event, bool *is_new)
{
    uint16_t tag = call_tag(event);
    for (uint32_t i = 0; i < CALLS_KEPT && (i || has_tag(process, tag)); i++) {
        CallWait *call = &process->calls[(process->next_call + CALLS_KEPT - 1 - i) % CALLS_KEPT];
        if (call->enter_ns == event->enter_ns && call->leave_ns == event->leave_ns && call->leave_ns > call->enter_ns) {
            *is_new = false;
            return call;
        }
    }
    process->tags[process->next_call % CALLS_KEPT] = tag;
    CallWait *call = &process->calls[process->next_call++ % CALLS_KEPT];
    *call = (CallWait){event->enter_ns, event->leave_ns, 0};
    *is_new = true;
    return call;
}

static const SendSeen *find_send(const Waiting *sender, uint64_t lt, uint32_t receiver)
{
    for (int i = 0; i < 2; i++)
        if (sender->sends[i].leave_ns && sender->sends[i].lt == lt && sender->sends[i].peer == receiver)
            return &sender->sends[i];
    return NULL;
}

/* Waits in one call overlap, so a call waits as long as its longest one. */
static void take_receive(Finding *finding, uint64_t lt, const LogicalEvent *event, CallWait *call)
{
    uint32_t sender = comm_type_peer(event->type);
    const SendSeen *send =
        sender < finding->n && lt ? find_send(&finding->processes[sender], lt - 1, event->process) : NULL;
    if (!send)
        return;
    int64_t waited = clamp(send->enter_ns - event->enter_ns, event->leave_ns - event->enter_ns);
    if (waited > call->waited_ns) {
        add_wait(finding, event->process, place_of(event), sender, WAIT_LATE_SENDER, CALL_SEND,
                 event->enter_ns + call->waited_ns, event->enter_ns + waited);
        call->waited_ns = waited;
    }
    if (send->leave_ns > event->enter_ns)
        add_wait(finding, sender, send->place, event->process, WAIT_LATE_RECEIVER, CALL_SEND, send->enter_ns,
                 event->enter_ns);
}

static void take_event(Finding *finding, uint64_t lt, const LogicalEvent *event)
{
    Waiting *process = &finding->processes[event->process];
    bool is_new;
    CallWait *call = find_call(process, event, &is_new);
    const PhaseTime before = {.compute_ns = event->compute_ns}, in = {.mpi_ns = event->leave_ns - event->enter_ns};
    if (event->compute_ns)
        add_item(finding, event->process, place_before(event), &before);
    if (finding->record && event->compute_ns)
        activity_add_computation(finding->record, event->process, event->enter_ns, event->compute_ns);
    if (finding->record && is_new)
        activity_add_call(finding->record, event->process, event->enter_ns, event->leave_ns);
    if (is_new)
        add_item(finding, event->process, place_of(event), &in);
    if (comm_type_kind(event->type) == TYPE_SEND) {
        process->sends[0] = process->sends[1];
        process->sends[1] =
            (SendSeen){lt, event->number, comm_type_peer(event->type), event->enter_ns, event->leave_ns};
    } else if (comm_type_kind(event->type) == TYPE_RECV) {
        take_receive(finding, lt, event, call);
    }
}

/* ---- collectives ---- */

typedef enum Dependence { ON_ALL, ON_ROOT, ROOT_ON_ALL, ON_LOWER, ON_NOBODY } Dependence;

static Dependence dependence(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_SCAN:
    case COLLECTIVE_EXSCAN:
        return ON_LOWER;
    case COLLECTIVE_NEIGHBOR_ALLGATHER: /* their neighbours aren't known */
    case COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case COLLECTIVE_NEIGHBOR_ALLTOALL:
    case COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case COLLECTIVE_NEIGHBOR_ALLTOALLW:
    case COLLECTIVE_CREATE_HANDLE:
    case COLLECTIVE_DESTROY_HANDLE:
    case COLLECTIVE_OTHER:
        return ON_NOBODY;
    default:
        return collective_is_from_root(collective) ? ON_ROOT : collective_is_to_root(collective) ? ROOT_ON_ALL : ON_ALL;
    }
}

static const LogicalEvent *later(const LogicalEvent *a, const LogicalEvent *b)
{
    return !a || b->enter_ns > a->enter_ns ? b : a;
}

static void wait_for(Finding *finding, const LogicalEvent *event, const LogicalEvent *late)
{
    uint32_t call = CALL_COLLECTIVE + comm_type_of_collective(event->type);
    if (late)
        add_wait(finding, event->process, place_of(event), late->process, WAIT_COLLECTIVE, call, event->enter_ns,
                 late->enter_ns < event->leave_ns ? late->enter_ns : event->leave_ns);
}

/* One collective: its members by ascending process. */
static void take_collective(Finding *finding, const LogicalEvent *const *members, size_t count)
{
    const CommType type = members[0]->type;
    Dependence kind = dependence(comm_type_of_collective(type));
    uint32_t root = comm_type_peer(type) - 1;
    const LogicalEvent *last = NULL, *lower = NULL, *at_root = NULL;
    for (size_t i = 0; i < count; i++) {
        last = later(last, members[i]);
        if (members[i]->process == root)
            at_root = members[i];
    }
    for (size_t i = 0; i < count; i++) {
        const LogicalEvent *const late[] = {[ON_ALL] = last,
                                            [ON_ROOT] = at_root,
                                            [ROOT_ON_ALL] = members[i] == at_root ? last : NULL,
                                            [ON_LOWER] = lower,
                                            [ON_NOBODY] = NULL};
        wait_for(finding, members[i], late[kind]);
        lower = later(lower, members[i]);
    }
}

static int by_type(const void *left, const void *right)
{
    const LogicalEvent *a = *(const LogicalEvent *const *)left, *b = *(const LogicalEvent *const *)right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* The members of one collective are a tick's events of one type. */
static void take_collectives(Finding *finding, const LogicalEvent *events, size_t count)
{
    size_t n = 0, end;
    bool is_one = true;
    for (size_t i = 0; i < count; i++)
        if (comm_type_kind(events[i].type) == TYPE_COLLECTIVE)
            finding->row[n++] = &events[i];
    for (size_t i = 1; i < n; i++)
        is_one = is_one && finding->row[i]->type == finding->row[0]->type;
    if (!is_one)
        qsort(finding->row, n, sizeof *finding->row, by_type);
    for (size_t first = 0; first < n; first = end) {
        for (end = first + 1; end < n && finding->row[end]->type == finding->row[first]->type;)
            end++;
        take_collective(finding, &finding->row[first], end - first);
    }
}

/* How many events before its use what is known of a process is fetched into the cache. */
enum { RECORD_AHEAD = 8, END_AHEAD = 4 };

static void fetch_ahead(const Finding *finding, const LogicalEvent *events, size_t count, size_t at)
{
    if (at + RECORD_AHEAD < count) {
        const Waiting *process = &finding->processes[events[at + RECORD_AHEAD].process];
        __builtin_prefetch(process->sends);
        __builtin_prefetch(process->tags);
        __builtin_prefetch(&process->tags[CALLS_KEPT / 2]);
        by_occurrence_fetch_record(finding->sorter, events[at + RECORD_AHEAD].process);
    }
    if (at + END_AHEAD < count)
        by_occurrence_fetch_end(finding->sorter, events[at + END_AHEAD].process);
}

static bool take_tick(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    Finding *finding = self;
    (void)tick, (void)err;
    for (size_t i = 0; i < count; i++) {
        if (finding->sorter)
            fetch_ahead(finding, events, count, i);
        take_event(finding, lt, &events[i]);
    }
    take_collectives(finding, events, count);
    return true;
}

/* ---- occurrences ---- */

static PhaseTime *find_row(Finding *finding, uint32_t phase)
{
    size_t n_rows = finding->times.count / finding->n;
    if (phase != finding->last_phase)
        finding->last_row = map_number(&finding->rows, (MapKey){phase, 0}, n_rows);
    finding->last_phase = phase;
    for (uint32_t i = 0; finding->last_row == n_rows && i < finding->n; i++)
        *vec_push(&finding->times) = (PhaseTime){0};
    return &finding->times.items[finding->last_row * finding->n];
}

static void take_time(void *self, uint32_t process, const OccurrenceStart *start, const void *item)
{
    Finding *finding = self;
    PhaseTime *row = start ? find_row(finding, start->phase) : finding->outside;
    add_time(&row[process], item);
}

static bool take_occurrences(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    (void)err;
    by_occurrence_start(((Finding *)self)->sorter, starts, count);
    return true;
}

/* ---- results ---- */

static int by_time(const void *left, const void *right)
{
    const WaitCause *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return a->cause != b->cause ? (a->cause < b->cause ? -1 : 1) : (int)a->kind - (int)b->kind;
}

static void keep(Finding *finding, const Signature *signature, Arena *arena, Waits *waits)
{
    PhaseTime *times = arena_new_array(arena, PhaseTime, (size_t)signature->n_phases * finding->n);
    if (finding->sorter)
        by_occurrence_finish(finding->sorter);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        memcpy(&times[(size_t)i * finding->n], find_row(finding, signature->phases[i].id), finding->n * sizeof *times);
    if (finding->causes.count)
        qsort(finding->causes.items, finding->causes.count, sizeof *finding->causes.items, by_time);
    *waits = (Waits){.signature = signature,
                     .times = times,
                     .outside = arena_copy_array(arena, finding->outside, finding->n, sizeof *finding->outside),
                     .n_causes = finding->causes.count,
                     .causes = vec_copy(&finding->causes, arena)};
    memcpy(waits->waited_ns, finding->waited_ns, sizeof waits->waited_ns);
}

static Finding start_finding(uint32_t n)
{
    return (Finding){.n = n,
                     .processes = memory_zeroed(n, sizeof(Waiting)),
                     .row = memory_zeroed(n, sizeof(LogicalEvent *)),
                     .outside = memory_zeroed(n, sizeof(PhaseTime))};
}

static void free_finding(Finding *finding)
{
    if (finding->sorter)
        by_occurrence_free(finding->sorter);
    for (uint32_t i = 0; finding->known_starts && i < finding->n; i++)
        vec_free(&finding->known_starts[i]);
    free(finding->known_starts);
    free(finding->processes);
    free(finding->row);
    free(finding->outside);
    map_free(&finding->rows);
    map_free(&finding->cause_numbers);
    vec_free(&finding->times);
    vec_free(&finding->causes);
}

typedef struct KnownSink {
    TickSink sink;
    Finding *finding;
    uint64_t n_ticks;
} KnownSink;

static bool take_known_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count,
                            Err *err)
{
    KnownSink *known = (KnownSink *)sink;
    (void)kind;
    return take_tick(known->finding, known->n_ticks++, lt, events, count, err);
}

bool waits_find_known(EventSource *source, const Signature *signature, const KnownOccurrences *known,
                      const OrderOptions *options, Arena *arena, Waits *waits, Err *err)
{
    Finding finding = start_finding(source->trace->application.n_processes);
    KnownSink sink = {{.wants_receives = true, .tick = take_known_tick}, &finding, 0};
    OrderReport report;
    finding.known = known;
    finding.known_starts = memory_zeroed(finding.n, sizeof *finding.known_starts);
    for (size_t i = 0; i < known->n_starts; i++)
        *vec_push(&finding.known_starts[known->starts[i].process]) = &known->starts[i];
    bool ok = order_trace("pas2p", source, &sink.sink, options, NULL, arena, &report, err);
    if (ok)
        keep(&finding, signature, arena, waits);
    free_finding(&finding);
    return ok;
}

bool waits_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                ActivityRecord *record, const Progress *progress, Arena *arena, Waits *waits, Err *err)
{
    if (strcmp(parameters->order, "pas2p") != 0)
        return err_set(err, ERR_USAGE, "--order %s: waits are found in order pas2p alone", parameters->order);
    uint32_t n = source->trace->application.n_processes;
    Finding finding = start_finding(n);
    finding.record = record;
    finding.sorter = by_occurrence_new(n, sizeof(PhaseTime), take_time, &finding);
    const PhasesWatch watch = {.self = &finding, .tick = take_tick, .occurrences = take_occurrences};
    Signature *signature;
    OrderReport report;
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, &signature, &report, err);
    if (ok)
        keep(&finding, signature, arena, waits);
    free_finding(&finding);
    return ok;
}
