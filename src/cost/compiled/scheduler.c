/* SPDX-License-Identifier: BSD-3-Clause */
/* See scheduler.h. llvm-mca knows dependencies by registers, and none by memory. So a variable that the
 * compiler keeps on the stack gets a register that the code doesn't use: a store also copies what it stores
 * there, and a load takes its address from there, and so waits for the store.
 *
 *     movq  %rax, -8(%rbp)        movq  %rax, -8(%rbp);  leaq  (%rax), %r10
 *     movq  -8(%rbp), %rax        movq  -8(%rbp), %rax;  leaq  (%r10), %rax
 *     addsd -8(%rbp), %xmm0       addsd -8(%r10), %xmm0
 *     addq  $1, -8(%rbp)          movq  -8(%r10), %r10;  addq $1, %r10;  movq %r10, -8(%rbp)
 *
 * So does a store elsewhere that the code loads again (forwarding.h), as long as there are such registers. */
#include "cost/compiled/scheduler.h"

#include "base/files.h"
#include "base/map.h"
#include "base/process.h"
#include "base/text.h"
#include "cost/compiled/compiled.h"
#include "cost/compiled/forwarding.h"
#include "cost/compiled/operands.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Stands behind the name of a processor whose additions of floating-point numbers are faster than llvm-mca knows. */
static const char fast_additions[] = "+add2";

enum { CHAIN_ROUNDS = 200, CHAIN_LENGTH = 1000 };
enum { REPETITIONS = 2, LONGEST_MS = 600000, STAND_INS = 8 };

typedef struct Slot {
    const char *operand;      /* "-8(%rbp)"; NULL: this register stands for none */
    const Instruction *store; /* in place of an operand: whose last store it is */
    const char *stand_in;
    bool is_free; /* the code doesn't use the register */
} Slot;

/* What llvm-mca can't simulate: calls count by themselves, and returns are predicted. */
static bool is_left_out(const Instruction *instruction)
{
    static const char *const opcodes[] = {"call", "ret", "leave", "endbr64", "ud2", "hlt", "nop", NULL};
    for (size_t i = 0; opcodes[i]; i++)
        if (instruction_is(instruction, opcodes[i]))
            return true;
    return strchr(instruction->text, '*') || strncmp(instruction->text, "rep", 3) == 0 ||
           strncmp(instruction->text, "lock", 4) == 0 || strncmp(instruction->text, "notrack", 7) == 0;
}

/* Quotients of whole numbers: llvm-mca 14 has the times of processors before Zen 3 and Ice Lake, three times as
 * long. On these, a quotient takes as long as four products in a chain, and as much of a unit as six. */
static bool is_quotient(const char *text)
{
    static const char *const opcodes[] = {"idivl\t", "idivq\t", "divl\t", "divq\t", NULL};
    for (size_t i = 0; opcodes[i]; i++)
        if (strncmp(text, opcodes[i], strlen(opcodes[i])) == 0)
            return true;
    return false;
}

/* Floating-point additions of vectors of at most 32 bytes. */
static bool is_addition(const char *text)
{
    const char *name = text + (*text == 'v');
    bool is_named = strncmp(name, "add", 3) == 0 || strncmp(name, "sub", 3) == 0;
    return is_named && strlen(name) > 6 && (name[3] == 's' || name[3] == 'p') && strchr("sd", name[4]) &&
           name[5] == '\t' && !strstr(text, "%zmm") && !strchr(text, '{');
}

/* ---- Operands ---- */

/* The operand that is a variable on the stack, if the instruction has one. */
static bool find_slot(const char *text, const char **at, size_t *length)
{
    const char *base = strstr(text, "(%rsp)");
    base = base ? base : strstr(text, "(%rbp)");
    if (!base || strncmp(text, "lea", 3) == 0)
        return false;
    *at = base;
    while (*at > text && (strchr("0123456789-", (*at)[-1])))
        --*at;
    *length = (size_t)(base - *at) + strlen("(%rsp)");
    return true;
}

