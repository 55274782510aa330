/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds communicators and groups, and translates ranks of any kind to ranks of the world; see
 * definitions.h. */
#include "trace/reader/definitions.h"

#include <stdlib.h>

enum { SELF_COMM_LIMIT = 1 << 24 };

/* Finds a communicator's group. If it is a group of MPI processes, computes its members as world
 * ranks. */
static bool group_ranks(Archive *archive, const Definitions *definitions, uint32_t comm, uint32_t ref, RawGroup **group,
                        Err *err)
{
    uint32_t i = ref_table_get(&definitions->groups, ref);
    if (i == NOT_FOUND)
        return err_set(err, ERR_INPUT, "%s: communicator %u refers to group %u, which isn't defined",
                       definitions_path(archive), comm, ref);
    *group = &definitions->group_list.items[i];
    if ((*group)->ranks || (*group)->paradigm != OTF2_PARADIGM_MPI)
        return true;
    uint32_t *ranks = arena_new_array(archive->arena, uint32_t, (*group)->n_members);
    for (uint32_t k = 0; k < (*group)->n_members; k++) {
        if ((*group)->members[k] >= archive->n_processes)
            return err_set(err, ERR_INPUT, "%s: group %u has member %lu, but the world has only %u processes",
                           definitions_path(archive), ref, (unsigned long)(*group)->members[k], archive->n_processes);
        ranks[k] = (uint32_t)(*group)->members[k];
    }
    (*group)->ranks = ranks;
    return true;
}

static const uint8_t *membership(Archive *archive, const uint32_t *members, uint32_t n_members)
{
    uint8_t *bits = arena_new_array(archive->arena, uint8_t, archive->n_processes / 8 + 1);
    for (uint32_t i = 0; i < n_members; i++)
        bits[members[i] / 8] |= (uint8_t)(1u << members[i] % 8);
    return bits;
}

typedef VEC(Comm) Comms;

static void add_self_comms(Archive *archive, const char *name, const uint32_t *every_rank, Comms *comms)
{
    for (uint32_t rank = 0; rank < archive->n_processes; rank++)
        *vec_push(comms) = (Comm){.name = name, .n_members = 1, .members = &every_rank[rank]};
}

static void add_inter_comm(Archive *archive, ReadComm *comm, const char *name, Comms *comms)
{
    uint32_t n = comm->n_a + comm->n_b, *members = arena_new_array(archive->arena, uint32_t, n);
    bool a_first = !comm->n_b || (comm->n_a && comm->a[0] <= comm->b[0]);
    const uint32_t *first = a_first ? comm->a : comm->b, *second = a_first ? comm->b : comm->a;
    uint32_t n_first = a_first ? comm->n_a : comm->n_b;
    for (uint32_t i = 0; i < n; i++)
        members[i] = i < n_first ? first[i] : second[i - n_first];
    comm->in_a = membership(archive, comm->a, comm->n_a);
    *vec_push(comms) = (Comm){.name = name, .n_members = n, .members = members};
}

static bool add_comm(Archive *archive, const Definitions *definitions, const RawComm *raw, const uint32_t *every_rank,
                     Comms *comms, Err *err)
{
    RawGroup *a, *b = NULL;
    if (!group_ranks(archive, definitions, raw->ref, raw->group_a, &a, err) ||
        (raw->is_inter && !group_ranks(archive, definitions, raw->ref, raw->group_b, &b, err)))
        return false;
    if (!a->ranks || (b && !b->ranks))
        return true; /* a communicator of threads; ignored */
    ReadComm comm = {
        .first = (uint32_t)comms->count,
        .is_inter = raw->is_inter,
        .is_self = a->type == OTF2_GROUP_TYPE_COMM_SELF && !raw->is_inter,
        .n_a = a->n_members,
        .a = a->ranks,
        .n_b = b ? b->n_members : 0,
        .b = b ? b->ranks : NULL,
    };
    const char *name = definitions_text(definitions, raw->name);
    name = *name ? arena_strdup(archive->arena, name) : arena_printf(archive->arena, "communicator %u", raw->ref);
    if (comm.is_self && comms->count + archive->n_processes > SELF_COMM_LIMIT)
        return err_set(err, ERR_INPUT, "%s: more than the limit of %d communicators", definitions_path(archive),
                       SELF_COMM_LIMIT);
    if (comm.is_self)
        add_self_comms(archive, name, every_rank, comms);
    else if (comm.is_inter)
        add_inter_comm(archive, &comm, name, comms);
    else
        *vec_push(comms) = (Comm){.name = name, .n_members = comm.n_a, .members = comm.a};
    if (a->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) { /* events name world ranks */
        comm.is_inter = false;
        comm.a = every_rank;
        comm.n_a = archive->n_processes;
    }
    ref_table_put(&archive->comms, raw->ref, (uint32_t)archive->read_comms.count);
    *vec_push(&archive->read_comms) = comm;
    return true;
}

