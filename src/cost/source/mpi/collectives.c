/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives: what a process contributes and gets, as a trace records it. Nonblocking ones have a
 * request behind the same arguments. */
#include "cost/source/mpi/run.h"

#include <ctype.h>

/* How bytes follow from the arguments. ONE: count and datatype. PARTS: of a part for each member. */
typedef enum Volumes {
    VOLUME_NONE,
    VOLUME_BCAST,
    VOLUME_REDUCE,    /* all contribute, the root gets */
    VOLUME_SAME,      /* all contribute and get the same */
    VOLUME_EXSCAN,    /* the first gets nothing */
    VOLUME_SCATTERED, /* all contribute n parts, and get one */
    VOLUME_GATHER,    /* all contribute, the root gets all */
    VOLUME_SCATTER,   /* the root contributes all, each gets its part */
    VOLUME_ALLGATHER, /* all contribute a part, and get all */
    VOLUME_ALLTOALL   /* all contribute and get a part for each */
} Volumes;

/* The arguments' positions. `send`, `receive`: of a count; the datatype stands behind the count, or
 * behind the displacements if counts are arrays. */
typedef struct CollectiveForm {
    const char *name;
    Collective collective;
    Volumes volumes;
    int8_t send, receive; /* -1: none */
    int8_t root;          /* -1: none */
    int8_t comm;
    bool sends_array, receives_array;
} CollectiveForm;

static const CollectiveForm forms[] = {
    {"MPI_Barrier", COLLECTIVE_BARRIER, VOLUME_NONE, -1, -1, -1, 0, false, false},
    {"MPI_Bcast", COLLECTIVE_BCAST, VOLUME_BCAST, 1, -1, 3, 4, false, false},
    {"MPI_Reduce", COLLECTIVE_REDUCE, VOLUME_REDUCE, 2, -1, 5, 6, false, false},
    {"MPI_Allreduce", COLLECTIVE_ALLREDUCE, VOLUME_SAME, 2, -1, -1, 5, false, false},
    {"MPI_Scan", COLLECTIVE_SCAN, VOLUME_SAME, 2, -1, -1, 5, false, false},
    {"MPI_Exscan", COLLECTIVE_EXSCAN, VOLUME_EXSCAN, 2, -1, -1, 5, false, false},
    {"MPI_Reduce_scatter_block", COLLECTIVE_REDUCE_SCATTER_BLOCK, VOLUME_SCATTERED, 2, -1, -1, 5, false, false},
    {"MPI_Reduce_scatter", COLLECTIVE_REDUCE_SCATTER, VOLUME_SCATTERED, 2, -1, -1, 5, true, false},
    {"MPI_Gather", COLLECTIVE_GATHER, VOLUME_GATHER, 1, 4, 6, 7, false, false},
    {"MPI_Gatherv", COLLECTIVE_GATHERV, VOLUME_GATHER, 1, 4, 7, 8, false, true},
    {"MPI_Scatter", COLLECTIVE_SCATTER, VOLUME_SCATTER, 1, 4, 6, 7, false, false},
    {"MPI_Scatterv", COLLECTIVE_SCATTERV, VOLUME_SCATTER, 1, 5, 7, 8, true, false},
    {"MPI_Allgather", COLLECTIVE_ALLGATHER, VOLUME_ALLGATHER, 1, 4, -1, 6, false, false},
    {"MPI_Allgatherv", COLLECTIVE_ALLGATHERV, VOLUME_ALLGATHER, 1, 4, -1, 7, false, true},
    {"MPI_Alltoall", COLLECTIVE_ALLTOALL, VOLUME_ALLTOALL, 1, 4, -1, 6, false, false},
    {"MPI_Alltoallv", COLLECTIVE_ALLTOALLV, VOLUME_ALLTOALL, 1, 5, -1, 8, true, true},
};

/* A call of a collective, by its form. */
typedef struct CollectiveCall {
    const MpiCall *call;
    const CollectiveForm *form;
    uint32_t comm, n, place;
    int64_t root;
} CollectiveCall;

static bool is_root(const CollectiveCall *made)
{
    return made->root == made->place;
}

static bool datatype_bytes(const CollectiveCall *made, int datatype, int64_t *bytes)
{
    const MpiCall *call = made->call;
    const Handle *type = handle_find(call->run, amount_of(call->scope, call->call->operands[datatype]));
    if (!type || type->kind != HANDLE_DATATYPE)
        return run_fail(call->run, &call->call->place, "the datatype of %s isn't known", call->call->name);
    *bytes = type->bytes;
    return true;
}

/* The bytes of the part for one member. */
static bool part_bytes(const CollectiveCall *made, bool sends, uint32_t member, int64_t *bytes)
{
    const CollectiveForm *form = made->form;
    bool is_array = sends ? form->sends_array : form->receives_array;
    int count = sends ? form->send : form->receive;
    int64_t n, each = 0;
    if (!is_array)
        return argument_bytes(made->call, (size_t)count, (size_t)count + 1, bytes);
    int datatype = count + (form->volumes == VOLUME_SCATTERED ? 1 : 2);
    if (!argument_element(made->call, (size_t)count, member, "counts", &n) || !datatype_bytes(made, datatype, &each))
        return false;
    *bytes = n * each;
    return true;
}

static bool bytes_of_all(const CollectiveCall *made, bool sends, int64_t *bytes)
{
    const CollectiveForm *form = made->form;
    bool is_array = sends ? form->sends_array : form->receives_array;
    *bytes = 0;
    for (uint32_t i = 0; i < (is_array ? made->n : 1); i++) {
        int64_t part;
        if (!part_bytes(made, sends, i, &part))
            return false;
        *bytes += is_array ? part : part * made->n;
    }
    return true;
}

