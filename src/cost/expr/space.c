/* SPDX-License-Identifier: BSD-3-Clause */
/* The space of expressions. Atoms, monomials and expressions are in one hash table, so that equal
 * ones are the same pointer. The key is a 128-bit hash of the kind and of the parts' ids. */
#include "cost/expr/canonical.h"

struct InternSlot {
    MapKey key;
    void *item;
};

enum { FIRST_SLOTS = 1 << 10 };
enum { TAG_SYMBOL = 1, TAG_FUNCTION, TAG_GROUP, TAG_SUM, TAG_MONOMIAL, TAG_EXPR };

static const MapKey hash_start = {0x6d6f6e6f6d69616c, 0x657870722d736574};

static struct InternSlot *slot_of(struct InternSlot *slots, size_t n_slots, MapKey key)
{
    size_t at = key.low & (n_slots - 1);
    while (slots[at].item && (slots[at].key.low != key.low || slots[at].key.high != key.high))
        at = (at + 1) & (n_slots - 1);
    return &slots[at];
}

static void grow(ExprSpace *space)
{
    size_t n_slots = space->n_slots * 2;
    struct InternSlot *slots = arena_new_array(space->arena, struct InternSlot, n_slots);
    for (size_t i = 0; i < space->n_slots; i++)
        if (space->slots[i].item)
            *slot_of(slots, n_slots, space->slots[i].key) = space->slots[i];
    space->slots = slots;
    space->n_slots = n_slots;
}

/* Returns the item with this key. If there is none, returns NULL, and the caller stores the new
 * item at *place before any other lookup. */
static void *space_find(ExprSpace *space, MapKey key, void ***place)
{
    if (space->n_interned * 2 >= space->n_slots)
        grow(space);
    struct InternSlot *slot = slot_of(space->slots, space->n_slots, key);
    if (slot->item)
        return slot->item;
    slot->key = key;
    space->n_interned++;
    *place = &slot->item;
    return NULL;
}

ExprSpace *expr_space_new(Arena *arena)
{
    ExprSpace *space = arena_new_array(arena, ExprSpace, 1);
    space->arena = arena;
    space->pool = arena_new_array(arena, RationalPool, 1);
    arena_at_end(arena, rational_pool_free, space->pool);
    space->most_work = UINT64_MAX;
    space->n_slots = FIRST_SLOTS;
    space->slots = arena_new_array(arena, struct InternSlot, space->n_slots);
    space->unit = monomial_intern(space, NULL, 0);
    space->zero = expr_intern(space, NULL, 0);
    space->one = expr_intern(space, &(Term){rational_one, space->unit}, 1);
    return space;
}

/* The union of sets, without one symbol: sorted, each symbol once. */
static SymbolSet set_of(ExprSpace *space, const SymbolSet *sets, size_t n_sets, const Atom *without)
{
    VEC(const Atom *) all = {0};
    for (size_t i = 0; i < n_sets; i++) {
        const SymbolSet *set = &sets[i];
        size_t at = 0, n_before = all.count;
        vec_reserve(&all, set->count);
        for (size_t j = 0; j < set->count; j++) {
            while (at < n_before && compare_atoms(all.items[at], set->symbols[j]) < 0)
                at++;
            if (set->symbols[j] != without && (at == n_before || all.items[at] != set->symbols[j]))
                *vec_push(&all) = set->symbols[j];
        }
        /* Merges two ascending runs. */
        for (size_t k = n_before; k < all.count && n_before; k++) {
            const Atom *moved = all.items[k];
            size_t to = k;
            for (; to > 0 && compare_atoms(all.items[to - 1], moved) > 0; to--)
                all.items[to] = all.items[to - 1];
            all.items[to] = moved;
        }
    }
    SymbolSet result = {all.count, vec_copy(&all, space->arena)};
    vec_free(&all);
    return result;
}

static SymbolSet set_of_expr(ExprSpace *space, const Expr *expr)
{
    VEC(SymbolSet) sets = {0};
    for (size_t i = 0; i < expr->n_terms; i++)
        *vec_push(&sets) = expr->terms[i].monomial->free;
    SymbolSet result = set_of(space, sets.items, sets.count, NULL);
    vec_free(&sets);
    return result;
}

static unsigned depth_of_expr(const Expr *expr)
{
    unsigned depth = 0;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const Monomial *monomial = expr->terms[i].monomial;
        for (size_t j = 0; j < monomial->count; j++)
            if (monomial->powers[j].atom->sum_depth > depth)
                depth = monomial->powers[j].atom->sum_depth;
    }
    return depth;
}

const Atom *atom_symbol(ExprSpace *space, const char *name)
{
    MapKey key = hash_word(hash_start, TAG_SYMBOL);
    size_t length = strlen(name);
    key = hash_word(key, length);
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, name + i, length - i < sizeof word ? length - i : sizeof word);
        key = hash_word(key, word);
    }
    void **place;
    Atom *atom = space_find(space, key, &place);
    if (atom)
        return atom;
    *place = atom = arena_new_array(space->arena, Atom, 1);
    atom->id = ++space->n_made;
    atom->kind = ATOM_SYMBOL;
    atom->name = arena_strdup(space->arena, name);
    const Atom **self = arena_new_array(space->arena, const Atom *, 1);
    self[0] = atom;
    atom->free = (SymbolSet){1, self};
    return atom;
}

