/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions. Terms with the same inexact factors are grouped, and their exact factors
 * are added exactly. So n^2/2 - n/2 operations, times a time that is an interval, lose no precision
 * by cancellation. */
#include "cost/expr/evaluate.h"
#include "base/text.h"
#include "cost/expr/columns.h"

#include <math.h>

static AtomValue *find_atom_value(Evaluation *evaluation, const Atom *atom);

static SumLoop *loop_of(Evaluation *evaluation, const Atom *sum)
{
    MapKey key = {sum->kind, sum->sum_depth};
    key = hash_word(key, sum->index->id);
    for (int i = 0; i < SUM_BODY; i++)
        key = hash_word(key, sum->arguments[i]->id);
    uint64_t *place = map_put(&evaluation->loops, key, NULL);
    if (!*place) {
        SumLoop *loop = arena_new_array(evaluation->arena, SumLoop, 1);
        *place = (uint64_t)(uintptr_t)loop;
        *vec_push(&evaluation->all_loops) = loop;
        loop->first = sum;
        loop->index = find_atom_value(evaluation, sum->index);
    }
    return (SumLoop *)(uintptr_t)*place;
}

static void add_sum(SumLoop *loop, AtomValue *atom_value)
{
    const Expr *body = atom_value->atom->arguments[SUM_BODY];
    *vec_push(&loop->sums) = atom_value;
    for (size_t i = 0; i < body->n_terms && atom_value->atom->kind == ATOM_SUM; i++) {
        bool is_new;
        uint64_t *part = map_put(&loop->part_of, (MapKey){1, body->terms[i].monomial->id}, &is_new);
        if (!is_new)
            continue;
        *part = loop->parts.count;
        *vec_push(&loop->parts) = (SumPart){.term = {rational_one, body->terms[i].monomial}};
    }
}

/* Finds or makes the values of all atoms in the expression. */
static void find_all_atoms(Evaluation *evaluation, const Expr *expr)
{
    for (size_t i = 0; i < expr->n_terms; i++)
        for (size_t j = 0; j < expr->terms[i].monomial->count; j++)
            find_atom_value(evaluation, expr->terms[i].monomial->powers[j].atom);
}

static AtomValue *find_atom_value(Evaluation *evaluation, const Atom *atom)
{
    uint64_t *place = map_put(&evaluation->atom_value, (MapKey){1, atom->id}, NULL);
    if (*place)
        return (AtomValue *)(uintptr_t)*place;
    AtomValue *atom_value = arena_new_array(evaluation->arena, AtomValue, 1);
    *place = (uint64_t)(uintptr_t)atom_value;
    *vec_push(&evaluation->all) = atom_value;
    atom_value->atom = atom;
    if (atom->kind == ATOM_SYMBOL)
        return atom_value;
    atom_value->n_symbols = atom->free.count;
    atom_value->symbols = arena_new_array(evaluation->arena, AtomValue *, atom_value->n_symbols);
    for (size_t i = 0; i < atom_value->n_symbols; i++)
        atom_value->symbols[i] = find_atom_value(evaluation, atom->free.symbols[i]);
    for (size_t i = 0; i < atom->n_arguments; i++)
        find_all_atoms(evaluation, atom->arguments[i]);
    if (atom->index) {
        atom_value->loop = loop_of(evaluation, atom);
        add_sum(atom_value->loop, atom_value);
    }
    return atom_value;
}

static bool is_current(const Evaluation *evaluation, const AtomValue *atom_value)
{
    if (atom_value->since <= evaluation->stale_until)
        return false;
    for (size_t i = 0; i < atom_value->n_symbols; i++)
        if (atom_value->symbols[i]->since > atom_value->since)
            return false;
    return true;
}

static bool evaluate_expr(Evaluation *evaluation, const Expr *expr, Value *value);

static bool compute_function(Evaluation *evaluation, const Atom *atom, Value *value)
{
    Value arguments[2];
    if (!evaluate_expr(evaluation, atom->arguments[0], &arguments[0]))
        return false;
    for (size_t i = 1; i < atom->n_arguments; i++) {
        if (!evaluate_expr(evaluation, atom->arguments[i], &arguments[1]))
            return false;
        if (atom->function == EXPR_MAX)
            arguments[0] = value_larger(arguments[0], arguments[1]);
    }
    if (atom->function != EXPR_MAX)
        return evaluate_function(atom->function, arguments, &evaluation->pool, value, evaluation->err);
    *value = arguments[0];
    return true;
}

