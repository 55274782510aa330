/* SPDX-License-Identifier: BSD-3-Clause */
/* See forwarding.h. Follows registers through the walk as sums: a constant, and what registers held that isn't known,
 * each times a number. Two addresses are the same if these sums are. */
#include "cost/compiled/forwarding.h"

#include "cost/compiled/operands.h"

#include <stdlib.h>
#include <string.h>

enum { TERMS = 4, REMEMBERED = 32 };

typedef struct Term {
    unsigned unknown; /* its number; 0: no term */
    int64_t times;
} Term;

/* In the order of the unknowns' numbers. */
typedef struct Value {
    int64_t constant;
    Term terms[TERMS];
} Value;

typedef struct Store {
    const Instruction *instruction;
    Value address;
} Store;

typedef struct Follower {
    Value registers[REGISTERS];
    unsigned n_unknown;
    size_t n_stores;
    Store stores[REMEMBERED]; /* the last ones, by their number modulo REMEMBERED */
} Follower;

/* ---- Values ---- */

static Value unknown(Follower *follower)
{
    return (Value){.terms = {{++follower->n_unknown, 1}}};
}

/* a + times b, as registers wrap. */
static int64_t added(int64_t a, int64_t times, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)times * (uint64_t)b);
}

/* a + b times. One with too many terms is unknown. */
static Value sum(Follower *follower, const Value *a, const Value *b, int64_t times)
{
    Value value = {.constant = added(a->constant, times, b->constant)};
    size_t n = 0, i = 0, k = 0;
    while ((i < TERMS && a->terms[i].unknown) || (k < TERMS && b->terms[k].unknown)) {
        bool has_a = i < TERMS && a->terms[i].unknown, has_b = k < TERMS && b->terms[k].unknown;
        bool takes_a = has_a && (!has_b || a->terms[i].unknown <= b->terms[k].unknown);
        bool takes_b = has_b && (!has_a || b->terms[k].unknown <= a->terms[i].unknown);
        Term term = {takes_a ? a->terms[i].unknown : b->terms[k].unknown, 0};
        term.times = added(takes_a ? a->terms[i].times : 0, times, takes_b ? b->terms[k].times : 0);
        i += takes_a;
        k += takes_b;
        if (!term.times)
            continue;
        if (n == TERMS)
            return unknown(follower);
        value.terms[n++] = term;
    }
    return value;
}

static bool is_same(const Value *a, const Value *b)
{
    if (a->constant != b->constant)
        return false;
    for (size_t i = 0; i < TERMS; i++)
        if (a->terms[i].unknown != b->terms[i].unknown || a->terms[i].times != b->terms[i].times)
            return false;
    return true;
}

/* ---- Operands ---- */

static int register_of(const char *operand)
{
    return operand_register(operand, strcspn(operand, ",)"));
}

/* Of "8(%rax,%rdx,4)", without a symbol: the sum. */
static bool address_of(Follower *follower, const char *operand, Value *address)
{
    char *rest;
    *address = (Value){.constant = strtoll(operand, &rest, 0)};
    if (*rest != '(' || rest[1] == ')')
        return false;
    for (rest++; *rest && *rest != ')';) {
        int number = register_of(rest);
        rest += strcspn(rest, ",)");
        rest += *rest == ',';
        rest += strspn(rest, " ");
        bool is_scaled = *rest >= '1' && *rest <= '8';
        int64_t times = is_scaled ? strtoll(rest, &rest, 10) : 1;
        if (number >= 0)
            *address = sum(follower, address, &follower->registers[number], times);
    }
    return true;
}

static bool value_of(Follower *follower, const char *operand, Value *value)
{
    int number = register_of(operand);
    if (number >= 0)
        *value = follower->registers[number];
    else if (*operand == '$')
        *value = (Value){.constant = strtoll(operand + 1, NULL, 0)};
    return number >= 0 || (*operand == '$' && strchr("-0123456789", operand[1]));
}

/* ---- Instructions ---- */

static bool begins(const char *text, const char *name)
{
    return strncmp(text, name, strlen(name)) == 0;
}

