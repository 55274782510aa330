/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds occurrences by counting send-like events (counted_starts() in windows.h). */
#include "signature/execute/windows.h"

#include "signature/execute/positions.h"
#include <assert.h>
#include <stdlib.h>

/* A process's part in each occurrence of a phase. */
typedef struct Part {
    uint64_t n_send_events;
    CommType first;
} Part;

typedef struct Counting {
    const Signature *signature;
    uint32_t n;         /* number of processes */
    Part *parts;        /* [n_phases][n] */
    uint32_t *sequence; /* [count] phase of each occurrence, as an index */
    uint64_t from, count;
} Counting;

static void fill_parts(Counting *counting)
{
    const Signature *signature = counting->signature;
    counting->parts = memory_zeroed((size_t)signature->n_phases * counting->n, sizeof(Part));
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_events; k++) {
            const PhaseEvent *event = &signature->phases[i].events[k];
            Part *part = &counting->parts[(size_t)i * counting->n + event->process];
            if (comm_type_kind(event->type) != TYPE_RECV && !part->n_send_events++)
                part->first = event->type;
        }
}

static void fill_sequence(Counting *counting)
{
    counting->count = signature_expand(counting->signature, counting->count, counting->sequence);
    for (uint64_t i = 0; i < counting->count; i++)
        counting->sequence[i] = signature_find_phase(counting->signature, counting->sequence[i]);
}

/* Calls visit for each process's part of each wanted occurrence, with the number of its first
 * send-like event. */
static void walk(const Counting *counting,
                 void (*visit)(void *self, uint64_t occurrence, uint32_t process, uint64_t number, const Part *part),
                 void *self)
{
    uint64_t *number = memory_zeroed(counting->n, sizeof *number);
    for (uint64_t k = 0; k < counting->count; k++) {
        assert(counting->sequence[k] < counting->signature->n_phases);
        const Part *parts = &counting->parts[(size_t)counting->sequence[k] * counting->n];
        for (uint32_t p = 0; p < counting->n; p++) {
            if (!parts[p].n_send_events)
                continue;
            if (k >= counting->from)
                visit(self, k, p, number[p], &parts[p]);
            number[p] += parts[p].n_send_events;
        }
    }
    free(number);
}

static void want(void *self, uint64_t occurrence, uint32_t process, uint64_t number, const Part *part)
{
    (void)occurrence, (void)part;
    positions_want(self, process, number);
}

typedef struct Starts {
    const Counting *counting;
    const Positions *positions;
    VEC(OccurrenceStart) list;
} Starts;

static void add_start(void *self, uint64_t occurrence, uint32_t process, uint64_t number, const Part *part)
{
    Starts *starts = self;
    const Position *position = positions_find(starts->positions, process, number);
    if (!position)
        return;
    const Phase *phase = &starts->counting->signature->phases[starts->counting->sequence[occurrence]];
    *vec_push(&starts->list) = (OccurrenceStart){
        occurrence, process, position->type == part->first ? phase->id : 0, position->enter_ns, number, 0, 0};
}

bool counted_starts(const Signature *signature, uint64_t from, uint64_t to, EventSource *source, Arena *arena,
                    const OccurrenceStart **starts, size_t *n_starts, Err *err)
{
    Counting counting = {.signature = signature, .n = signature->application.n_processes, .from = from, .count = to};
    Positions positions;
    counting.sequence = memory_resize(NULL, to * sizeof *counting.sequence);
    fill_parts(&counting);
    fill_sequence(&counting);
    positions_init(&positions, counting.n);
    walk(&counting, want, &positions);
    bool ok = positions_read(&positions, source, NULL, err);
    if (ok) {
        Starts found = {&counting, &positions, {0}};
        walk(&counting, add_start, &found);
        *starts = vec_copy(&found.list, arena);
        *n_starts = found.list.count;
        vec_free(&found.list);
    }
    positions_free(&positions);
    free(counting.sequence);
    free(counting.parts);
    return ok;
}