static bool value_of(Evaluation *evaluation, const Atom *atom, Value *value)
{
    AtomValue *atom_value = find_atom_value(evaluation, atom);
    if (atom_value->loop && !is_current(evaluation, atom_value)) {
        if (!evaluate_sums(evaluation, atom_value->loop))
            return false;
    } else if (atom->kind != ATOM_SYMBOL && !is_current(evaluation, atom_value)) {
        bool is_computed = atom->kind == ATOM_GROUP ? evaluate_expr(evaluation, atom->arguments[0], value)
                                                    : compute_function(evaluation, atom, value);
        if (!is_computed)
            return false;
        evaluation_set(evaluation, atom_value, *value);
    }
    *value = atom_value->held.value;
    return true;
}

/* Terms with the same inexact factors. */
typedef struct Group {
    MapKey key;
    const Monomial *of; /* of the first term, whose inexact powers are those of the group */
    Value exact;
} Group;

typedef VEC(Group) Groups;

static Group *group_of(Groups *groups, MapKey key, const Monomial *monomial)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i].key.low == key.low && groups->items[i].key.high == key.high)
            return &groups->items[i];
    Group *group = vec_push(groups);
    *group = (Group){key, monomial, value_exact(rational_zero)};
    return group;
}

/* Multiplies the product by the exact powers if `exact`, else by the inexact ones. The other powers
 * are hashed into *key. */
static bool multiply_powers(Evaluation *evaluation, const Monomial *monomial, bool exact, Value *product, MapKey *key)
{
    for (size_t i = 0; i < monomial->count; i++) {
        const Power *power = &monomial->powers[i];
        Value factor;
        if (!value_of(evaluation, power->atom, &factor))
            return false;
        if (factor.is_exact != exact) {
            *key = hash_word(hash_word(*key, power->atom->id), (uint64_t)(int64_t)power->exponent);
            continue;
        }
        if (power->exponent != 1 && !value_raise(&evaluation->pool, &factor, power->exponent))
            return err_set(evaluation->err, ERR_INPUT, "division by zero");
        *product = value_multiply(&evaluation->pool, *product, factor);
    }
    return true;
}

static bool evaluate_expr(Evaluation *evaluation, const Expr *expr, Value *value)
{
    Groups groups = {0};
    Value sum = value_exact(rational_zero);
    bool is_evaluated = true;
    for (size_t i = 0; i < expr->n_terms && is_evaluated; i++) {
        MapKey key = {0};
        Value product = value_exact(expr->terms[i].coefficient);
        is_evaluated = multiply_powers(evaluation, expr->terms[i].monomial, true, &product, &key);
        Value *into = key.low || key.high ? &group_of(&groups, key, expr->terms[i].monomial)->exact : &sum;
        *into = value_add(&evaluation->pool, *into, product);
    }
    for (size_t i = 0; i < groups.count && is_evaluated; i++) {
        MapKey unused = {0};
        Value product = groups.items[i].exact;
        is_evaluated = multiply_powers(evaluation, groups.items[i].of, false, &product, &unused);
        sum = value_add(&evaluation->pool, sum, product);
    }
    vec_free(&groups);
    *value = sum;
    return is_evaluated;
}

/* Gives symbols their values. The error names all symbols without a value. */
static bool bind(Evaluation *evaluation, const Expr *expr, const ExprBinding *bindings, size_t n_bindings)
{
    Text missing = {0};
    size_t n_missing = 0;
    for (size_t i = 0; i < expr->n_terms; i++) {
        const SymbolSet *set = &expr->terms[i].monomial->free;
        for (size_t j = 0; j < set->count; j++) {
            AtomValue *atom_value = find_atom_value(evaluation, set->symbols[j]);
            if (atom_value->is_bound)
                continue;
            atom_value->is_bound = true;
            size_t k = 0;
            while (k < n_bindings && strcmp(bindings[k].name, set->symbols[j]->name) != 0)
                k++;
            Interval value = k < n_bindings ? bindings[k].value : (Interval){0, 0};
            evaluation_set(evaluation, atom_value, value_span(&evaluation->pool, value.low, value.high));
            if (k == n_bindings)
                text_add(&missing, "%s%s", n_missing++ ? ", " : "", set->symbols[j]->name);
        }
    }
    const char *names = text_take(&missing, evaluation->arena);
    if (n_missing)
        return err_set(evaluation->err, ERR_INPUT, n_missing == 1 ? "%s has no value" : "these names have no value: %s",
                       names);
    return true;
}

