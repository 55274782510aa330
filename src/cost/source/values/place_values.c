/* SPDX-License-Identifier: BSD-3-Clause */
/* See place.h: what parts hold, and where references in them point to. */
#include "cost/source/values/parts.h"

#include "cost/source/values/command_line.h"
#include "cost/source/values/part.h"
#include "cost/source/values/value.h"
#include <string.h>

const VariableValue *place_entry(const Scope *scope, const Place *place)
{
    if (!*place->part)
        return variable_entry(scope, place->variable);
    for (size_t i = 0; i < scope->values.count; i++) {
        const VariableValue *entry = &scope->values.items[i];
        if (entry->variable == place->variable && entry->part && strcmp(entry->part, place->part) == 0)
            return entry;
    }
    return NULL;
}

/* ---- Values ---- */

Amount place_get(const Scope *scope, const Place *place)
{
    if (is_held_otherwise(place))
        return UNKNOWN_AMOUNT;
    if (!*place->part)
        return variable_value(scope, place->variable);
    const VariableValue *entry = place_entry(scope, place);
    if (!entry)
        entry = place_entry(scope, &(Place){.variable = place->variable, .part = OTHER_PARTS});
    bool is_still_zero = !entry && place->variable->is_global && place->variable->is_cleared && scope->all->running;
    return entry ? entry->value : is_still_zero ? amount_number(scope->space, 0) : UNKNOWN_AMOUNT;
}

/* Members of a union share their memory: a new value of one makes the others unknown. */
static void forget_shared(Scope *scope, const Place *place)
{
    const char *member = strchr(place->part, '|');
    size_t length = member ? (size_t)(member + 1 - place->part) : 0;
    for (size_t i = 0; member && i < scope->values.count; i++) {
        VariableValue *entry = &scope->values.items[i];
        size_t own = strcspn(place->part + length, ".[");
        bool is_shared =
            entry->variable == place->variable && entry->part && strncmp(entry->part, place->part, length) == 0 &&
            (strncmp(entry->part + length, place->part + length, own) != 0 || !strchr(".[", entry->part[length + own]));
        if (!is_shared)
            continue;
        entry->value = UNKNOWN_AMOUNT;
        entry->target = NULL;
    }
}

void place_set(Scope *scope, const Place *place, Amount value)
{
    if (is_held_otherwise(place)) {
        place_forget_all(scope, place->variable);
        return;
    }
    if (!*place->part) {
        variable_set(scope, place->variable, value);
        return;
    }
    if (variable_is_escaped(scope, place->variable))
        value = UNKNOWN_AMOUNT;
    forget_shared(scope, place);
    VariableValue *entry = (VariableValue *)place_entry(scope, place);
    if (entry) {
        entry->value = value;
        entry->target = NULL;
    } else if (value.expr || place->variable->is_cleared) {
        *vec_push(&scope->values) = (VariableValue){place->variable, value, place->part, NULL};
    }
}

const Place *place_target(const Scope *scope, const Place *reference)
{
    const VariableValue *entry = place_entry(scope, reference);
    return entry ? entry->target : NULL;
}

Amount place_value(const Scope *scope, const SourceExpression *expression)
{
    Place place;
    if (!place_of(scope, expression, &place))
        return UNKNOWN_AMOUNT;
    bool is_data = !is_reference(expression);
    if (is_data && (is_in_arguments(scope, &place) || place.variable->text))
        return character_at(scope, &place);
    bool is_behind =
        is_data && !*place.part && place.variable->type == CPU_REFERENCE; /* a reference that isn't followed */
    return is_behind ? UNKNOWN_AMOUNT : place_get(scope, &place);
}

/* ---- References ---- */

/* Whether a variable isn't the parameter of a function that has ended. */
static bool is_alive(const Scope *scope, const SourceVariable *variable)
{
    const Generator *all = scope->all;
    for (size_t i = 0; variable->is_parameter && i < all->calls.count; i++)
        for (size_t k = 0; k < all->calls.items[i].function->n_parameters; k++)
            if (all->calls.items[i].function->parameters[k] == variable)
                return true;
    return !variable->is_parameter;
}

static bool has_parts(const Scope *scope, const SourceVariable *variable)
{
    if (is_in_arguments(scope, &(Place){.variable = variable, .part = ""}))
        return true;
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && scope->values.items[i].part)
            return true;
    return false;
}