/* What an instruction writes into its last operand, if that is a general register. */
static Value written(Follower *follower, const char *text, unsigned n, int target)
{
    const char *source = operand_at(text, 0);
    const Value none = {0}, before = follower->registers[target];
    Value value;
    if (begins(text, "lea") && n == 2 && address_of(follower, source, &value))
        return value;
    if (begins(text, "mov") && n == 2 && value_of(follower, source, &value))
        return value;
    if ((begins(text, "add") || begins(text, "sub")) && n == 2 && value_of(follower, source, &value))
        return sum(follower, &before, &value, begins(text, "add") ? 1 : -1);
    if ((begins(text, "sal") || begins(text, "shl")) && n == 2 && *source == '$')
        return sum(follower, &none, &before, (int64_t)1 << (strtoll(source + 1, NULL, 0) & 31));
    if (begins(text, "neg") && n == 1)
        return sum(follower, &none, &before, -1);
    if (begins(text, "xorl") && n == 2 && register_of(source) == target)
        return none;
    return unknown(follower);
}

static bool begins_with_one_of(const char *text, const char *const *names)
{
    while (*names && !begins(text, *names))
        names++;
    return *names;
}

static void forget(Follower *follower, int number)
{
    follower->registers[number] = unknown(follower);
}

static void follow(Follower *follower, const char *text)
{
    static const char *const reading[] = {"bt", "push", "j", NULL}, *const to_rdx[] = {"cqto", "cltd", NULL};
    const unsigned n = operand_count(text);
    const char *last = operand_last(text);
    const int target = last ? register_of(last) : -1;
    const bool is_product = n == 1 && (begins(text, "mul") || begins(text, "imul") || strstr(text, "div"));
    for (int i = 0; i < REGISTERS && begins(text, "call"); i++)
        if (i != REGISTER_RBX && i < 12) /* the others stay */
            forget(follower, i);
    if (is_product)
        forget(follower, REGISTER_RAX);
    if (is_product || begins_with_one_of(text, to_rdx))
        forget(follower, REGISTER_RDX);
    if (target >= 0 && !is_product && !operands_are_compared(text) && !begins_with_one_of(text, reading))
        follower->registers[target] = written(follower, text, n, target);
}

/* The instruction of which this address is the last store, and of whose stores it is the last. */
static const Instruction *stored_by(const Follower *follower, const Value *address)
{
    size_t n = follower->n_stores < REMEMBERED ? follower->n_stores : REMEMBERED;
    for (size_t i = 1; i <= n; i++) {
        const Store *store = &follower->stores[(follower->n_stores - i) % REMEMBERED];
        if (!is_same(&store->address, address))
            continue;
        for (size_t k = 1; k < i; k++)
            if (follower->stores[(follower->n_stores - k) % REMEMBERED].instruction == store->instruction)
                return NULL;
        return store->instruction;
    }
    return NULL;
}

/* What registers hold before the walk, by the function's text in front of it. */
static void follow_to(Follower *follower, const Walked *walked)
{
    InstructionCursor cursor = {.function = walked->function, .loop = -1};
    const Instruction *instruction;
    for (size_t i = 0; i < REGISTERS; i++)
        follower->registers[i] = unknown(follower);
    while (walked->function && (instruction = assembly_next(&cursor)) && instruction != walked->instructions.items[0])
        follow(follower, instruction->text);
}

const Instruction *const *forwarding_find(const Walked *walked, Arena *arena)
{
    const Instruction **found = arena_new_array(arena, const Instruction *, walked->instructions.count);
    Follower *follower = arena_alloc(arena, sizeof *follower);
    *follower = (Follower){0};
    if (walked->instructions.count)
        follow_to(follower, walked);
    for (size_t i = 0; i < walked->instructions.count; i++) {
        const Instruction *instruction = walked->instructions.items[i];
        const char *text = instruction->text, *operand;
        size_t length;
        Value address;
        bool has_address = !begins(text, "lea") && operand_in_memory(text, &operand, &length) &&
                           address_of(follower, operand, &address);
        bool is_last = has_address && !operand[length] && operand_count(text) > 1;
        bool is_store = is_last && !operands_are_compared(text);
        if (has_address && !(is_store && (begins(text, "mov") || begins(text, "vmov"))))
            found[i] = stored_by(follower, &address);
        if (is_store)
            follower->stores[follower->n_stores++ % REMEMBERED] = (Store){instruction, address};
        follow(follower, text);
    }
    return found;
}