/* Evaluates sums term by term. If that would take too long, evaluates again with blocks. */
static bool evaluate_one(Evaluation *evaluation, const Expr *expr, Interval *interval)
{
    Value value;
    evaluation->points_left = evaluation->most_terms;
    evaluation->points = fmin(1e6, evaluation->most_terms);
    evaluation->has_too_many = false;
    bool is_evaluated = evaluate_expr(evaluation, expr, &value);
    if (evaluation->has_too_many) {
        evaluation->has_too_many = false;
        *evaluation->err = (Err){0};
        evaluation->approximates = true;
        evaluation->stale_until = evaluation->now;
        is_evaluated = evaluate_expr(evaluation, expr, &value);
        evaluation->approximates = false;
        evaluation->stale_until = evaluation->now;
    }
    if (!is_evaluated)
        return false;
    *interval = value_interval(value);
    rational_pool_shrink(&evaluation->pool, 0);
    return (isfinite(interval->low) && isfinite(interval->high)) ||
           err_set(evaluation->err, ERR_INPUT, "the value is beyond the range of a double");
}

static void end(Evaluation *evaluation)
{
    for (size_t i = 0; i < evaluation->all.count; i++) {
        value_release(&evaluation->all.items[i]->held);
        value_release(&evaluation->all.items[i]->total);
    }
    for (size_t i = 0; i < evaluation->all_loops.count; i++) {
        SumLoop *loop = evaluation->all_loops.items[i];
        for (size_t j = 0; j < loop->parts.count; j++)
            value_release(&loop->parts.items[j].total);
        columns_end(loop->columns);
        vec_free(&loop->sums);
        vec_free(&loop->parts);
        map_free(&loop->part_of);
    }
    vec_free(&evaluation->all);
    vec_free(&evaluation->all_loops);
    map_free(&evaluation->atom_value);
    map_free(&evaluation->loops);
    rational_pool_free(&evaluation->pool);
    arena_free(evaluation->arena);
}

static bool evaluate_all(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                         double most_terms, Interval *values, bool *approximated, Err *err)
{
    Evaluation evaluation = {.arena = arena_new(), .evaluate = evaluate_expr, .most_terms = most_terms, .err = err};
    bool is_evaluated = true;
    for (size_t i = 0; i < n && is_evaluated; i++) {
        is_evaluated = bind(&evaluation, exprs[i], bindings, n_bindings);
        find_all_atoms(&evaluation, exprs[i]);
    }
    for (size_t i = 0; i < n && is_evaluated; i++)
        is_evaluated = evaluate_one(&evaluation, exprs[i], &values[i]);
    if (is_evaluated && approximated)
        *approximated = evaluation.is_approximated;
    end(&evaluation);
    return is_evaluated;
}

bool expr_evaluate_all(const Expr *const *exprs, size_t n, const ExprBinding *bindings, size_t n_bindings,
                       Interval *values, bool *approximated, Err *err)
{
    return evaluate_all(exprs, n, bindings, n_bindings, EXPR_MOST_TERMS, values, approximated, err);
}

bool expr_estimate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value, Err *err)
{
    Interval found;
    if (!evaluate_all(&expr, 1, bindings, n_bindings, EXPR_ESTIMATE_TERMS, &found, NULL, err))
        return false;
    *value = found;
    return true;
}

bool expr_evaluate(const Expr *expr, const ExprBinding *bindings, size_t n_bindings, Interval *value,
                   bool *approximated, Err *err)
{
    Interval found;
    if (!expr_evaluate_all(&expr, 1, bindings, n_bindings, &found, approximated, err))
        return false;
    *value = found;
    return true;
}