static bool is_move(const char *text)
{
    return strncmp(text, "mov", 3) == 0 || strncmp(text, "vmov", 4) == 0;
}

/* Writes the 64-bit name of a general register that isn't of the stack: "%eax" is a part of "%rax". */
static bool whole_register(const char *name, size_t length, char whole[8])
{
    static const char *const names[] = {"%rax", "%rbx", "%rcx", "%rdx", "%rsi", "%rdi"};
    const int number = operand_register(name, length);
    if (number < 0 || number == REGISTER_RBP || number == REGISTER_RSP)
        return false;
    return (number < REGISTER_RBP ? snprintf(whole, 8, "%s", names[number]) : snprintf(whole, 8, "%%r%d", number)) > 0;
}

static const char *whole_of(const char *name, Arena *arena)
{
    char whole[8] = "%rax";
    whole_register(name, strlen(name), whole);
    return arena_strdup(arena, whole);
}

static bool is_plain_load(const char *text)
{
    char whole[8];
    const char *target = operand_last(text);
    return (strncmp(text, "movq\t", 5) == 0 || strncmp(text, "movl\t", 5) == 0) &&
           whole_register(target, strlen(target), whole);
}

/* ---- Slots ---- */

static Slot *slot_of(Slot *slots, const char *operand, size_t length)
{
    for (size_t i = 0; i < STAND_INS; i++)
        if (slots[i].operand && strlen(slots[i].operand) == length && strncmp(slots[i].operand, operand, length) == 0)
            return &slots[i];
    return NULL;
}

static bool is_stored(const char *text, const char *slot)
{
    return operand_last(text) == slot && !operands_are_compared(text) && strchr(text, ',');
}

/* Gives registers to variables that the instructions store. Optimised code (without a frame pointer) keeps there what
 * calls would destroy; then the calls take longer than what waits for the stack. */
static void find_slots(const Walked *walked, Slot *slots, Arena *arena)
{
    static const char *const names[STAND_INS] = {"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"};
    bool calls = false, has_frame = false;
    for (size_t i = 0; i < walked->instructions.count; i++) {
        calls = calls || instruction_is(walked->instructions.items[i], "call");
        has_frame = has_frame || strstr(walked->instructions.items[i]->text, "(%rbp)");
    }
    for (size_t i = 0; i < STAND_INS; i++)
        slots[i] = (Slot){NULL, NULL, names[i], !calls || has_frame};
    for (size_t i = 0; i < walked->instructions.count; i++)
        for (size_t k = 0; k < STAND_INS; k++)
            slots[k].is_free = slots[k].is_free && !strstr(walked->instructions.items[i]->text, names[k]);
    for (size_t i = 0; i < walked->instructions.count; i++) {
        const char *text = walked->instructions.items[i]->text, *slot;
        size_t length, k = 0;
        if (!find_slot(text, &slot, &length) || !is_stored(text, slot) || slot_of(slots, slot, length))
            continue;
        while (k < STAND_INS && (!slots[k].is_free || slots[k].operand))
            k++;
        if (k < STAND_INS)
            slots[k].operand = arena_strndup(arena, slot, length);
    }
}

static Slot *slot_of_store(Slot *slots, const Instruction *store)
{
    for (size_t i = 0; store && i < STAND_INS; i++)
        if (slots[i].store == store)
            return &slots[i];
    return NULL;
}

/* Gives the other registers to stores that are loaded again. */
static void find_stores(const Walked *walked, const Instruction *const *loaded, Slot *slots)
{
    for (size_t i = 0; i < walked->instructions.count; i++) {
        size_t k = 0;
        if (!loaded[i] || !is_move(loaded[i]->text) || slot_of_store(slots, loaded[i]))
            continue;
        while (k < STAND_INS && (!slots[k].is_free || slots[k].operand || slots[k].store))
            k++;
        if (k < STAND_INS)
            slots[k].store = loaded[i];
    }
}

