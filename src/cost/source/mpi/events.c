/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes did, as a source of events. Loops are run through while events are read. */
#include "cost/source/mpi/run.h"

/* A list of activities that is being read. */
typedef struct Level {
    const Activity *list;
    size_t count, next;
    uint64_t rest; /* further iterations */
} Level;

typedef struct Reader {
    Level whole; /* the process */
    bool has_begun;
    VEC(Level) levels; /* none before the first event, and behind the last one */
} Reader;

typedef struct SourceEvents {
    EventSource source; /* first */
    Reader *readers;    /* [processes] */
} SourceEvents;

static bool next_event(Reader *reader, Event *event)
{
    while (reader->levels.count) {
        Level *level = &reader->levels.items[reader->levels.count - 1];
        if (level->next == level->count && level->rest) {
            level->rest--;
            level->next = 0;
        } else if (level->next == level->count) {
            reader->levels.count--;
        } else if (level->list[level->next].body) {
            const Activity *loop = &level->list[level->next++];
            if (loop->times && loop->n_body)
                *vec_push(&reader->levels) = (Level){loop->body, loop->n_body, 0, loop->times - 1};
        } else {
            *event = level->list[level->next++].event;
            return true;
        }
    }
    return false;
}

static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Reader *reader = &((SourceEvents *)source)->readers[process];
    (void)err;
    if (!reader->has_begun)
        *vec_push(&reader->levels) = reader->whole;
    reader->has_begun = true;
    for (*count = 0; *count < capacity && next_event(reader, &events[*count]); (*count)++)
        ;
    if (!*count)
        vec_free(&reader->levels);
    return true;
}

EventSource *events_source(const World *world, const Activity *const *activities, const size_t *n_activities,
                           Arena *arena)
{
    uint32_t n = world->options->n_processes;
    SourceEvents *events = arena_alloc(arena, sizeof *events);
    Trace *trace = arena_alloc(arena, sizeof *trace);
    events->readers = arena_new_array(arena, Reader, n);
    for (uint32_t i = 0; i < n; i++)
        events->readers[i].whole = (Level){activities[i], n_activities[i], 0, 0};
    static const char *const libraries[] = {"", "Open MPI", "MPICH"}; /* as handles.c numbers them */
    trace->application = (Application){.executable = world->options->source.file,
                                       .build_id = "",
                                       .mpi_library = libraries[world->constants[CONSTANT_LIBRARY]],
                                       .n_processes = n};
    trace->n_comms = (uint32_t)world->comms.count;
    trace->comms = vec_copy(&world->comms, arena);
    trace->host = "";
    events->source = (EventSource){trace, read_events};
    return &events->source;
}
