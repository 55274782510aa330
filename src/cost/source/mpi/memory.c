/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that get, free, copy or clear memory. Only whole variables and allocations are copied and cleared as known
 * data; of parts of them, nothing is known then. */
#include "cost/source/expression.h"
#include "cost/source/mpi/run.h"
#include "cost/source/operation.h"

/* posix_memalign(&reference, alignment, size) */
static bool call_align(Scope *scope, const SourceExpression *call, Amount *value)
{
    const SourceExpression *reference = without_casts(call->operands[0]);
    if (call->n_operands != 3 || reference->kind != SOURCE_ADDRESS)
        return false;
    emit_operation(scope, CPU_ALLOCATE, CPU_REFERENCE);
    emit_allocated_bytes(scope, call);
    place_assign_now(scope, without_casts(reference->operands[0]), amount_of(scope, call->operands[2]), NULL,
                     place_allocated(scope, call));
    *value = amount_number(scope->space, 0);
    return true;
}

static bool holds_the_same(const Place *a, const Place *b)
{
    return !a->held || !b->held || strcmp(a->held, b->held) == 0;
}

/* memcpy(to, from, size), memset(to, value, size) */
static void call_fill(Scope *scope, const SourceExpression *call, bool copies)
{
    Place to, from;
    double bytes, value = 0;
    bool is_whole = call->n_operands == 3 && place_pointed_to(scope, call->operands[0], &to) &&
                    amount_is_number(amount_of(scope, call->operands[2]), &bytes) && place_is_whole(&to, bytes);
    if (is_whole && copies && place_pointed_to(scope, call->operands[1], &from) && place_is_whole(&from, bytes) &&
        holds_the_same(&to, &from))
        place_copy_whole(scope, &to, &from);
    else if (is_whole && !copies && amount_is_number(amount_of(scope, call->operands[1]), &value) && value == 0)
        place_clear(scope, &to);
    else
        place_forget(scope, call->operands[0]);
}

bool call_memory(Scope *scope, const SourceExpression *call, Amount *value, bool *is_done)
{
    static const struct {
        const char *name;
        enum { ALIGN, KEEP, RELEASE, COPY, FILL } effect;
    } calls[] = {{"posix_memalign", ALIGN}, {"realloc", KEEP}, {"free", RELEASE}, {"fclose", RELEASE},
                 {"memcpy", COPY},          {"memmove", COPY}, {"memset", FILL}};
    size_t i = 0, n = sizeof calls / sizeof *calls;
    while (i < n && (!call->name || !call->n_operands || strcmp(calls[i].name, call->name) != 0))
        i++;
    *is_done = i < n && calls[i].effect == ALIGN && call_align(scope, call, value);
    if (i == n || calls[i].effect == ALIGN)
        return *is_done;
    if (calls[i].effect == RELEASE)
        place_release(scope, call->operands[0]);
    else if (calls[i].effect != KEEP)
        call_fill(scope, call, calls[i].effect == COPY);
    return true;
}
