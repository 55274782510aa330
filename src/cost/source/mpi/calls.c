/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI: their arguments, and calls that begin, end or only ask. */
#include "cost/source/mpi/run.h"

#include <math.h>

/* ---- Arguments ---- */

static const char *text_of(const SourceExpression *expression)
{
    return expression->text ? expression->text : "";
}

static bool fail_unknown(const MpiCall *call, size_t i, const char *what)
{
    run_fail(call->run, &call->call->place, "the %s of %s isn't known: `%s`", what, call->call->name,
             text_of(call->call->operands[i]));
    return err_hint(call->run->world->all.err, "give the values of variables that it depends on: --set NAME=VALUE");
}

bool argument_whole(const MpiCall *call, size_t i, const char *what, int64_t *value)
{
    Amount amount = amount_of(call->scope, call->call->operands[i]);
    if (amount.expr && expr_is_integer(amount.expr, value))
        return true;
    return call->run->world->all.failed ? false : fail_unknown(call, i, what);
}

bool argument_is_constant(const MpiCall *call, size_t i, Constant constant)
{
    const SourceExpression *argument = without_casts(call->call->operands[i]);
    return argument->kind == SOURCE_NUMBER && (int64_t)argument->value == call->run->world->constants[constant];
}

bool argument_bytes(const MpiCall *call, size_t count, size_t datatype, int64_t *bytes)
{
    int64_t n;
    if (!argument_whole(call, count, "count", &n))
        return false;
    const Handle *type = handle_find(call->run, amount_of(call->scope, call->call->operands[datatype]));
    if (!type || type->kind != HANDLE_DATATYPE)
        return fail_unknown(call, datatype, "datatype");
    if (n < 0 || (type->bytes > 0 && n > INT64_MAX / type->bytes))
        return run_fail(call->run, &call->call->place, "the count of %s is %lld", call->call->name, (long long)n);
    *bytes = n * type->bytes;
    return true;
}

void argument_set(const MpiCall *call, size_t i, int64_t value)
{
    Place place;
    if (place_pointed_to(call->scope, call->call->operands[i], &place))
        place_set(call->scope, &place, amount_number(call->scope->space, (double)value));
}

void argument_received(const MpiCall *call, size_t i)
{
    place_forget(call->scope, call->call->operands[i]);
}

bool argument_element(const MpiCall *call, size_t i, int64_t index, const char *what, int64_t *value)
{
    Place array;
    if (place_pointed_to(call->scope, call->call->operands[i], &array)) {
        Place element = place_element(call->scope, &array, index);
        Amount amount = place_get(call->scope, &element);
        if (amount.expr && expr_is_integer(amount.expr, value))
            return true;
    }
    return fail_unknown(call, i, what);
}

void argument_set_element(const MpiCall *call, size_t i, int64_t index, int64_t value)
{
    Place array;
    if (!place_pointed_to(call->scope, call->call->operands[i], &array))
        return;
    Place element = place_element(call->scope, &array, index);
    place_set(call->scope, &element, amount_number(call->scope->space, (double)value));
}

bool argument_comm(const MpiCall *call, size_t i, Handle **comm)
{
    *comm = handle_find(call->run, amount_of(call->scope, call->call->operands[i]));
    return (*comm && (*comm)->kind == HANDLE_COMM) || fail_unknown(call, i, "communicator");
}

/* ---- Events ---- */

void add_event(Run *run, Event event)
{
    run_flush(run);
    if (run->has_ended)
        return;
    event.compute_ns = (int64_t)llround(1e9 * fmin(run->pending_s, 9e9));
    run->pending_s = 0;
    *vec_push(&run->activities) = (Activity){.event = event};
}

uint32_t own_place(const Run *run, uint32_t comm)
{
    const Comm *members = &run->world->comms.items[comm];
    uint32_t place = comm_place(members, run->rank);
    return place < members->n_members ? place : 0;
}

