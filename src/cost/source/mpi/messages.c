/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two processes, and the requests of nonblocking ones. A nonblocking receive
 * happens where it completes. */
#include "cost/source/mpi/run.h"

/* Of all events of calls that don't wait for their messages. */
enum { SOME_REQUEST = 0 };

/* Where the arguments of a call stand; 0: the call has no such argument. */
typedef struct MessageForm {
    const char *name;
    bool sends;
    bool is_persistent;
    unsigned request;
} MessageForm;

/* (buffer, count, datatype, partner, tag, comm, …) */
static const MessageForm forms[] = {
    {"MPI_Send", true, false, 0},      {"MPI_Ssend", true, false, 0},     {"MPI_Bsend", true, false, 0},
    {"MPI_Rsend", true, false, 0},     {"MPI_Recv", false, false, 0},     {"MPI_Isend", true, false, 6},
    {"MPI_Issend", true, false, 6},    {"MPI_Ibsend", true, false, 6},    {"MPI_Irsend", true, false, 6},
    {"MPI_Irecv", false, false, 6},    {"MPI_Send_init", true, true, 6},  {"MPI_Ssend_init", true, true, 6},
    {"MPI_Bsend_init", true, true, 6}, {"MPI_Rsend_init", true, true, 6}, {"MPI_Recv_init", false, true, 6},
};

typedef struct MessageArguments {
    size_t count, datatype, partner, tag, comm;
} MessageArguments;

/* The event of a message. *is_none: the partner is MPI_PROC_NULL. */
static bool message_event(const MpiCall *call, const MessageArguments *at, bool sends, Event *event, bool *is_none)
{
    Run *run = call->run;
    int64_t partner, tag, bytes;
    Handle *comm;
    if (!argument_whole(call, at->partner, sends ? "receiver" : "sender", &partner))
        return false;
    *is_none = partner == run->world->constants[CONSTANT_PROC_NULL];
    if (*is_none)
        return true;
    if (!sends && partner == run->world->constants[CONSTANT_ANY_SOURCE]) {
        run_fail(run, &call->call->place, "%s takes a message from any process, so its sender isn't known",
                 call->call->name);
        return err_hint(run->world->all.err, "trace the program: `firma trace` sees who sends");
    }
    if (!argument_comm(call, at->comm, &comm) || !argument_bytes(call, at->count, at->datatype, &bytes))
        return false;
    const Comm *members = &run->world->comms.items[comm->comm];
    if (partner < 0 || partner >= members->n_members)
        return run_fail(run, &call->call->place, "the %s of %s is %lld, and its communicator has %u processes",
                        sends ? "receiver" : "sender", call->call->name, (long long)partner, members->n_members);
    Amount tags = amount_of(call->scope, call->call->operands[at->tag]);
    if (!tags.expr || !expr_is_integer(tags.expr, &tag)) /* messages are matched by number */
        tag = 0;
    *event = (Event){.kind = sends ? EVENT_SEND : EVENT_RECV,
                     .comm = comm->comm,
                     .peer = members->members[partner],
                     .tag = (uint32_t)tag,
                     .bytes = (uint64_t)bytes,
                     .request = NO_REQUEST};
    return true;
}

/* ---- Requests ---- */

/* Where a call's argument points to. An array, or a reference whose target isn't followed, is its first element. */
static bool request_place(const MpiCall *call, size_t i, Place *place)
{
    const SourceExpression *argument = without_casts(call->call->operands[i]);
    Place own;
    if (!place_pointed_to(call->scope, argument, place))
        return false;
    bool is_array = argument->kind != SOURCE_ADDRESS && !*place->part && place->variable->array_bytes > 0;
    bool is_own = argument->kind != SOURCE_ADDRESS && place_of(call->scope, argument, &own) &&
                  own.variable == place->variable && strcmp(own.part, place->part) == 0;
    if (is_array || is_own)
        *place = place_element(call->scope, place, 0);
    return true;
}

static bool request_at(const MpiCall *call, size_t i, int64_t index, bool is_array, Place *place, Handle **request)
{
    Place base;
    if (is_array ? place_pointed_to(call->scope, call->call->operands[i], &base) : request_place(call, i, &base)) {
        *place = is_array ? place_element(call->scope, &base, index) : base;
        place->is_element = false;
        *request = handle_find(call->run, place_get(call->scope, place));
        if (*request)
            return true;
    }
    return run_fail(call->run, &call->call->place, "it isn't known which request %s completes: `%s`", call->call->name,
                    call->call->operands[i]->text ? call->call->operands[i]->text : "");
}

static Amount null_request(const Run *run)
{
    for (size_t i = 0; i < run->world->predefined.count; i++)
        if (run->handles.items[i].kind == HANDLE_NULL)
            return amount_number(run->world->all.space, LEAST_HANDLE + (double)i);
    return UNKNOWN_AMOUNT;
}

static void complete(const MpiCall *call, const Place *place, Handle *request)
{
    bool is_kept = request->is_persistent;
    if (request->is_pending && request->is_receive)
        add_event(call->run, request->event);
    request->is_pending = false;
    if (!is_kept)
        place_set(call->scope, place, null_request(call->run));
}

static void start(Run *run, Handle *request)
{
    request->is_pending = true;
    if (!request->is_receive)
        add_event(run, request->event);
}