/* After a store: the register that stands for the variable has the stored value. */
static void add_copy(Text *text, const char *store, const Slot *slot)
{
    const char *source = strchr(store, '\t') + 1;
    char whole[8];
    size_t length = strcspn(source, ",");
    if (strncmp(source, "%xmm", 4) == 0 || strncmp(source, "%ymm", 4) == 0)
        text_add(text, "%s\t%%xmm%.*s, %s\n", *store == 'v' ? "vmovq" : "movq", (int)strspn(source + 4, "0123456789"),
                 source + 4, slot->stand_in);
    else if (whole_register(source, length, whole))
        text_add(text, "leaq\t(%s), %s\n", whole, slot->stand_in);
    else
        text_add(text, "movq\t$1, %s\n", slot->stand_in);
}

/* A copy between registers. llvm-mca 14 lets what reads the copy wait for later writes of the original, so another
 * instruction stands for it. */
static bool add_register_copy(Text *text, const char *own)
{
    const char *source = strchr(own, '\t'), *target = operand_last(own);
    bool is_whole = strncmp(own, "movq\t%r", 7) == 0 || strncmp(own, "movl\t%", 6) == 0;
    bool is_vector = strncmp(own, "movap", 5) == 0 || strncmp(own, "vmovap", 6) == 0;
    char from[8], to[8];
    if (!source || !target || strchr(own, '('))
        return false;
    source++;
    size_t length = strcspn(source, ",");
    if (is_whole && whole_register(source, length, from) && whole_register(target, strlen(target), to))
        text_add(text, "leaq\t(%s), %s\n", from, to);
    else if (is_vector)
        text_add(text, "vorps\t%.*s, %.*s, %s\n", (int)length, source, (int)length, source, target);
    else
        return false;
    return true;
}

/* A conditional copy from memory. llvm-mca lets its load wait for the condition, too, so a load of its own stands for
 * that. */
static bool add_conditional_load(Text *text, const char *own, const Slot *slots)
{
    const char *source = strchr(own, '\t'), *target = operand_last(own);
    char whole[8];
    size_t free = STAND_INS;
    for (size_t i = 0; i < STAND_INS; i++)
        free = slots[i].is_free && !slots[i].operand && !slots[i].store ? i : free;
    if (free == STAND_INS || strncmp(own, "cmov", 4) != 0 || !source || source[1] == '%' ||
        !whole_register(target, strlen(target), whole))
        return false;
    int length = (int)(source - own), operand = (int)(target - source) - 1 - (int)strlen(", ");
    const char *stand_in = slots[free].stand_in;
    text_add(text, "movq\t%.*s, %s\n%.*s\t%s, %s\n", operand, source + 1, stand_in, length, own, stand_in, whole);
    return true;
}

static bool has_register(const char *text, const char *name)
{
    size_t length = strlen(name);
    while ((text = strstr(text, name)) != NULL && text[length] >= '0' && text[length] <= '9')
        text++;
    return text;
}

/* Whether what this addition makes is only added to, until the same addition adds to it again: a sum. */
static bool is_sum(const Walked *walked, size_t at)
{
    const Instruction *own = walked->instructions.items[at];
    const char *target = operand_last(own->text);
    for (size_t i = at + 1; i < walked->instructions.count; i++) {
        const char *text = walked->instructions.items[i]->text;
        if (has_register(text, target) && (!is_addition(text) || strcmp(operand_last(text), target) != 0))
            return false;
        if (walked->instructions.items[i] == own)
            return true;
    }
    return false;
}

/* A vector register that the instructions don't use; below 0: none. */
static int free_vector(const Walked *walked)
{
    for (int number = 15; number >= 0; number--) {
        char names[2][8];
        bool is_free = true;
        for (size_t k = 0; k < 2; k++)
            snprintf(names[k], sizeof names[k], "%%%cmm%d", k ? 'y' : 'x', number);
        for (size_t i = 0; i < walked->instructions.count && is_free; i++)
            is_free = !has_register(walked->instructions.items[i]->text, names[0]) &&
                      !has_register(walked->instructions.items[i]->text, names[1]);
        if (is_free)
            return number;
    }
    return -1;
}

