/* SPDX-License-Identifier: BSD-3-Clause */
/* See comms.h. A list's key is a 128-bit hash of its canonical runs. */
#include "trace/writer/comms.h"

#include "base/map.h"
#include "model/application.h"
#include "trace/writer/groups.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef VEC(CommRange) Ranges;

typedef struct Unifier {
    const Recording *recording;
    Arena *arena;
    Map list_of_key; /* hash of runs -> list */
    Map comm_of_key; /* (lists, creation) -> provisional number */
    VEC(MemberList) lists;
    VEC(UnifiedComm) comms;
    VEC(LocalComm) local;
    Groups groups; /* of PVM */
    Map creations; /* of the current process: lists -> number of communicators so far */
    Ranges ranges; /* scratch */
} Unifier;

/* The content of a .comms file. */
typedef struct CommsFile {
    const char *path;
    const uint8_t *bytes;
    size_t size, at;
} CommsFile;

static int64_t range_last(CommRange range)
{
    return range.first + (int64_t)range.stride * (range.count - 1);
}

/* Appends a member to canonical runs. From the left, each canonical run is as long as possible. */
static void append_member(Ranges *ranges, int32_t member)
{
    CommRange *last = ranges->count ? &ranges->items[ranges->count - 1] : NULL;
    if (last && (member == OUTSIDE_WORLD) != (last->first == OUTSIDE_WORLD))
        last = NULL;
    if (last && last->count == 1) {
        last->stride = member - last->first;
        last->count = 2;
    } else if (last && range_last(*last) + last->stride == member) {
        last->count++;
    } else {
        *vec_push(ranges) = (CommRange){.first = member, .stride = 0, .count = 1};
    }
}

static void canonicalise(const CommRange *given, uint32_t count, Ranges *ranges)
{
    ranges->count = 0;
    if (count == 1) {
        *vec_push(ranges) = given[0];
        if (given[0].count == 1)
            ranges->items[0].stride = 0;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < given[i].count; k++)
            append_member(ranges, (int32_t)(given[i].first + (int64_t)given[i].stride * k));
}

static void count_members(MemberList *list, Arena *arena)
{
    for (uint32_t i = 0; i < list->n_ranges; i++) {
        list->n_members += list->ranges[i].count;
        if (list->ranges[i].first != OUTSIDE_WORLD)
            list->n_inside += list->ranges[i].count;
    }
    if (list->n_inside == list->n_members)
        return;
    uint32_t *inside = arena_new_array(arena, uint32_t, list->n_members), rank = 0, n = 0;
    for (uint32_t i = 0; i < list->n_ranges; i++)
        for (uint32_t k = 0; k < list->ranges[i].count; k++)
            inside[n++] = list->ranges[i].first == OUTSIDE_WORLD ? OUTSIDE_RANK : rank++;
    list->inside = inside;
}

static uint32_t intern_list(Unifier *unifier, const CommRange *given, uint32_t count)
{
    canonicalise(given, count, &unifier->ranges);
    const Ranges *ranges = &unifier->ranges;
    MapKey key = {1, ranges->count};
    for (size_t i = 0; i < ranges->count; i++) {
        key = hash_word(key, (uint64_t)(uint32_t)ranges->items[i].first << 32 | (uint32_t)ranges->items[i].stride);
        key = hash_word(key, ranges->items[i].count);
    }
    size_t list = map_number(&unifier->list_of_key, key, unifier->lists.count);
    if (list == unifier->lists.count) {
        MemberList *added = vec_push(&unifier->lists);
        *added = (MemberList){.n_ranges = (uint32_t)ranges->count, .ranges = vec_copy(ranges, unifier->arena)};
        count_members(added, unifier->arena);
    }
    return (uint32_t)list;
}

static uint32_t first_member(const MemberList *list)
{
    return list->n_ranges ? (uint32_t)list->ranges[0].first : OUTSIDE_RANK;
}

static void add_comm(Unifier *unifier, uint32_t own, uint32_t remote, bool is_window)
{
    UnifiedComm comm = {.a = own, .b = remote, .window = is_window ? 0 : NO_WINDOW};
    if (remote != NO_MEMBERS &&
        first_member(&unifier->lists.items[remote]) < first_member(&unifier->lists.items[own])) {
        comm.a = remote;
        comm.b = own;
    }
    MapKey lists = {is_window ? 3 : 2, (uint64_t)comm.a << 32 | comm.b};
    comm.creation = (uint32_t)(*map_put(&unifier->creations, lists, NULL))++;
    size_t number = map_number(&unifier->comm_of_key, hash_word(lists, comm.creation), unifier->comms.count);
    if (number == unifier->comms.count)
        *vec_push(&unifier->comms) = comm;
    *vec_push(&unifier->local) =
        (LocalComm){.comm = (uint32_t)number, .own = own, .peers = remote == NO_MEMBERS ? own : remote};
}