static int compare_members(const Comm *x, const Comm *y)
{
    if (x->n_members != y->n_members)
        return x->n_members < y->n_members ? -1 : 1;
    for (uint32_t i = 0; i < x->n_members && x->members != y->members; i++)
        if (x->members[i] != y->members[i])
            return x->members[i] < y->members[i] ? -1 : 1;
    return 0;
}

static int compare_comms(const void *a, const void *b)
{
    return compare_members(*(Comm *const *)a, *(Comm *const *)b);
}

/* Numbers the groups by their size, then by their members. So the numbers don't depend on the order
 * of the definitions. */
static void number_groups(const Archive *archive, const Definitions *definitions, const uint32_t *every_rank,
                          Comms *comms)
{
    const Comm world = {.n_members = archive->n_processes, .members = every_rank};
    Comm **order = arena_new_array(definitions->scratch, Comm *, comms->count);
    for (size_t i = 0; i < comms->count; i++)
        order[i] = &comms->items[i];
    qsort(order, comms->count, sizeof *order, compare_comms);
    uint32_t group = 0;
    for (size_t i = 0; i < comms->count; i++) {
        if (compare_members(order[i], &world) == 0)
            order[i]->group = 0;
        else if (i > 0 && compare_members(order[i], order[i - 1]) == 0)
            order[i]->group = order[i - 1]->group;
        else
            order[i]->group = ++group;
    }
}

static int compare_raw_comms(const void *a, const void *b)
{
    const RawComm *x = a, *y = b;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

static void mark_windows(Archive *archive, const Definitions *definitions, Comms *comms)
{
    for (size_t i = 0; i < definitions->windows.count; i++) {
        uint32_t comm = ref_table_get(&archive->comms, definitions->windows.items[i].value);
        if (comm != NOT_FOUND)
            comms->items[archive->read_comms.items[comm].first].is_window = true;
    }
}

bool tables_build_comms(Archive *archive, Definitions *definitions, Err *err)
{
    uint32_t *every_rank = arena_new_array(archive->arena, uint32_t, archive->n_processes);
    for (uint32_t rank = 0; rank < archive->n_processes; rank++)
        every_rank[rank] = rank;
    if (definitions->comms.count)
        qsort(definitions->comms.items, definitions->comms.count, sizeof(RawComm), compare_raw_comms);
    Comms comms = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < definitions->comms.count; i++)
        ok = add_comm(archive, definitions, &definitions->comms.items[i], every_rank, &comms, err);
    if (ok) {
        number_groups(archive, definitions, every_rank, &comms);
        mark_windows(archive, definitions, &comms);
        archive->trace.comms = vec_copy(&comms, archive->arena);
        archive->trace.n_comms = (uint32_t)comms.count;
        for (size_t i = 0; i < definitions->windows.count; i++)
            ref_table_put(&archive->windows, definitions->windows.items[i].ref,
                          ref_table_get(&archive->comms, definitions->windows.items[i].value));
    }
    vec_free(&comms);
    return ok;
}