static void set_target(Scope *scope, const Place *reference, const Place *target)
{
    forget_shared(scope, reference);
    VariableValue *entry = (VariableValue *)place_entry(scope, reference);
    Place *kept = arena_alloc(scope->all->arena, sizeof *kept);
    *kept = *target;
    if (!entry) {
        const char *part = *reference->part ? reference->part : NULL;
        *vec_push(&scope->values) = (VariableValue){.variable = reference->variable, .part = part, .target = kept};
    } else {
        entry->target = kept;
    }
}

void place_bind(Scope *scope, const SourceVariable *reference, const Place *target)
{
    set_target(scope, &(Place){.variable = reference, .part = ""}, target);
}

static const Place *keep(const Scope *scope, const Place *place)
{
    return arena_copy_array(scope->all->arena, place, 1, sizeof *place);
}

/* All parts become 0; what the initialiser names is assigned afterwards. */
static void clear_parts(Scope *scope, const SourceVariable *variable)
{
    Amount zero = amount_number(scope->space, 0);
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable && scope->values.items[i].part)
            scope->values.items[i].value = zero;
    place_set(scope, &(Place){.variable = variable, .part = OTHER_PARTS}, zero);
}

static bool is_target(const Scope *scope, const SourceVariable *variable)
{
    for (size_t i = 0; i < scope->values.count; i++) {
        const VariableValue *entry = &scope->values.items[i];
        if (entry->target && entry->target->variable == variable && is_alive(scope, entry->variable))
            return true;
    }
    return false;
}

static double bytes_of(const Scope *scope, const SourceExpression *allocation)
{
    double bytes = allocation->kind == SOURCE_NEW ? allocation->unit_bytes : 0, factor;
    for (size_t i = allocation_first_size(allocation); i < allocation->n_operands; i++)
        bytes = amount_is_number(amount_of(scope, allocation->operands[i]), &factor) ? bytes * factor : 0;
    return bytes;
}

/* The first memory of this place in the source to which nothing refers any more. So iterations that allocate and free
 * the same leave the same values. */
const Place *place_allocated(Scope *scope, const SourceExpression *allocation)
{
    Running *running = scope->all->running;
    Allocation *found = running->allocations;
    while (found && (found->expression != allocation || is_target(scope, &found->memory)))
        found = found->next;
    if (!found)
        found = allocation_new(scope, allocation);
    bool is_cleared = allocation->name && strcmp(allocation->name, "calloc") == 0;
    found->memory.is_cleared = is_cleared;
    found->memory.bytes = bytes_of(scope, allocation);
    found->memory.held = NULL;
    place_forget_below(scope, &(Place){.variable = &found->memory, .part = ""});
    if (is_cleared)
        clear_parts(scope, &found->memory);
    else
        place_set(scope, &(Place){.variable = &found->memory, .part = OTHER_PARTS}, UNKNOWN_AMOUNT);
    return keep(scope, &(Place){.variable = &found->memory, .part = "[0]", .is_element = true});
}

void place_release(Scope *scope, const SourceExpression *reference)
{
    Place place;
    VariableValue *entry = place_of(scope, reference, &place) ? (VariableValue *)place_entry(scope, &place) : NULL;
    if (entry)
        entry->target = NULL;
}

const Place *place_followed(const Scope *scope, const SourceExpression *right)
{
    Place target;
    if (!scope->all->running || !is_reference(right))
        return NULL;
    const SourceExpression *value = without_casts(right);
    if (value->kind == SOURCE_CALL && value->name && strcmp(value->name, "realloc") == 0 && value->n_operands == 2)
        return place_followed(scope, value->operands[0]);
    int64_t at;
    if (value->kind == SOURCE_CALL && text_search(scope, value, &at))
        return at < 0 ? NULL : place_stepped(scope, value->operands[0], amount_number(scope->space, (double)at));
    if (value->kind == SOURCE_NEW || (value->kind == SOURCE_CALL && !run_value(scope, value)))
        return place_allocated((Scope *)scope, value);
    if (!place_pointed_to(scope, right, &target))
        return NULL;
    bool is_known = without_casts(right)->kind == SOURCE_ADDRESS || strcmp(target.part, "[0]") != 0 ||
                    !target.variable->holds_fractions || has_parts(scope, target.variable);
    return is_known ? keep(scope, &target) : NULL;
}

