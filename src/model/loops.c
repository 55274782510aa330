/* SPDX-License-Identifier: BSD-3-Clause */
/* See loops.h. The sequence is a list of items. An item is a symbol (a phase or a loop), and how
 * many times the symbol comes in a row. When an item is complete, because another one follows, the
 * tail is folded as far as possible:
 *
 *      … (A B)^3 | A B        the tail is the body of a loop just before it:   … (A B)^4
 *      … A B^2 C | A B^2 C    the tail equals the block before it:             … (A B^2 C)^2
 *
 * Candidates for equal blocks start behind earlier items with the last item's symbol. Hashes of
 * prefixes compare blocks, so an occurrence costs a bounded number of steps. An occurrence that
 * becomes part of a loop takes no memory. */
#include "model/loops.h"
#include <assert.h>

enum { LONGEST_BODY = 4096, LONGEST_CHAIN = 32, DEEPEST_LOOPS = 16 };

#define HASH_BASE 0x9e3779b97f4a7c55u
#define NO_BODY UINT32_MAX

typedef struct LoopItem {
    uint64_t count;
    uint64_t prefix; /* hash of the items up to this one */
    uint32_t symbol;
    uint32_t previous; /* position + 1 of the previous item with the same symbol, or 0 */
} LoopItem;

typedef struct LoopSymbol {
    uint32_t phase; /* of a symbol that is a phase */
    uint32_t body;  /* of a symbol that is a loop; otherwise NO_BODY */
    uint32_t last;  /* position + 1 of the symbol's last item, or 0 */
} LoopSymbol;

typedef struct LoopBody {
    size_t first_word;
    uint32_t n_items, symbol;
    uint64_t length; /* in occurrences */
} LoopBody;

void loops_free(Loops *loops)
{
    vec_free(&loops->items);
    vec_free(&loops->symbols);
    vec_free(&loops->bodies);
    vec_free(&loops->body_words);
    map_free(&loops->body_of);
    vec_free(&loops->symbol_of_phase);
    vec_free(&loops->loop_positions);
    free(loops->powers);
}

static uint64_t hash_item(const LoopItem *item)
{
    uint64_t word = (item->count + 1) * 0xd6e8feb86659fd93u ^ ((uint64_t)item->symbol + 1) * 0xff51afd7ed558ccdu;
    word ^= word >> 29;
    word *= 0xc4ceb9fe1a85ec53u;
    return word ^ word >> 32;
}

static uint64_t prefix_before(const Loops *loops, size_t position)
{
    return position ? loops->items.items[position - 1].prefix : 0;
}

static void update_prefix(Loops *loops, size_t position)
{
    LoopItem *item = &loops->items.items[position];
    item->prefix = prefix_before(loops, position) * HASH_BASE + hash_item(item);
}

static uint64_t block_hash(const Loops *loops, size_t from, size_t to)
{
    assert(from < to && to - from <= LONGEST_BODY);
    return loops->items.items[to - 1].prefix - prefix_before(loops, from) * loops->powers[to - from];
}

static uint32_t add_symbol(Loops *loops, uint32_t phase, uint32_t body)
{
    *vec_push(&loops->symbols) = (LoopSymbol){phase, body, 0};
    return (uint32_t)loops->symbols.count - 1;
}

static void push_item(Loops *loops, uint32_t symbol, uint64_t count)
{
    size_t n = loops->items.count;
    if (n && loops->items.items[n - 1].symbol == symbol) {
        loops->items.items[n - 1].count += count;
        update_prefix(loops, n - 1);
        return;
    }
    LoopSymbol *info = &loops->symbols.items[symbol];
    *vec_push(&loops->items) = (LoopItem){count, 0, symbol, info->last};
    info->last = (uint32_t)n + 1;
    update_prefix(loops, n);
    if (info->body != NO_BODY)
        *vec_push(&loops->loop_positions) = (uint32_t)n;
}