/* An addition to a sum: newer processors need two cycles, and llvm-mca 14 has four. What is added gets a load of its
 * own, as the sum would wait for it. */
static bool add_to_sum(Text *text, const Walked *walked, size_t at)
{
    const char *own = walked->instructions.items[at]->text;
    if (!is_addition(own) || !is_sum(walked, at))
        return false;
    const char *added = strchr(own, '\t') + 1, *target = operand_last(own), *close = strchr(added, ')');
    size_t length = close ? (size_t)(close + 1 - added) : strcspn(added, ",");
    int number = close ? free_vector(walked) : 0;
    if (number < 0)
        return false;
    if (close)
        text_add(text, "vmovups\t%.*s, %.2smm%d\nvorps\t%.2smm%d, %s, %s\n", (int)length, added, target, number, target,
                 number, target, target);
    else
        text_add(text, "vorps\t%.*s, %s, %s\n", (int)length, added, target, target);
    text_add(text, "vorps\t%s, %s, %s\n", target, target, target);
    return true;
}

/* Processors count the stack pointer ahead. llvm-mca lets each push and pop wait for the one before: so stores and loads
 * that don't move the pointer stand for them. */
static bool add_push_or_pop(Text *text, const char *own)
{
    static const char push[] = "pushq\t%", pop[] = "popq\t%";
    bool is_push = strncmp(own, push, strlen(push)) == 0, is_pop = strncmp(own, pop, strlen(pop)) == 0;
    if (is_push)
        text_add(text, "movq\t%s, -8(%%rsp)\n", operand_last(own));
    else if (is_pop)
        text_add(text, "movq\t(%%rsp), %s\n", operand_last(own));
    return is_push || is_pop;
}

/* A load of what a store with a register has stored; and such a store. */
static bool add_forwarded(Text *text, const Instruction *instruction, const Instruction *loaded, Slot *slots)
{
    const Slot *store = slot_of_store(slots, instruction), *slot = slot_of_store(slots, loaded);
    const char *own = instruction->text, *operand;
    size_t length;
    if (store) {
        text_add(text, "%s\n", own);
        add_copy(text, own, store);
    } else if (slot && operand_in_memory(own, &operand, &length)) {
        text_add(text, "%.*s(%s)%s\n", (int)(operand - own), own, slot->stand_in, operand + length);
    }
    return store || slot;
}

/* loaded: the instruction whose last store it loads, or NULL. */
static void add_instruction(Text *text, const Walked *walked, size_t at, const Instruction *loaded, bool adds_fast,
                            Slot *slots, Arena *arena)
{
    const Instruction *instruction = walked->instructions.items[at];
    const char *own = instruction->text, *operand;
    size_t length;
    if (is_left_out(instruction) || add_push_or_pop(text, own))
        return;
    if (is_quotient(own)) {
        text_add(text, "imulq\t%%rdx, %%rdx\nimulq\t%%rdx, %%rdx\nimulq\t%%rax, %%rax\nimulq\t%%rax, %%rax\n"
                       "imulq\t%%rax, %%rax\nimulq\t%%rax, %%rax\nleaq\t(%%rax), %%rdx\n");
        return;
    }
    Slot *slot = find_slot(own, &operand, &length) ? slot_of(slots, operand, length) : NULL;
    int before = slot ? (int)(operand - own) : 0, displacement = slot ? (int)(length - strlen("(%rsp)")) : 0;
    if (!slot && (add_forwarded(text, instruction, loaded, slots) || (adds_fast && add_to_sum(text, walked, at))))
        return;
    if (!slot) {
        if (!add_register_copy(text, own) && !add_conditional_load(text, own, slots))
            text_add(text, "%s\n", own);
    } else if (!is_stored(own, operand) && is_plain_load(own)) {
        text_add(text, "%s\nleaq\t(%s), %s\n", own, slot->stand_in, whole_of(operand_last(own), arena));
    } else if (!is_stored(own, operand)) {
        text_add(text, "%.*s%.*s(%s)%s\n", before, own, displacement, operand, slot->stand_in, operand + length);
    } else if (is_move(own)) {
        text_add(text, "%s\n", own);
        add_copy(text, own, slot);
    } else {
        text_add(text, "movq\t%.*s(%s), %s\naddq\t$1, %s\nmovq\t%s, %s\n", displacement, operand, slot->stand_in,
                 slot->stand_in, slot->stand_in, slot->stand_in, slot->operand);
    }
}