static void begin(Run *run)
{
    run_forget(run);
    run->activities.count = 0;
    run->has_begun = true;
    add_event(run, (Event){.kind = EVENT_BEGIN});
}

/* ---- Calls ---- */

typedef enum Effect { EFFECT_NONE, EFFECT_BEGIN, EFFECT_BEGIN_THREADS, EFFECT_END } Effect;

/* Calls without messages of their own. A name that ends with _ stands for all that begin so. */
static const struct {
    const char *name;
    Effect effect;
} plain_calls[] = {
    {"MPI_Init", EFFECT_BEGIN},        {"MPI_Init_thread", EFFECT_BEGIN_THREADS},
    {"MPI_Finalize", EFFECT_END},      {"MPI_Wtime", EFFECT_NONE},
    {"MPI_Wtick", EFFECT_NONE},        {"MPI_Initialized", EFFECT_NONE},
    {"MPI_Finalized", EFFECT_NONE},    {"MPI_Get_processor_name", EFFECT_NONE},
    {"MPI_Error_string", EFFECT_NONE}, {"MPI_Error_class", EFFECT_NONE},
    {"MPI_Get_version", EFFECT_NONE},  {"MPI_Get_library_version", EFFECT_NONE},
    {"MPI_Op_", EFFECT_NONE},          {"MPI_Errhandler_", EFFECT_NONE},
    {"MPI_Info_", EFFECT_NONE},        {"MPI_Pcontrol", EFFECT_NONE},
    {"MPI_Buffer_", EFFECT_NONE},      {"MPI_Comm_set_", EFFECT_NONE},
    {"MPI_Comm_get_", EFFECT_NONE},    {"MPI_Comm_free", EFFECT_NONE},
    {"MPI_Get_address", EFFECT_NONE},  {"MPI_Request_free", EFFECT_NONE},
    {"MPI_Alloc_mem", EFFECT_NONE},    {"MPI_Free_mem", EFFECT_NONE},
    {"MPI_Query_thread", EFFECT_NONE}, {"MPI_Is_thread_main", EFFECT_NONE},
};

static bool is_named(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);
    return pattern[length - 1] == '_' ? strncmp(name, pattern, length) == 0 : strcmp(name, pattern) == 0;
}

static bool call_plain(const MpiCall *call)
{
    for (size_t i = 0; i < sizeof plain_calls / sizeof *plain_calls; i++) {
        if (!is_named(call->call->name, plain_calls[i].name))
            continue;
        switch (plain_calls[i].effect) {
        case EFFECT_BEGIN_THREADS:
            begin(call->run);
            argument_received(call, 3);
            return true;
        case EFFECT_BEGIN:
            begin(call->run);
            return true;
        case EFFECT_END:
            add_event(call->run, (Event){.kind = EVENT_END});
            call->run->has_ended = true;
            return true;
        case EFFECT_NONE:
            for (size_t k = 0; k < call->call->n_operands; k++)
                if (without_casts(call->call->operands[k])->kind == SOURCE_ADDRESS)
                    argument_received(call, k);
            return true;
        }
    }
    return false;
}

Flow run_mpi_call(Run *run, Scope *scope, const SourceExpression *expression)
{
    SourceExpression named = *expression; /* PMPI_Send is MPI_Send */
    named.name = expression->name[0] == 'P' ? expression->name + 1 : expression->name;
    const MpiCall call = {run, scope, &named};
    bool is_known =
        call_plain(&call) || call_message(&call) || call_collective(&call) || call_group(&call) || call_datatype(&call);
    if (!is_known && !run->world->all.failed) {
        run_fail(run, &expression->place, "%s is called, which firma doesn't follow in sources", named.name);
        err_hint(run->world->all.err, "trace the program: `firma trace` records all calls");
    }
    return run->world->all.failed || run->lacks_exchange ? FLOW_END : FLOW_ON;
}