static const Atom *atom_intern(ExprSpace *space, const Atom *wanted, uint64_t tag)
{
    MapKey key = hash_word(hash_start, tag);
    key = hash_word(key, (uint64_t)wanted->kind << 32 | (uint64_t)wanted->function);
    key = hash_word(key, wanted->index ? wanted->index->id : 0);
    key = hash_word(key, wanted->n_arguments);
    for (size_t i = 0; i < wanted->n_arguments; i++)
        key = hash_word(key, wanted->arguments[i]->id);
    void **place;
    Atom *atom = space_find(space, key, &place);
    if (atom)
        return atom;
    *place = atom = arena_new_array(space->arena, Atom, 1);
    *atom = *wanted;
    atom->id = ++space->n_made;
    atom->arguments = arena_copy_array(space->arena, wanted->arguments, wanted->n_arguments, sizeof(const Expr *));
    VEC(SymbolSet) sets = {0};
    for (size_t i = 0; i < wanted->n_arguments; i++) {
        SymbolSet set = set_of_expr(space, atom->arguments[i]);
        if (wanted->index && i == SUM_BODY)
            set = set_of(space, &set, 1, wanted->index);
        *vec_push(&sets) = set;
        unsigned depth = depth_of_expr(atom->arguments[i]);
        atom->sum_depth = depth > atom->sum_depth ? depth : atom->sum_depth;
    }
    atom->sum_depth += wanted->index != NULL;
    atom->free = set_of(space, sets.items, sets.count, NULL);
    vec_free(&sets);
    return atom;
}

const Atom *atom_function(ExprSpace *space, ExprFunction function, const Expr *const *arguments, size_t n_arguments)
{
    Atom wanted = {.kind = ATOM_FUNCTION, .function = function, .arguments = arguments, .n_arguments = n_arguments};
    return atom_intern(space, &wanted, TAG_FUNCTION);
}

const Atom *atom_group(ExprSpace *space, const Expr *expr)
{
    Atom wanted = {.kind = ATOM_GROUP, .arguments = &expr, .n_arguments = 1};
    return atom_intern(space, &wanted, TAG_GROUP);
}

const Atom *atom_sum(ExprSpace *space, AtomKind kind, SumMaker make, const Atom *index,
                     const Expr *const arguments[SUM_ARGUMENTS])
{
    Atom wanted = {.kind = kind, .make = make, .index = index, .arguments = arguments, .n_arguments = SUM_ARGUMENTS};
    return atom_intern(space, &wanted, TAG_SUM);
}

static int compare_powers(const void *a, const void *b)
{
    return compare_atoms(((const Power *)a)->atom, ((const Power *)b)->atom);
}

const Monomial *monomial_intern(ExprSpace *space, Power *powers, size_t count)
{
    if (count > 1)
        qsort(powers, count, sizeof *powers, compare_powers);
    MapKey key = hash_word(hash_start, TAG_MONOMIAL);
    for (size_t i = 0; i < count; i++) {
        key = hash_word(key, powers[i].atom->id);
        key = hash_word(key, (uint64_t)(int64_t)powers[i].exponent);
    }
    void **place;
    Monomial *monomial = space_find(space, key, &place);
    if (monomial)
        return monomial;
    *place = monomial = arena_new_array(space->arena, Monomial, 1);
    monomial->id = ++space->n_made;
    monomial->count = count;
    monomial->powers = arena_copy_array(space->arena, powers, count, sizeof *powers);
    VEC(SymbolSet) sets = {0};
    for (size_t i = 0; i < count; i++) {
        monomial->degree += powers[i].exponent;
        *vec_push(&sets) = powers[i].atom->free;
    }
    monomial->free = count == 1 ? sets.items[0] : set_of(space, sets.items, sets.count, NULL);
    vec_free(&sets);
    return monomial;
}

const Expr *expr_intern(ExprSpace *space, const Term *terms, size_t n_terms)
{
    MapKey key = hash_word(hash_start, TAG_EXPR);
    for (size_t i = 0; i < n_terms; i++) {
        key = hash_word(key, terms[i].monomial->id);
        key = rational_hash(key, terms[i].coefficient);
    }
    void **place;
    Expr *expr = space_find(space, key, &place);
    if (expr)
        return expr;
    *place = expr = arena_new_array(space->arena, Expr, 1);
    expr->id = ++space->n_made;
    expr->n_terms = n_terms;
    expr->terms = arena_copy_array(space->arena, terms, n_terms, sizeof *terms);
    return expr;
}

bool symbols_hold(const SymbolSet *set, const Atom *symbol)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->symbols[i] == symbol)
            return true;
    return false;
}

bool atom_has(const Atom *atom, const Atom *symbol)
{
    return symbols_hold(&atom->free, symbol);
}

bool expr_has(const Expr *expr, const Atom *symbol)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        if (symbols_hold(&expr->terms[i].monomial->free, symbol))
            return true;
    return false;
}

bool expr_has_symbol(const Expr *expr, const char *name)
{
    for (size_t i = 0; i < expr->n_terms; i++) {
        const SymbolSet *set = &expr->terms[i].monomial->free;
        for (size_t j = 0; j < set->count; j++)
            if (strcmp(set->symbols[j]->name, name) == 0)
                return true;
    }
    return false;
}

size_t expr_symbols(ExprSpace *space, const Expr *expr, const char *const **names)
{
    SymbolSet set = set_of_expr(space, expr);
    const char **list = arena_new_array(space->arena, const char *, set.count);
    for (size_t i = 0; i < set.count; i++)
        list[i] = set.symbols[i]->name;
    *names = list;
    return set.count;
}