/* Of each stream, the first one with the same instructions: batches of a flow are often alike. */
static const size_t *first_alike(const Stream *streams, size_t n, Arena *arena)
{
    size_t *first = arena_new_array(arena, size_t, n);
    Map known = {0};
    for (size_t i = 0; i < n; i++) {
        const Walked *walked = streams[i].walked;
        MapKey key = {walked->instructions.count, 0};
        for (size_t k = 0; k < walked->instructions.count; k++)
            key = hash_word(key, (uintptr_t)walked->instructions.items[k]);
        first[i] = map_number(&known, key, i);
    }
    map_free(&known);
    return first;
}

static const char *input_of(const Stream *streams, const size_t *first, size_t n, bool adds_fast, Arena *arena)
{
    Text text = {0};
    for (size_t i = 0; i < n; i++) {
        Slot slots[STAND_INS];
        if (first[i] != i)
            continue;
        const Instruction *const *loaded = forwarding_find(streams[i].walked, arena);
        find_slots(streams[i].walked, slots, arena);
        find_stores(streams[i].walked, loaded, slots);
        text_add(&text, "# LLVM-MCA-BEGIN %zu\n", i);
        for (size_t k = 0; k < streams[i].walked->instructions.count; k++)
            add_instruction(&text, streams[i].walked, k, loaded[k], adds_fast, slots, arena);
        text_add(&text, "nop\n# LLVM-MCA-END\n"); /* a region must not be empty */
    }
    return text_take(&text, arena);
}

/* Takes "Total Cycles:" of each first stream in turn. */
static bool take_output(const char *text, const size_t *first, Stream *streams, size_t n)
{
    static const char *const before = "Total Cycles:";
    for (size_t i = 0; i < n; i++) {
        const char *found = first[i] == i ? strstr(text, before) : text;
        if (!found)
            return false;
        text = first[i] == i ? found + strlen(before) : text;
        streams[i].cycles = first[i] == i ? strtod(text, NULL) / REPETITIONS : streams[first[i]].cycles;
    }
    return true;
}

bool scheduler_run(Stream *streams, size_t n, const char *scheduler, Arena *arena, Err *err)
{
    const char *const words[] = {"llvm-mca",
                                 "-mtriple=x86_64-unknown-linux-gnu",
                                 arena_printf(arena, "-mcpu=%.*s", (int)strcspn(scheduler, "+"), scheduler),
                                 arena_printf(arena, "-iterations=%d", REPETITIONS),
                                 "-instruction-info=0",
                                 "-resource-pressure=0",
                                 "-",
                                 NULL};
    char *text;
    int status = 0;
    const size_t *first = first_alike(streams, n, arena);
    const ProcessOptions how = {.words = words,
                                .environment = process_in_english,
                                .output = PROCESS_PIPE,
                                .input_text =
                                    input_of(streams, first, n, strstr(scheduler, fast_additions) != NULL, arena)};
    if (!n)
        return true;
    if (!process_capture(&how, LONGEST_MS, arena, &text, &status))
        return err_set(err, ERR_ENVIRONMENT, "llvm-mca doesn't run") ||
               err_hint(err, "install it (on Debian: apt-get install llvm)");
    return (status == 0 && take_output(text, first, streams, n)) ||
           err_set(err, ERR_ENVIRONMENT, "llvm-mca refuses the compiled code: %.*s", (int)strcspn(text, "\n"), text);
}