/* A gather or scatter: `whole` is the root's buffer, the other one is everyone's. */
static bool rooted_bytes(const CollectiveCall *made, bool gathers, int64_t *whole, int64_t *part)
{
    bool is_in_place =
        argument_is_constant(made->call, gathers ? 0 : (size_t)made->form->receive - 1, CONSTANT_IN_PLACE);
    if (is_root(made) && !bytes_of_all(made, !gathers, whole))
        return false;
    return part_bytes(made, is_in_place && is_root(made) ? !gathers : gathers, made->place, part);
}

static bool find_bytes(const CollectiveCall *made, int64_t *sent, int64_t *received)
{
    int64_t one = 0;
    bool is_in_place = made->form->volumes != VOLUME_NONE && argument_is_constant(made->call, 0, CONSTANT_IN_PLACE);
    *sent = *received = 0;
    switch (made->form->volumes) {
    case VOLUME_NONE:
        return true;
    case VOLUME_BCAST:
        return part_bytes(made, true, 0, is_root(made) ? sent : received);
    case VOLUME_REDUCE:
    case VOLUME_SAME:
    case VOLUME_EXSCAN:
        if (!argument_bytes(made->call, (size_t)made->form->send, (size_t)made->form->send + 1, &one))
            return false;
        *sent = one;
        *received = made->form->volumes == VOLUME_SAME     ? one
                    : made->form->volumes == VOLUME_REDUCE ? (is_root(made) ? one : 0)
                                                           : (made->place ? one : 0);
        return true;
    case VOLUME_SCATTERED:
        return bytes_of_all(made, true, sent) && part_bytes(made, true, made->place, received);
    case VOLUME_GATHER:
        return rooted_bytes(made, true, received, sent);
    case VOLUME_SCATTER:
        return rooted_bytes(made, false, sent, received);
    case VOLUME_ALLGATHER:
        return bytes_of_all(made, false, received) && part_bytes(made, !is_in_place, made->place, sent);
    case VOLUME_ALLTOALL:
        return bytes_of_all(made, false, received) && bytes_of_all(made, !is_in_place, sent);
    }
    return false;
}

/* ---- Effects ---- */

static void receive_data(const CollectiveCall *made)
{
    const CollectiveForm *form = made->form;
    const MpiCall *call = made->call;
    switch (form->volumes) {
    case VOLUME_NONE:
        return;
    case VOLUME_BCAST:
        exchange_broadcast(call, made->comm, (uint32_t)made->root);
        return;
    case VOLUME_REDUCE:
    case VOLUME_SAME:
        if (form->collective == COLLECTIVE_SCAN)
            argument_received(call, 1);
        else
            exchange_reduction(call, made->comm, made->root);
        return;
    case VOLUME_EXSCAN:
    case VOLUME_SCATTERED:
        argument_received(call, 1);
        return;
    case VOLUME_GATHER:
    case VOLUME_SCATTER:
    case VOLUME_ALLGATHER:
    case VOLUME_ALLTOALL:
        argument_received(call, (size_t)form->receive - 1);
        return;
    }
}

static bool find_root(CollectiveCall *made)
{
    made->root = -1;
    if (made->form->root < 0)
        return true;
    if (!argument_whole(made->call, (size_t)made->form->root, "root", &made->root))
        return false;
    if (made->root >= 0 && made->root < made->n)
        return true;
    return run_fail(made->call->run, &made->call->call->place, "the root of %s is %lld, and there are %u processes",
                    made->call->call->name, (long long)made->root, made->n);
}

/* A request that is complete: the collective stands where it was posted. */
static void store_request(const MpiCall *call, size_t argument, Event *event)
{
    Place place;
    event->request = call->run->handles.count;
    Amount value = handle_add(call->run, (Handle){.kind = HANDLE_REQUEST, .number = -1});
    if (!place_pointed_to(call->scope, call->call->operands[argument], &place))
        return;
    place.is_element = false;
    place_set(call->scope, &place, value);
}

static bool make_event(CollectiveCall *made, bool is_nonblocking)
{
    const MpiCall *call = made->call;
    const CollectiveForm *form = made->form;
    Handle *comm;
    int64_t sent, received;
    if (!argument_comm(call, (size_t)form->comm, &comm))
        return true;
    made->comm = comm->comm;
    made->n = call->run->world->comms.items[comm->comm].n_members;
    made->place = own_place(call->run, comm->comm);
    if (!find_root(made) || !find_bytes(made, &sent, &received))
        return true;
    Event event = {.kind = EVENT_COLLECTIVE,
                   .collective = (unsigned)form->collective & 31U,
                   .comm = made->comm,
                   .peer = NO_ROOT,
                   .bytes = (uint64_t)sent,
                   .bytes_received = (uint64_t)received,
                   .request = NO_REQUEST};
    if (made->root >= 0)
        event.peer = call->run->world->comms.items[made->comm].members[made->root];
    if (is_nonblocking)
        store_request(call, (size_t)form->comm + 1, &event);
    add_event(call->run, event);
    receive_data(made);
    return true;
}

/* "MPI_Ibcast" is MPI_Bcast with a request. */
static bool is_named(const char *name, const char *form, bool *is_nonblocking)
{
    *is_nonblocking =
        strncmp(name, "MPI_I", 5) == 0 && toupper((unsigned char)name[5]) == form[4] && strcmp(name + 6, form + 5) == 0;
    return *is_nonblocking || strcmp(name, form) == 0;
}

bool call_collective(const MpiCall *call)
{
    bool is_nonblocking;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_named(call->call->name, forms[i].name, &is_nonblocking)) {
            CollectiveCall made = {.call = call, .form = &forms[i]};
            return make_event(&made, is_nonblocking);
        }
    return false;
}