/* Stores a request where the call's argument points to. */
static void store_request(const MpiCall *call, unsigned argument, Handle request)
{
    Place place;
    bool starts = !request.is_persistent && request.kind == HANDLE_REQUEST;
    Amount value = request.kind == HANDLE_NULL ? null_request(call->run) : handle_add(call->run, request);
    if (starts)
        start(call->run, handle_find(call->run, value));
    if (!request_place(call, argument, &place)) {
        run_fail(call->run, &call->call->place, "it isn't known where %s stores its request: `%s`", call->call->name,
                 call->call->operands[argument]->text ? call->call->operands[argument]->text : "");
        return;
    }
    place.is_element = false;
    place_set(call->scope, &place, value);
}

/* What MPI_Test and its like tell by an argument. */
static void assume_success(const MpiCall *call, unsigned argument)
{
    finding_add(&call->run->world->all, &call->call->place, NULL, "the test is assumed to succeed at once");
    argument_set(call, argument, 1);
}

static bool call_wait(const MpiCall *call, bool is_test)
{
    Place place;
    Handle *request;
    if (!request_at(call, 0, 0, false, &place, &request))
        return true;
    complete(call, &place, request);
    if (is_test)
        assume_success(call, 1);
    return true;
}

static bool call_wait_all(const MpiCall *call, bool is_test)
{
    int64_t n;
    if (!argument_whole(call, 0, "count", &n))
        return true;
    for (int64_t i = 0; i < n; i++) {
        Place place;
        Handle *request;
        if (!request_at(call, 1, i, true, &place, &request))
            return true;
        complete(call, &place, request);
    }
    if (is_test)
        assume_success(call, 2);
    return true;
}

/* The first request that is pending; requests complete in their order. */
static bool call_wait_any(const MpiCall *call)
{
    int64_t n;
    if (!argument_whole(call, 0, "count", &n))
        return true;
    finding_add(&call->run->world->all, &call->call->place, NULL, "requests are assumed to complete in their order");
    for (int64_t i = 0; i < n; i++) {
        Place place;
        Handle *request;
        if (!request_at(call, 1, i, true, &place, &request))
            return true;
        if (!request->is_pending)
            continue;
        complete(call, &place, request);
        argument_set(call, 2, i);
        return true;
    }
    argument_set(call, 2, call->run->world->constants[CONSTANT_UNDEFINED]);
    return true;
}

static bool call_start(const MpiCall *call, bool is_array)
{
    int64_t n = 1;
    if (is_array && !argument_whole(call, 0, "count", &n))
        return true;
    for (int64_t i = 0; i < n; i++) {
        Place place;
        Handle *request;
        if (!request_at(call, is_array ? 1 : 0, i, is_array, &place, &request))
            return true;
        if (request->is_persistent)
            start(call->run, request);
    }
    return true;
}

/* ---- Calls ---- */

static bool call_of_form(const MpiCall *call, const MessageForm *form)
{
    static const MessageArguments at = {1, 2, 3, 4, 5};
    Event event;
    bool is_none;
    if (!message_event(call, &at, form->sends, &event, &is_none))
        return true;
    if (!form->sends)
        argument_received(call, 0);
    event.request = form->request ? SOME_REQUEST : NO_REQUEST;
    if (form->request)
        store_request(call, form->request,
                      (Handle){.kind = is_none && !form->is_persistent ? HANDLE_NULL : HANDLE_REQUEST,
                               .number = -1,
                               .is_receive = !form->sends,
                               .is_persistent = form->is_persistent,
                               .event = event});
    else if (!is_none)
        add_event(call->run, event);
    return true;
}

static bool call_sendrecv(const MpiCall *call, const MessageArguments *send, const MessageArguments *receive,
                          size_t buffer)
{
    Event event, received;
    bool is_none, gets_none;
    if (!message_event(call, send, true, &event, &is_none) ||
        !message_event(call, receive, false, &received, &gets_none))
        return true;
    event.request = gets_none ? NO_REQUEST : SOME_REQUEST; /* it doesn't keep the receive waiting */
    if (!is_none)
        add_event(call->run, event);
    if (!gets_none)
        add_event(call->run, received);
    argument_received(call, buffer);
    return true;
}

bool call_message(const MpiCall *call)
{
    const char *name = call->call->name;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0)
            return call_of_form(call, &forms[i]);
    if (strcmp(name, "MPI_Sendrecv") == 0)
        return call_sendrecv(call, &(MessageArguments){1, 2, 3, 4, 10}, &(MessageArguments){6, 7, 8, 9, 10}, 5);
    if (strcmp(name, "MPI_Sendrecv_replace") == 0)
        return call_sendrecv(call, &(MessageArguments){1, 2, 3, 4, 7}, &(MessageArguments){1, 2, 5, 6, 7}, 0);
    if (strcmp(name, "MPI_Wait") == 0 || strcmp(name, "MPI_Test") == 0)
        return call_wait(call, name[4] == 'T');
    if (strcmp(name, "MPI_Waitall") == 0 || strcmp(name, "MPI_Testall") == 0)
        return call_wait_all(call, name[4] == 'T');
    if (strcmp(name, "MPI_Waitany") == 0)
        return call_wait_any(call);
    if (strcmp(name, "MPI_Start") == 0 || strcmp(name, "MPI_Startall") == 0)
        return call_start(call, strlen(name) > 9);
    return false;
}