/* Of a processor that is newer than llvm-mca: the latest ones of its maker, latest first. */
static const char *const successors_amd[] = {"znver5", "znver4", "znver3", "znver2", NULL};
static const char *const successors_intel[] = {"graniterapids", "sapphirerapids", "icelake-server", "skylake-avx512",
                                               NULL};

/* The first of these that llvm-mca lists; NULL: none. */
static const char *first_listed(const char *const *names, Arena *arena)
{
    static const char *const words[] = {"llvm-mca", "-mtriple=x86_64-unknown-linux-gnu", "-mcpu=help", "/dev/null",
                                        NULL};
    const ProcessOptions how = {.words = words, .environment = process_in_english, .output = PROCESS_PIPE};
    char *text = "";
    int status = 0;
    if (!process_capture(&how, LONGEST_MS, arena, &text, &status))
        return NULL;
    for (; *names; names++)
        if (strstr(text, arena_printf(arena, " %s ", *names)))
            return *names;
    return NULL;
}

/* Looks for the maker in what the system says of the processor. */
static const char *nearest(Arena *arena)
{
    const char *text;
    Err ignored;
    if (!files_load_text("/proc/cpuinfo", arena, &text, &ignored))
        return NULL;
    return strstr(text, "AuthenticAMD")   ? first_listed(successors_amd, arena)
           : strstr(text, "GenuineIntel") ? first_listed(successors_intel, arena)
                                          : NULL;
}

#ifdef __x86_64__
/* The least seconds that a chain of these instructions takes, which change no memory. */
#define CHAIN_SECONDS(instruction, seconds)                                                                            \
    do {                                                                                                               \
        struct timespec from, to;                                                                                      \
        for (int round = 0; round < CHAIN_ROUNDS; round++) {                                                           \
            clock_gettime(CLOCK_MONOTONIC, &from);                                                                     \
            for (int i = 0; i < CHAIN_LENGTH; i++)                                                                     \
                __asm__ volatile(instruction "\n\t" instruction "\n\t" instruction "\n\t" instruction ::               \
                                     : "rax", "xmm0", "xmm1");                                                         \
            clock_gettime(CLOCK_MONOTONIC, &to);                                                                       \
            (seconds) = fmin(seconds, (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)); \
        }                                                                                                              \
    } while (0)

/* A product of whole numbers takes three cycles on all processors of this kind. */
static bool adds_fast(void)
{
    double products = 1, sums = 1;
    __asm__ volatile("xorps %%xmm0, %%xmm0\n\txorps %%xmm1, %%xmm1" ::: "xmm0", "xmm1");
    CHAIN_SECONDS("imulq %%rax, %%rax", products);
    CHAIN_SECONDS("addsd %%xmm1, %%xmm0", sums);
    return 3 * sums < 2.5 * products;
}
#else
static bool adds_fast(void)
{
    return false;
}
#endif

bool compiled_find_scheduler(Arena *arena, const char **scheduler, Err *err)
{
    static const char *const words[] = {"llvm-mca", "--version", NULL};
    static const char *const before = "Host CPU: ";
    const ProcessOptions how = {.words = words, .output = PROCESS_PIPE};
    char *text;
    int status = 0;
    if (!process_capture(&how, LONGEST_MS, arena, &text, &status) || status != 0)
        return err_set(err, ERR_ENVIRONMENT, "llvm-mca isn't installed") ||
               err_hint(err, "install it (on Debian: apt-get install llvm)");
    const char *found = strstr(text, before), *name = found ? found + strlen(before) : "generic";
    bool is_known = strncmp(name, "generic", 7) != 0 && strncmp(name, "(unknown)", 9) != 0;
    *scheduler = is_known ? arena_strndup(arena, name, strcspn(name, "\n")) : nearest(arena);
    if (*scheduler && adds_fast())
        *scheduler = arena_printf(arena, "%s%s", *scheduler, fast_additions);
    return *scheduler || err_set(err, ERR_ENVIRONMENT, "llvm-mca doesn't know this processor");
}