/* from NULL: not known. */
static void copy_parts(Scope *scope, const Place *to, const Place *from)
{
    size_t n = scope->values.count, length = from ? strlen(from->part) : 0;
    VariableValue *entries = arena_copy_array(scope->all->arena, scope->values.items, n, sizeof *entries);
    place_forget_below(scope, &(Place){.variable = to->variable, .part = to->part});
    if (!*to->part)
        place_set(scope, &(Place){.variable = to->variable, .part = OTHER_PARTS}, UNKNOWN_AMOUNT);
    for (size_t i = 0; from && i < n; i++) {
        const VariableValue *entry = &entries[i];
        if (entry->variable != from->variable || !entry->part || strncmp(entry->part, from->part, length) != 0)
            continue;
        bool is_rest = strcmp(entry->part, OTHER_PARTS) == 0;
        if (is_rest && *to->part)
            continue;
        const Place part = {to->variable, arena_printf(scope->all->arena, "%s%s", to->part, entry->part + length),
                            false, NULL, NULL};
        place_set(scope, &part, entry->value);
        if (entry->target)
            set_target(scope, &part, entry->target);
    }
}

void place_copy(Scope *scope, const Place *to, const SourceExpression *structure)
{
    Place from;
    bool is_known = place_pointed_to(scope, without_casts(structure), &from);
    if (is_known && from.variable == to->variable && strcmp(from.part, to->part) == 0)
        return;
    copy_parts(scope, to, is_known ? &from : NULL);
}

/* Memory for fractions, which isn't followed; an array gets a literal's characters, and isn't a reference to them. */
static bool is_data(const SourceVariable *variable, const Place *target)
{
    bool is_memory = !*target->variable->name && target->variable->type == CPU_REFERENCE;
    return is_memory && (target->variable->text ? variable->array_bytes > 0 : variable->holds_fractions);
}

void place_declare(Scope *scope, const SourceVariable *variable, Amount value, const SourceExpression *initial,
                   const Place *target)
{
    const Running *running = scope->all->running;
    if (running && variable->is_global) /* a static variable of the function */
        return;
    if (initial)
        variable_assign(scope, variable, value);
    else
        variable_set(scope, variable, value);
    if (!running)
        part_declare(scope, variable, initial);
    if (running && initial && initial->is_structure)
        place_copy(scope, &(Place){.variable = variable, .part = ""}, initial);
    else if (target && !is_data(variable, target))
        place_bind(scope, variable, target);
    if (running && variable->is_cleared)
        clear_parts(scope, variable);
}

void place_assign(Scope *scope, const SourceExpression *left, const Place *place, Amount value,
                  const SourceExpression *right, const Place *target)
{
    if (!scope->all->running) {
        if (left->kind == SOURCE_VARIABLE)
            variable_set(scope, left->variable, value);
        part_assign(scope, left, value, right);
        return;
    }
    if (!place) {
        if (left->n_operands)
            place_forget_parts(scope, left->operands[0]);
        return;
    }
    if (*place->part)
        place_set(scope, place, value);
    else
        variable_assign(scope, place->variable, value);
    if (right && right->is_structure)
        place_copy(scope, place, right);
    else if (target && (*place->part || !is_data(place->variable, target)))
        set_target(scope, place, target);
}

void place_assign_now(Scope *scope, const SourceExpression *left, Amount value, const SourceExpression *right,
                      const Place *target)
{
    Place place;
    bool is_known = scope->all->running && place_of(scope, left, &place);
    place_assign(scope, left, is_known ? &place : NULL, value, right, target);
}

const Place *place_stepped(const Scope *scope, const SourceExpression *reference, Amount steps)
{
    int64_t n;
    bool is_known = !scope->loop && steps.expr && expr_is_integer(steps.expr, &n);
    const Place *from = is_known ? place_followed(scope, reference) : NULL;
    const Place to = from ? place_step(scope, from, n) : (Place){0};
    return from ? keep(scope, &to) : NULL;
}

/* ---- Whole variables ---- */

bool place_is_whole(const Place *place, double bytes)
{
    bool is_start = !*place->part || (place->is_element && strcmp(place->part, "[0]") == 0);
    return is_start && bytes > 0 && place->variable->bytes == bytes && !is_held_otherwise(place);
}

void place_clear(Scope *scope, const Place *whole)
{
    if (!*whole->part && whole->variable->type != CPU_REFERENCE)
        variable_set(scope, whole->variable, amount_number(scope->space, 0));
    clear_parts(scope, whole->variable);
}

void place_copy_whole(Scope *scope, const Place *to, const Place *from)
{
    bool are_arrays = *to->part && *from->part;
    const Place all_to = {.variable = to->variable, .part = ""}, all_from = {.variable = from->variable, .part = ""};
    if (same_target(to, from))
        return;
    copy_parts(scope, are_arrays ? &all_to : to, are_arrays ? &all_from : from);
    if (!*to->part && !*from->part && to->variable->type != CPU_REFERENCE)
        variable_set(scope, to->variable, variable_value(scope, from->variable));
}