/* Adds a group of PVM. Groups with the same members are different communicators; none is the world. */
static void add_group(Unifier *unifier, const Group *group)
{
    LocalComm *local = vec_push(&unifier->local);
    *local = (LocalComm){.comm = NO_COMM};
    if (!group->n_members)
        return;
    const UnifiedComm comm = {.a = intern_list(unifier, group->members, group->n_members),
                              .b = NO_MEMBERS,
                              .creation = 1 + group->number,
                              .window = NO_WINDOW};
    const MapKey lists = {2, (uint64_t)comm.a << 32 | comm.b};
    size_t number = map_number(&unifier->comm_of_key, hash_word(lists, comm.creation), unifier->comms.count);
    if (number == unifier->comms.count)
        *vec_push(&unifier->comms) = comm;
    *local = (LocalComm){.comm = (uint32_t)number, .own = comm.a, .peers = comm.a};
}

static bool read_whole(CommsFile *file, Arena *arena, Err *err)
{
    FILE *stream = fopen(file->path, "rb");
    if (!stream)
        return errno == ENOENT || err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", file->path, strerror(errno));
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    bool ok = size >= 0 && fseek(stream, 0, SEEK_SET) == 0;
    if (ok && size > 0) {
        uint8_t *bytes = arena_alloc(arena, (size_t)size);
        ok = fread(bytes, 1, (size_t)size, stream) == (size_t)size;
        file->bytes = bytes;
        file->size = (size_t)size;
    }
    if (!ok)
        err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", file->path, strerror(errno));
    fclose(stream);
    return ok;
}

static bool check_range(const CommsFile *file, CommRange range, uint32_t n_processes, Err *err)
{
    bool outside = range.first == OUTSIDE_WORLD && (range.stride == 0 || range.count == 1);
    bool inside = range.count > 0 && range.first >= 0 && (uint32_t)range.first < n_processes &&
                  range.count <= n_processes && range_last(range) >= 0 && range_last(range) < n_processes;
    if (range.count > PROCESS_LIMIT || range.count == 0 || !(outside || inside))
        return err_set(err, ERR_INPUT, "%s: offset %zu: members %d + %d i, i < %u, but the world has %u processes",
                       file->path, file->at, range.first, range.stride, range.count, n_processes);
    return true;
}

/* Reads a record and its ranges: those of the own group into [0, *n_own), those of the remote
 * group behind them. */
static bool read_ranges(CommsFile *file, uint32_t n_processes, CommRecord *record, CommRange **ranges, uint32_t *n_own,
                        Arena *arena, Err *err)
{
    if (file->size - file->at < sizeof *record)
        return err_set(err, ERR_INPUT, "%s: offset %zu: the file ends within a communicator", file->path, file->at);
    memcpy(record, file->bytes + file->at, sizeof *record);
    if (record->n_ranges > (file->size - file->at - sizeof *record) / sizeof(CommRange))
        return err_set(err, ERR_INPUT, "%s: offset %zu: %u ranges of members, but the file ends before their end",
                       file->path, file->at, record->n_ranges);
    size_t start = file->at;
    file->at += sizeof *record;
    *ranges = arena_new_array(arena, CommRange, record->n_ranges);
    uint64_t n_members = 0;
    *n_own = record->n_ranges;
    for (uint32_t i = 0; i < record->n_ranges; i++, file->at += sizeof(CommRange)) {
        memcpy(&(*ranges)[i], file->bytes + file->at, sizeof(CommRange));
        if (!check_range(file, (*ranges)[i], n_processes, err))
            return false;
        uint64_t before = n_members;
        n_members += (*ranges)[i].count;
        if (before >= record->n_local && *n_own == record->n_ranges)
            *n_own = i;
        if ((before < record->n_local && n_members > record->n_local) || n_members > PROCESS_LIMIT)
            return err_set(err, ERR_INPUT,
                           "%s: offset %zu: a range lies partly in the own and partly in the remote group", file->path,
                           file->at);
    }
    if (record->is_window > 1 || (record->is_window && record->n_remote))
        return err_set(err, ERR_INPUT, "%s: offset %zu: neither a communicator nor a window", file->path, start);
    if (n_members != (uint64_t)record->n_local + record->n_remote)
        return err_set(err, ERR_INPUT, "%s: offset %zu: a communicator of %u + %u members lists %lu", file->path, start,
                       record->n_local, record->n_remote, (unsigned long)n_members);
    return true;
}

