/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and Cartesian topologies, and what processes tell each other in collectives: colours
 * of a split, and broadcast numbers. */
#include "cost/source/mpi/run.h"

#include <math.h>

static const Comm *members_of(const Run *run, const Handle *comm)
{
    return &run->world->comms.items[comm->comm];
}

/* ---- Exchanges ---- */

static Exchange *exchange_new(World *world, uint32_t comm, uint32_t number)
{
    uint32_t n = world->comms.items[comm].n_members;
    Arena *arena = world->all.arena;
    *vec_push(&world->exchanges) = (Exchange){.comm = comm,
                                              .number = number,
                                              .is_known = arena_new_array(arena, bool, n),
                                              .values = arena_new_array(arena, int64_t, n),
                                              .others = arena_new_array(arena, int64_t, n)};
    return &world->exchanges.items[world->exchanges.count - 1];
}

/* The exchange of the communicator that this call is. */
static Exchange *next_exchange(Run *run, uint32_t comm)
{
    World *world = run->world;
    while (run->n_exchanges.count <= comm)
        *vec_push(&run->n_exchanges) = 0;
    uint32_t number = run->n_exchanges.items[comm]++;
    for (size_t i = 0; i < world->exchanges.count; i++)
        if (world->exchanges.items[i].comm == comm && world->exchanges.items[i].number == number)
            return &world->exchanges.items[i];
    return exchange_new(world, comm, number);
}

/* Only single numbers, `MPI_Bcast(&n, 1, …)`, are told; other buffers are data. */
void exchange_broadcast(const MpiCall *call, uint32_t comm, uint32_t root)
{
    const SourceExpression *buffer = without_casts(call->call->operands[0]);
    Amount count = amount_of(call->scope, call->call->operands[1]), value = UNKNOWN_AMOUNT;
    uint32_t place = own_place(call->run, comm);
    double n;
    bool is_single = buffer->kind == SOURCE_ADDRESS && amount_is_number(count, &n) && n == 1 &&
                     type_is_whole(buffer->operands[0]->type);
    if (!is_single) {
        if (place != root)
            argument_received(call, 0);
        return;
    }
    Exchange *exchange = next_exchange(call->run, comm);
    if (place == root) {
        value = amount_of(call->scope, buffer->operands[0]);
        exchange->is_known[root] = true;
        exchange->others[root] = value.expr && expr_is_integer(value.expr, &exchange->values[root]);
    } else if (!exchange->is_known[root]) {
        call->run->lacks_exchange = true;
    } else {
        argument_received(call, 0);
        if (exchange->others[root])
            argument_set(call, 0, exchange->values[root]);
    }
}

/* What MPI_Reduce and MPI_Allreduce contribute, as in `MPI_Allreduce(&n, &all, 1, …)`. */
static bool contribution(const MpiCall *call, int64_t *value)
{
    double count;
    size_t from = argument_is_constant(call, 0, CONSTANT_IN_PLACE) ? 1 : 0;
    const SourceExpression *buffer = without_casts(call->call->operands[from]);
    bool is_single = buffer->kind == SOURCE_ADDRESS &&
                     amount_is_number(amount_of(call->scope, call->call->operands[2]), &count) && count == 1 &&
                     type_is_whole(buffer->operands[0]->type) && buffer->operands[0]->type != CPU_REFERENCE;
    Amount amount = is_single ? amount_of(call->scope, buffer->operands[0]) : UNKNOWN_AMOUNT;
    return amount.expr && expr_is_integer(amount.expr, value);
}

/* False: the result doesn't fit. */
static bool reduce(Reduction reduction, const int64_t *values, uint32_t n, int64_t *result)
{
    bool overflows = false;
    *result = values[0];
    for (uint32_t i = 1; i < n && !overflows; i++)
        switch (reduction) {
        case REDUCTION_SUM:
            overflows = __builtin_add_overflow(*result, values[i], result);
            break;
        case REDUCTION_PROD:
            overflows = __builtin_mul_overflow(*result, values[i], result);
            break;
        case REDUCTION_MAX:
            *result = values[i] > *result ? values[i] : *result;
            break;
        case REDUCTION_MIN:
            *result = values[i] < *result ? values[i] : *result;
            break;
        }
    return !overflows && *result >= INT32_MIN && *result <= INT32_MAX;
}