static void truncate_items(Loops *loops, size_t n)
{
    while (loops->items.count > n) {
        const LoopItem *item = &loops->items.items[--loops->items.count];
        loops->symbols.items[item->symbol].last = item->previous;
        if (loops->symbols.items[item->symbol].body != NO_BODY)
            loops->loop_positions.count--;
    }
}

static uint64_t item_length(const Loops *loops, const LoopItem *item)
{
    uint32_t body = loops->symbols.items[item->symbol].body;
    return item->count * (body == NO_BODY ? 1 : loops->bodies.items[body].length);
}

static uint32_t find_body(Loops *loops, size_t first, uint32_t n_items)
{
    MapKey hash = {0x6c6f6f70, n_items};
    for (size_t i = first; i < first + n_items; i++) {
        hash = hash_word(hash, loops->items.items[i].symbol);
        hash = hash_word(hash, loops->items.items[i].count);
    }
    bool is_new;
    uint64_t *number = map_put(&loops->body_of, hash, &is_new);
    if (!is_new)
        return loops->bodies.items[*number].symbol;
    *number = loops->bodies.count;
    uint32_t symbol = add_symbol(loops, 0, (uint32_t)*number);
    LoopBody *body = vec_push(&loops->bodies);
    *body = (LoopBody){loops->body_words.count, n_items, symbol, 0};
    for (size_t i = first; i < first + n_items; i++) {
        body->length += item_length(loops, &loops->items.items[i]);
        *vec_push(&loops->body_words) = loops->items.items[i].symbol;
        *vec_push(&loops->body_words) = loops->items.items[i].count;
    }
    return symbol;
}

static bool tail_is_body(const Loops *loops, size_t position)
{
    assert(loops->symbols.items[loops->items.items[position].symbol].body != NO_BODY);
    const LoopBody *body = &loops->bodies.items[loops->symbols.items[loops->items.items[position].symbol].body];
    if (body->n_items != loops->items.count - position - 1)
        return false;
    const uint64_t *words = loops->body_words.items + body->first_word;
    for (size_t i = 0; i < body->n_items; i++) {
        const LoopItem *item = &loops->items.items[position + 1 + i];
        if (item->symbol != words[2 * i] || item->count != words[2 * i + 1])
            return false;
    }
    return true;
}

/* Folds the tail if it is the body of the loop just before it. */
static bool fold_into_loop(Loops *loops)
{
    size_t n_loops = loops->loop_positions.count;
    for (size_t i = 0; i < n_loops && i < DEEPEST_LOOPS; i++) {
        size_t position = loops->loop_positions.items[n_loops - 1 - i];
        if (loops->items.count - position > LONGEST_BODY)
            return false;
        if (!tail_is_body(loops, position))
            continue;
        truncate_items(loops, position + 1);
        loops->items.items[position].count++;
        update_prefix(loops, position);
        return true;
    }
    return false;
}

static bool blocks_are_equal(const Loops *loops, size_t left, size_t right, size_t length)
{
    if (block_hash(loops, left, left + length) != block_hash(loops, right, right + length))
        return false;
    for (size_t i = 0; i < length; i++) {
        const LoopItem *a = &loops->items.items[left + i], *b = &loops->items.items[right + i];
        if (a->symbol != b->symbol || a->count != b->count)
            return false;
    }
    return true;
}

/* Folds the tail if it equals the block before it. */
static bool fold_blocks(Loops *loops)
{
    size_t n = loops->items.count;
    const LoopItem *last = &loops->items.items[n - 1];
    uint32_t previous = last->previous;
    for (int tries = 0; previous && tries < LONGEST_CHAIN; tries++) {
        size_t length = n - previous;
        if (length > LONGEST_BODY || 2 * length > n)
            return false;
        if (blocks_are_equal(loops, n - 2 * length, n - length, length)) {
            uint32_t symbol = find_body(loops, n - length, (uint32_t)length);
            truncate_items(loops, n - 2 * length);
            push_item(loops, symbol, 2);
            return true;
        }
        previous = loops->items.items[previous - 1].previous;
    }
    return false;
}