/* Reads the neighbours behind the ranges. */
static bool read_neighbours(CommsFile *file, const CommRecord *record, LocalComm *comm, Arena *arena, Err *err)
{
    uint64_t n = (uint64_t)record->n_sources + record->n_destinations;
    if (record->has_neighbours > 1 || (!record->has_neighbours && n) ||
        (record->has_neighbours && (record->is_window || record->n_remote)))
        return err_set(err, ERR_INPUT, "%s: offset %zu: neighbours without a topology", file->path, file->at);
    if (n > (file->size - file->at) / sizeof(int32_t))
        return err_set(err, ERR_INPUT, "%s: offset %zu: %lu neighbours, but the file ends before their end", file->path,
                       file->at, (unsigned long)n);
    uint32_t *neighbours = arena_new_array(arena, uint32_t, n + 1);
    memcpy(neighbours, file->bytes + file->at, n * sizeof *neighbours);
    for (uint64_t i = 0; i < n; i++)
        if (neighbours[i] >= record->n_local)
            return err_set(err, ERR_INPUT, "%s: offset %zu: neighbour %u of %u members", file->path, file->at,
                           neighbours[i], record->n_local);
    file->at += n * sizeof *neighbours;
    comm->neighbours = record->has_neighbours ? neighbours : NULL;
    comm->n_sources = record->n_sources;
    comm->n_destinations = record->n_destinations;
    return true;
}

static bool is_world(const CommRange *ranges, uint32_t n_ranges, uint32_t n_processes)
{
    return n_ranges == 1 && ranges[0].first == 0 && ranges[0].count == n_processes &&
           (ranges[0].stride == 1 || n_processes == 1);
}

/* Checks that the first two records of a process are MPI_COMM_WORLD and MPI_COMM_SELF. */
static bool check_predefined(const CommsFile *file, uint32_t number, const CommRange *ranges, uint32_t n_ranges,
                             uint32_t rank, uint32_t n_processes, Err *err)
{
    if (number == COMM_WORLD && !is_world(ranges, n_ranges, n_processes))
        return err_set(err, ERR_INPUT, "%s: offset 0: the first communicator isn't MPI_COMM_WORLD", file->path);
    if (number == COMM_SELF && !(n_ranges == 1 && ranges[0].first == (int32_t)rank && ranges[0].count == 1))
        return err_set(err, ERR_INPUT, "%s: the second communicator isn't MPI_COMM_SELF", file->path);
    return true;
}

static bool add_process(Unifier *unifier, uint32_t rank, Arena *scratch, Err *err)
{
    const RecordedProcess *process = &unifier->recording->processes[rank];
    const uint32_t n_processes = unifier->recording->n_processes;
    const CommRange world = {0, n_processes > 1, n_processes}, self = {(int32_t)rank, 0, 1};
    map_free(&unifier->creations);
    add_comm(unifier, intern_list(unifier, &world, 1), NO_MEMBERS, false);
    *vec_push(&unifier->local) = (LocalComm){.comm = COMM_SELF};
    LocalComm *own_self = &unifier->local.items[unifier->local.count - 1];
    own_self->own = own_self->peers = intern_list(unifier, &self, 1);
    for (uint32_t place = 0; place < process->n_groups; place++)
        add_group(unifier, groups_get(&unifier->groups, rank, place));
    if (!process->n_comms)
        return true;
    CommsFile file = {.path = arena_printf(scratch, "%s.comms", process->base)};
    if (!read_whole(&file, scratch, err))
        return false;
    for (uint32_t number = 0; number < process->n_comms; number++) {
        CommRecord record;
        CommRange *ranges = NULL;
        uint32_t n_own = 0;
        LocalComm topology = {0};
        if (!read_ranges(&file, n_processes, &record, &ranges, &n_own, scratch, err) ||
            !read_neighbours(&file, &record, &topology, unifier->arena, err) ||
            !check_predefined(&file, number, ranges, record.n_ranges, rank, n_processes, err))
            return false;
        if (number <= COMM_SELF)
            continue;
        uint32_t own = intern_list(unifier, ranges, n_own);
        add_comm(unifier, own,
                 record.n_remote ? intern_list(unifier, ranges + n_own, record.n_ranges - n_own) : NO_MEMBERS,
                 record.is_window);
        LocalComm *local = &unifier->local.items[unifier->local.count - 1];
        local->neighbours = topology.neighbours;
        local->n_sources = topology.n_sources;
        local->n_destinations = topology.n_destinations;
    }
    return true;
}