/* Each one makes all processes run once more, so that the first ones also know what the last ones contribute. */
enum { REDUCTIONS_LIMIT = 32 };

void exchange_reduction(const MpiCall *call, uint32_t comm, int64_t root)
{
    Run *run = call->run;
    uint32_t n = run->world->comms.items[comm].n_members, place = own_place(run, comm);
    const Handle *operation = handle_find(run, amount_of(call->scope, call->call->operands[4]));
    int64_t own = 0, result;
    bool is_known = operation && operation->kind == HANDLE_OPERATION && contribution(call, &own);
    bool is_asked = is_known && run->n_reductions < REDUCTIONS_LIMIT;
    Reduction reduction = is_known ? (Reduction)operation->bytes : REDUCTION_SUM;
    Exchange *exchange = next_exchange(run, comm);
    exchange->is_known[place] = true;
    exchange->values[place] = own;
    exchange->others[place] = is_asked;
    run->n_reductions += is_asked;
    for (uint32_t i = 0; is_asked && i < n; i++) {
        run->lacks_exchange = run->lacks_exchange || !exchange->is_known[i];
        is_known = is_known && exchange->is_known[i] && exchange->others[i];
    }
    if (root >= 0 && root != place)
        return;
    argument_received(call, 1);
    if (is_asked && is_known && !run->lacks_exchange && reduce(reduction, exchange->values, n, &result))
        argument_set(call, 1, result);
}

/* ---- Communicators ---- */

static uint32_t comm_new(World *world, const uint32_t *members, uint32_t n)
{
    for (uint32_t i = 0; i < world->comms.count; i++) {
        const Comm *comm = &world->comms.items[i];
        if (comm->n_members == n && comm->members == members)
            return i;
    }
    *vec_push(&world->comms) = (Comm){.name = "", .n_members = n, .members = members, .group = 1};
    return (uint32_t)world->comms.count - 1;
}

/* A communicator that these processes make with the n-th call on another one. All members find the
 * same one. */
static uint32_t comm_made(Run *run, uint32_t parent, uint32_t number, const uint32_t *members, uint32_t n)
{
    World *world = run->world;
    const char *name = arena_printf(world->all.arena, "%u of %u from %u", number, parent, members[0]);
    for (uint32_t i = 0; i < world->comms.count; i++)
        if (strcmp(world->comms.items[i].name, name) == 0)
            return i;
    uint32_t comm = comm_new(world, members, n);
    world->comms.items[comm].name = name;
    return comm;
}

static void store_comm(const MpiCall *call, size_t argument, Handle comm)
{
    Place place;
    comm.kind = HANDLE_COMM;
    comm.number = NAN;
    Amount value = handle_add(call->run, comm);
    if (place_pointed_to(call->scope, call->call->operands[argument], &place))
        place_set(call->scope, &place, value);
}

static void store_null(const MpiCall *call, size_t argument)
{
    Place place;
    Run *run = call->run;
    for (size_t i = 0; i < run->world->predefined.count; i++)
        if (run->handles.items[i].kind == HANDLE_NULL) { /* MPI_COMM_NULL is the first one */
            if (place_pointed_to(call->scope, call->call->operands[argument], &place))
                place_set(call->scope, &place, amount_number(call->scope->space, LEAST_HANDLE + (double)i));
            return;
        }
}

/* Making a communicator synchronises the members of the old one. */
static void add_making(Run *run, uint32_t comm)
{
    add_event(run, (Event){.kind = EVENT_COLLECTIVE,
                           .collective = COLLECTIVE_CREATE_HANDLE,
                           .comm = comm,
                           .peer = NO_ROOT,
                           .request = NO_REQUEST});
}

typedef struct Member {
    int64_t key;
    uint32_t place;
} Member;