static void fold_tail(Loops *loops)
{
    while (loops->items.count > 1 && (fold_into_loop(loops) || fold_blocks(loops)))
        ;
}

static uint32_t phase_symbol(Loops *loops, uint32_t phase)
{
    while (loops->symbol_of_phase.count <= phase)
        *vec_push(&loops->symbol_of_phase) = 0;
    uint32_t *symbol = &loops->symbol_of_phase.items[phase];
    if (!*symbol)
        *symbol = add_symbol(loops, phase, NO_BODY) + 1;
    return *symbol - 1;
}

static void compute_powers(Loops *loops)
{
    loops->powers = memory_resize(NULL, (LONGEST_BODY + 1) * sizeof(uint64_t));
    loops->powers[0] = 1;
    for (size_t i = 1; i <= LONGEST_BODY; i++)
        loops->powers[i] = loops->powers[i - 1] * HASH_BASE;
}

void loops_append(Loops *loops, uint32_t phase)
{
    if (!loops->powers)
        compute_powers(loops);
    uint32_t symbol = phase_symbol(loops, phase);
    size_t n = loops->items.count;
    if (n && loops->items.items[n - 1].symbol != symbol)
        fold_tail(loops);
    push_item(loops, symbol, 1);
    loops->n_occurrences++;
}

bool loops_period(const Loops *loops, uint64_t *start, uint64_t *length)
{
    size_t n_loops = loops->loop_positions.count, at = loops->items.count;
    uint64_t behind = 0; /* occurrences behind the loop, of an iteration that isn't complete */
    bool found = false;
    for (size_t i = 0; i < n_loops && i < DEEPEST_LOOPS; i++) {
        size_t position = loops->loop_positions.items[n_loops - 1 - i];
        while (at > position + 1)
            behind += item_length(loops, &loops->items.items[--at]);
        const LoopItem *loop = &loops->items.items[position];
        assert(loop->count);
        uint64_t body_length = item_length(loops, loop) / loop->count;
        if (behind > body_length)
            continue;
        found = true;
        *length = body_length;
        *start = loops->n_occurrences - behind - item_length(loops, loop);
    }
    return found;
}

static Loop make_loop(const Loops *loops, uint32_t symbol, uint64_t count, const uint32_t *ids, Loop *const *bodies)
{
    const LoopSymbol *info = &loops->symbols.items[symbol];
    if (info->body == NO_BODY)
        return (Loop){.count = count, .phase = ids[info->phase]};
    assert(bodies[info->body]); /* bodies are made in order */
    return (Loop){.count = count, .n_body = loops->bodies.items[info->body].n_items, .body = bodies[info->body]};
}

/* Builds the bodies in order: a body holds only loops over earlier bodies. All loops that repeat a
 * body share it. */
static Loop **make_bodies(const Loops *loops, const uint32_t *ids, Arena *arena)
{
    Loop **made = memory_zeroed(loops->bodies.count, sizeof *made);
    for (size_t b = 0; b < loops->bodies.count; b++) {
        const LoopBody *body = &loops->bodies.items[b];
        const uint64_t *words = loops->body_words.items + body->first_word;
        made[b] = arena_new_array(arena, Loop, body->n_items);
        for (uint32_t i = 0; i < body->n_items; i++)
            made[b][i] = make_loop(loops, (uint32_t)words[2 * i], words[2 * i + 1], ids, made);
    }
    return made;
}

Loop loops_finish(Loops *loops, const uint32_t *ids, Arena *arena)
{
    fold_tail(loops);
    Loop **bodies = make_bodies(loops, ids, arena);
    size_t n = loops->items.count;
    Loop *items = arena_new_array(arena, Loop, n);
    for (size_t i = 0; i < n; i++)
        items[i] = make_loop(loops, loops->items.items[i].symbol, loops->items.items[i].count, ids, bodies);
    free(bodies);
    return n == 1 ? items[0] : (Loop){.count = 1, .n_body = (uint32_t)n, .body = items};
}