static int compare_numbers(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int compare_lists(const MemberList *x, const MemberList *y)
{
    int order = compare_numbers(x->n_members, y->n_members);
    for (uint32_t i = 0; !order && i < x->n_ranges && i < y->n_ranges; i++) {
        const CommRange *r = &x->ranges[i], *s = &y->ranges[i];
        order = compare_numbers(r->first, s->first);
        order = order ? order : compare_numbers(r->stride, s->stride);
        order = order ? order : compare_numbers(r->count, s->count);
    }
    return order ? order : compare_numbers(x->n_ranges, y->n_ranges);
}

static int compare_comms(const void *a, const void *b, void *context)
{
    const Unifier *unifier = context;
    const MemberList *lists = unifier->lists.items;
    const UnifiedComm *x = &unifier->comms.items[*(const uint32_t *)a],
                      *y = &unifier->comms.items[*(const uint32_t *)b];
    int order = compare_numbers(x->b != NO_MEMBERS, y->b != NO_MEMBERS);
    order = order ? order : compare_lists(&lists[x->a], &lists[y->a]);
    if (!order && x->b != NO_MEMBERS)
        order = compare_lists(&lists[x->b], &lists[y->b]);
    order = order ? order : compare_numbers(x->window != NO_WINDOW, y->window != NO_WINDOW);
    return order ? order : compare_numbers(x->creation, y->creation);
}

/* Sorts the communicators behind world and self, and renumbers the processes' tables. */
static void order_comms(Unifier *unifier, CommTable *table)
{
    uint32_t n = (uint32_t)unifier->comms.count;
    assert(n > COMM_SELF);
    uint32_t *order = arena_new_array(unifier->arena, uint32_t, n),
             *number = arena_new_array(unifier->arena, uint32_t, n);
    UnifiedComm *comms = arena_new_array(unifier->arena, UnifiedComm, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order + 2, n - 2, sizeof *order, compare_comms, unifier);
    for (uint32_t i = 0, n_windows = 0; i < n; i++) {
        comms[i] = unifier->comms.items[order[i]];
        if (comms[i].window != NO_WINDOW)
            comms[i].window = n_windows++;
        number[order[i]] = i;
    }
    for (size_t i = 0; i < unifier->local.count; i++)
        if (table->local[i].comm != NO_COMM)
            table->local[i].comm = number[table->local[i].comm];
    table->comms = comms;
    table->n_comms = n;
}

static void start(Unifier *unifier)
{
    const uint32_t n_processes = unifier->recording->n_processes;
    const CommRange world = {0, n_processes > 1, n_processes};
    uint32_t list = intern_list(unifier, &world, 1);
    *vec_push(&unifier->comms) = (UnifiedComm){.a = list, .b = NO_MEMBERS, .window = NO_WINDOW};
    *vec_push(&unifier->comms) = (UnifiedComm){.a = list, .b = NO_MEMBERS, .window = NO_WINDOW}; /* MPI_COMM_SELF */
    MapKey lists = {2, (uint64_t)list << 32 | NO_MEMBERS};
    map_number(&unifier->comm_of_key, hash_word(lists, 0), COMM_WORLD);
}

bool comms_unify(const Recording *recording, Arena *arena, CommTable *table, Err *err)
{
    Unifier unifier = {.recording = recording, .arena = arena};
    groups_find(recording, arena, &unifier.groups);
    start(&unifier);
    table->first = arena_new_array(arena, uint64_t, (size_t)recording->n_processes + 1);
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < recording->n_processes; rank++) {
        table->first[rank] = unifier.local.count;
        if (recording->processes[rank].base) {
            Arena *scratch = arena_new();
            ok = add_process(&unifier, rank, scratch, err);
            arena_free(scratch);
        }
    }
    if (ok) {
        table->first[recording->n_processes] = unifier.local.count;
        table->local = vec_copy(&unifier.local, arena);
        order_comms(&unifier, table);
        table->lists = vec_copy(&unifier.lists, arena);
        table->n_lists = (uint32_t)unifier.lists.count;
    }
    map_free(&unifier.list_of_key);
    map_free(&unifier.comm_of_key);
    map_free(&unifier.creations);
    vec_free(&unifier.lists);
    vec_free(&unifier.comms);
    vec_free(&unifier.local);
    vec_free(&unifier.ranges);
    return ok;
}

void member_list_expand(const MemberList *list, uint64_t *members)
{
    size_t n = 0;
    for (uint32_t i = 0; i < list->n_ranges; i++)
        for (uint32_t k = 0; k < list->ranges[i].count && list->ranges[i].first != OUTSIDE_WORLD; k++)
            members[n++] = (uint64_t)(list->ranges[i].first + (int64_t)list->ranges[i].stride * k);
}