static int compare_members(const void *left, const void *right)
{
    const Member *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void make_split(const MpiCall *call, const Handle *comm, const Exchange *exchange, int64_t colour)
{
    Run *run = call->run;
    Arena *arena = run->world->all.arena;
    const Comm *all = members_of(run, comm);
    Member *found = arena_new_array(arena, Member, all->n_members);
    uint32_t n = 0, *members = arena_new_array(arena, uint32_t, all->n_members);
    for (uint32_t i = 0; i < all->n_members; i++)
        if (exchange->values[i] == colour)
            found[n++] = (Member){exchange->others[i], i};
    qsort(found, n, sizeof *found, compare_members);
    for (uint32_t i = 0; i < n; i++)
        members[i] = all->members[found[i].place];
    store_comm(call, 3, (Handle){.comm = comm_made(run, exchange->comm, exchange->number, members, n)});
}

static void call_split(const MpiCall *call)
{
    Run *run = call->run;
    Handle *comm;
    int64_t colour, key;
    if (!argument_comm(call, 0, &comm) || !argument_whole(call, 1, "colour", &colour) ||
        !argument_whole(call, 2, "key", &key))
        return;
    const Handle parent = *comm;
    Exchange *exchange = next_exchange(run, parent.comm);
    uint32_t n = members_of(run, &parent)->n_members, place = own_place(run, parent.comm);
    exchange->is_known[place] = true;
    exchange->values[place] = colour;
    exchange->others[place] = key;
    for (uint32_t i = 0; i < n; i++)
        if (!exchange->is_known[i]) {
            run->lacks_exchange = true;
            return;
        }
    add_making(run, parent.comm);
    if (colour == run->world->constants[CONSTANT_UNDEFINED])
        store_null(call, 3);
    else
        make_split(call, &parent, exchange, colour);
}

static void call_dup(const MpiCall *call)
{
    Handle *comm;
    if (!argument_comm(call, 0, &comm))
        return;
    Handle copy = *comm;
    const Comm *members = members_of(call->run, comm);
    uint32_t number = next_exchange(call->run, copy.comm)->number, parent = copy.comm;
    uint32_t *same =
        arena_copy_array(call->run->world->all.arena, members->members, members->n_members, sizeof(uint32_t));
    add_making(call->run, parent);
    copy.comm = comm_made(call->run, parent, number, same, members->n_members);
    store_comm(call, 1, copy);
}

/* ---- Cartesian topologies ---- */

static int64_t grid_size(const Cartesian *grid)
{
    int64_t size = 1;
    for (int64_t i = 0; i < grid->n_dimensions; i++)
        size *= grid->sizes[i];
    return size;
}

static void coordinates_of(const Cartesian *grid, int64_t place, int64_t coordinates[CARTESIAN_LIMIT])
{
    for (int64_t i = grid->n_dimensions; i-- > 0;) {
        coordinates[i] = place % grid->sizes[i];
        place /= grid->sizes[i];
    }
}

/* -1: outside of a dimension without period. */
static int64_t place_in_grid(const Cartesian *grid, const int64_t coordinates[CARTESIAN_LIMIT])
{
    int64_t place = 0;
    for (int64_t i = 0; i < grid->n_dimensions; i++) {
        int64_t at = coordinates[i], size = grid->sizes[i];
        if (grid->periods[i])
            at = (at % size + size) % size;
        if (at < 0 || at >= size)
            return -1;
        place = place * size + at;
    }
    return place;
}

static bool argument_dimensions(const MpiCall *call, size_t i, int64_t *n)
{
    if (!argument_whole(call, i, "number of dimensions", n))
        return false;
    return (*n >= 1 && *n <= CARTESIAN_LIMIT) ||
           run_fail(call->run, &call->call->place, "%s has %lld dimensions, and firma follows 1 to %d",
                    call->call->name, (long long)*n, CARTESIAN_LIMIT);
}

static void call_cart_create(const MpiCall *call)
{
    Run *run = call->run;
    Handle *comm;
    Cartesian grid = {0};
    if (!argument_comm(call, 0, &comm) || !argument_dimensions(call, 1, &grid.n_dimensions))
        return;
    for (int64_t i = 0; i < grid.n_dimensions; i++)
        if (!argument_element(call, 2, i, "sizes", &grid.sizes[i]) ||
            !argument_element(call, 3, i, "periods", &grid.periods[i]))
            return;
    uint32_t parent = comm->comm, number = next_exchange(run, parent)->number;
    const Comm *all = members_of(run, comm);
    int64_t size = grid_size(&grid);
    if (size < 1 || size > all->n_members) {
        run_fail(run, &call->call->place, "the topology has %lld places, and there are %u processes", (long long)size,
                 all->n_members);
        return;
    }
    uint32_t *members = arena_copy_array(run->world->all.arena, all->members, (size_t)size, sizeof(uint32_t));
    add_making(run, parent);
    if (own_place(run, parent) >= size)
        store_null(call, 5);
    else
        store_comm(call, 5, (Handle){.comm = comm_made(run, parent, number, members, (uint32_t)size), .grid = grid});
}

static bool argument_grid(const MpiCall *call, Handle **comm)
{
    if (!argument_comm(call, 0, comm))
        return false;
    return (*comm)->grid.n_dimensions > 0 ||
           run_fail(call->run, &call->call->place, "the communicator of %s has no topology", call->call->name);
}

static void call_cart_coords(const MpiCall *call)
{
    Handle *comm;
    int64_t place, coordinates[CARTESIAN_LIMIT];
    if (!argument_grid(call, &comm) || !argument_whole(call, 1, "rank", &place))
        return;
    coordinates_of(&comm->grid, place, coordinates);
    for (int64_t i = 0; i < comm->grid.n_dimensions; i++)
        argument_set_element(call, 3, i, coordinates[i]);
}

static void call_cart_rank(const MpiCall *call)
{
    Handle *comm;
    int64_t coordinates[CARTESIAN_LIMIT];
    if (!argument_grid(call, &comm))
        return;
    for (int64_t i = 0; i < comm->grid.n_dimensions; i++)
        if (!argument_element(call, 1, i, "coordinates", &coordinates[i]))
            return;
    argument_set(call, 2, place_in_grid(&comm->grid, coordinates));
}

static void call_cart_get(const MpiCall *call)
{
    Handle *comm;
    int64_t coordinates[CARTESIAN_LIMIT];
    if (!argument_grid(call, &comm))
        return;
    const Cartesian grid = comm->grid;
    coordinates_of(&grid, own_place(call->run, comm->comm), coordinates);
    for (int64_t i = 0; i < grid.n_dimensions; i++) {
        argument_set_element(call, 2, i, grid.sizes[i]);
        argument_set_element(call, 3, i, grid.periods[i]);
        argument_set_element(call, 4, i, coordinates[i]);
    }
}

static int64_t shifted(const Run *run, const Handle *comm, int64_t dimension, int64_t by)
{
    int64_t coordinates[CARTESIAN_LIMIT];
    coordinates_of(&comm->grid, own_place(run, comm->comm), coordinates);
    coordinates[dimension] += by;
    int64_t place = place_in_grid(&comm->grid, coordinates);
    return place < 0 ? run->world->constants[CONSTANT_PROC_NULL] : place;
}

static void call_cart_shift(const MpiCall *call)
{
    Handle *comm;
    int64_t dimension, by;
    if (!argument_grid(call, &comm) || !argument_whole(call, 1, "dimension", &dimension) ||
        !argument_whole(call, 2, "displacement", &by))
        return;
    if (dimension < 0 || dimension >= comm->grid.n_dimensions) {
        run_fail(call->run, &call->call->place, "MPI_Cart_shift names dimension %lld of %lld", (long long)dimension,
                 (long long)comm->grid.n_dimensions);
        return;
    }
    argument_set(call, 3, shifted(call->run, comm, dimension, -by));
    argument_set(call, 4, shifted(call->run, comm, dimension, by));
}

/* Members that have the same coordinates in all dropped dimensions. */
static void make_sub(const MpiCall *call, const Handle *comm, const bool kept[CARTESIAN_LIMIT], uint32_t number)
{
    Run *run = call->run;
    const Comm *all = members_of(run, comm);
    uint32_t n = 0, *members = arena_new_array(run->world->all.arena, uint32_t, all->n_members);
    int64_t own[CARTESIAN_LIMIT], other[CARTESIAN_LIMIT];
    Handle made = {.grid = {0}};
    coordinates_of(&comm->grid, own_place(run, comm->comm), own);
    for (uint32_t i = 0; i < all->n_members; i++) {
        bool is_member = true;
        coordinates_of(&comm->grid, i, other);
        for (int64_t k = 0; k < comm->grid.n_dimensions; k++)
            is_member = is_member && (kept[k] || own[k] == other[k]);
        if (is_member)
            members[n++] = all->members[i];
    }
    for (int64_t k = 0; k < comm->grid.n_dimensions; k++)
        if (kept[k]) {
            made.grid.sizes[made.grid.n_dimensions] = comm->grid.sizes[k];
            made.grid.periods[made.grid.n_dimensions++] = comm->grid.periods[k];
        }
    made.comm = comm_made(run, comm->comm, number, members, n);
    store_comm(call, 2, made);
}

static void call_cart_sub(const MpiCall *call)
{
    Handle *comm;
    bool kept[CARTESIAN_LIMIT] = {false};
    if (!argument_grid(call, &comm))
        return;
    for (int64_t i = 0; i < comm->grid.n_dimensions; i++) {
        int64_t keep;
        if (!argument_element(call, 1, i, "kept dimensions", &keep))
            return;
        kept[i] = keep != 0;
    }
    const Handle parent = *comm;
    uint32_t number = next_exchange(call->run, parent.comm)->number;
    add_making(call->run, parent.comm);
    make_sub(call, &parent, kept, number);
}

/* Balanced sizes, largest first: prime factors, largest first, each to the smallest size. */
static void balance(int64_t n, int64_t *sizes, int64_t n_free)
{
    int64_t factors[64], n_factors = 0;
    for (int64_t i = 0; i < n_free; i++)
        sizes[i] = 1;
    for (int64_t factor = 2; n > 1; factor++)
        for (; n % factor == 0; n /= factor)
            factors[n_factors++] = factor;
    while (n_factors-- > 0) {
        int64_t least = 0;
        for (int64_t i = 1; i < n_free; i++)
            if (sizes[i] < sizes[least])
                least = i;
        sizes[least] *= factors[n_factors];
    }
    for (int64_t i = 1; i < n_free; i++)
        for (int64_t k = i; k > 0 && sizes[k] > sizes[k - 1]; k--) {
            int64_t larger = sizes[k];
            sizes[k] = sizes[k - 1];
            sizes[k - 1] = larger;
        }
}

static void call_dims_create(const MpiCall *call)
{
    int64_t n, n_dimensions, sizes[CARTESIAN_LIMIT], balanced[CARTESIAN_LIMIT], n_free = 0;
    if (!argument_whole(call, 0, "number of processes", &n) || !argument_dimensions(call, 1, &n_dimensions))
        return;
    for (int64_t i = 0; i < n_dimensions; i++) {
        if (!argument_element(call, 2, i, "sizes", &sizes[i]))
            return;
        n_free += sizes[i] == 0;
        if (sizes[i] < 0 || (sizes[i] && n % sizes[i])) {
            run_fail(call->run, &call->call->place, "MPI_Dims_create can't divide %lld processes by %lld", (long long)n,
                     (long long)sizes[i]);
            return;
        }
        n /= sizes[i] ? sizes[i] : 1;
    }
    balance(n < 1 ? 1 : n, balanced, n_free);
    for (int64_t i = 0, next = 0; i < n_dimensions; i++)
        if (!sizes[i])
            argument_set_element(call, 2, i, balanced[next++]);
}

/* ---- Asking ---- */

static void call_rank(const MpiCall *call)
{
    Handle *comm;
    if (argument_comm(call, 0, &comm))
        argument_set(call, 1, own_place(call->run, comm->comm));
}

static void call_size(const MpiCall *call)
{
    Handle *comm;
    if (argument_comm(call, 0, &comm))
        argument_set(call, 1, members_of(call->run, comm)->n_members);
}

static const struct {
    const char *name;
    void (*make)(const MpiCall *call);
} calls[] = {
    {"MPI_Comm_rank", call_rank},      {"MPI_Comm_size", call_size},          {"MPI_Comm_dup", call_dup},
    {"MPI_Comm_split", call_split},    {"MPI_Cart_create", call_cart_create}, {"MPI_Cart_coords", call_cart_coords},
    {"MPI_Cart_rank", call_cart_rank}, {"MPI_Cart_get", call_cart_get},       {"MPI_Cart_shift", call_cart_shift},
    {"MPI_Cart_sub", call_cart_sub},   {"MPI_Dims_create", call_dims_create},
};

bool call_group(const MpiCall *call)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(call->call->name, calls[i].name) == 0) {
            calls[i].make(call);
            return true;
        }
    return false;
}
