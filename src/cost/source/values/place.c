/* SPDX-License-Identifier: BSD-3-Clause */
/* See place.h. */
#include "cost/source/values/place.h"

#include "cost/source/values/command_line.h"
#include "cost/source/values/part.h"
#include "cost/source/values/value.h"
#include <math.h>
#include <string.h>

static bool is_reference(const SourceExpression *expression)
{
    return expression->type == CPU_REFERENCE;
}

static const VariableValue *entry_of(const Scope *scope, const Place *place)
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

/* ---- Memory that is taken as another type ---- */

bool is_held_otherwise(const Place *place)
{
    return place->held && strcmp(place->held, HELD_OTHERWISE) == 0;
}

static bool is_typed(const char *held)
{
    return held && strcmp(held, HELD_NOTHING) != 0;
}

/* What the memory of an allocation holds is what the first reference to it points to. */
static const char *held_by(const Place *place, const SourceExpression *reference)
{
    SourceVariable *memory = (SourceVariable *)place->variable;
    bool is_allocated = !*memory->name && memory->type == CPU_REFERENCE && !memory->text;
    if (!is_allocated || !is_typed(reference->pointee))
        return is_typed(reference->pointee) ? reference->pointee : NULL;
    memory->held = memory->held ? memory->held : reference->pointee;
    return memory->held;
}

static void take(Place *place, const SourceExpression *reference)
{
    const char *as = reference->taken_as ? reference->taken_as : reference->pointee;
    if (!place->held)
        place->held = held_by(place, reference);
    bool is_other = place->held && is_typed(as) && strcmp(place->held, as) != 0;
    if (is_other)
        place->held = HELD_OTHERWISE;
}

static bool is_known_of(const Scope *scope, const SourceVariable *variable)
{
    bool is_known = variable->is_cleared || variable_value(scope, variable).expr;
    for (size_t i = 0; i < scope->values.count && !is_known; i++)
        is_known = scope->values.items[i].variable == variable && scope->values.items[i].value.expr;
    return is_known;
}

/* Of an expression that reads or writes a part of the variable as another type. */
static void find_other_type(const Scope *scope, const Place *place, const SourceExpression *expression)
{
    Generator *all = scope->all;
    const char *name = *place->variable->name ? place->variable->name : "memory";
    if (all->running && is_known_of(scope, place->variable))
        finding_add(all, &expression->place, NULL,
                    arena_printf(all->arena, "`%s`: takes a part of %s as another type, so its value isn't known",
                                 expression->text ? expression->text : "", name));
}

/* Nothing is known of the variable any more, nor of any part. */
static void forget_all(Scope *scope, const SourceVariable *variable);

/* ---- Finding places ---- */

/* The number of the last index, if the part ends with one. */
static bool last_index(const char *part, size_t *length, int64_t *index)
{
    const char *bracket = strrchr(part, '[');
    if (!bracket || part[strlen(part) - 1] != ']')
        return false;
    *length = (size_t)(bracket - part);
    *index = strtoll(bracket + 1, NULL, 10);
    return true;
}

/* How many indexes a part ends with. */
static size_t count_indexes(const char *part)
{
    size_t n = 0, length = strlen(part);
    while (length && part[length - 1] == ']') {
        while (part[--length] != '[')
            ;
        n++;
    }
    return n;
}

Place place_element(const Scope *scope, const Place *array, int64_t index)
{
    size_t length = strlen(array->part), depth = count_indexes(array->part);
    int64_t first;
    bool is_step = array->is_element && last_index(array->part, &length, &first);
    if (is_step) {
        index += first;
        depth--;
    }
    int64_t size = depth && array->sizes && depth < array->sizes->n ? array->sizes->items[depth] : 0;
    int64_t rows = size > 0 ? (index - (index % size + size) % size) / size : 0;
    Place before = *array;
    before.part = arena_strndup(scope->all->arena, array->part, length);
    before.is_element = false;
    if (rows) {
        before.is_element = true;
        before = place_element(scope, &before, rows);
    }
    const char *part = arena_printf(scope->all->arena, "%s[%lld]", before.part, (long long)(index - rows * size));
    return (Place){array->variable, part, false, array->sizes, array->held};
}

static Place place_field(const Scope *scope, const Place *object, const SourceExpression *field)
{
    const char *part = arena_printf(scope->all->arena, "%s.%s", object->part, field->name);
    return (Place){object->variable, part, false, field->sizes, field->held};
}

static bool index_of(const Scope *scope, const SourceExpression *expression, int64_t *index)
{
    Amount amount = amount_of(scope, expression);
    return amount.expr && expr_is_integer(amount.expr, index);
}

/* Whether a pointer may go on into a further row of an array whose rows have no fixed size. */
static bool is_of_other_row(const Place *base, const SourceExpression *array)
{
    size_t depth = count_indexes(base->part);
    array = without_casts(array);
    return array->kind == SOURCE_VARIABLE && array->variable != base->variable && base->sizes && depth > 1 &&
           depth <= base->sizes->n && !base->sizes->items[depth - 1];
}

static bool place_of_element(const Scope *scope, const SourceExpression *array, const SourceExpression *at,
                             Place *place)
{
    Place base;
    int64_t index;
    if (!place_pointed_to(scope, array, &base))
        return false;
    if (is_held_otherwise(&base)) {
        *place = base;
        return true;
    }
    if (!index_of(scope, at, &index) || is_of_other_row(&base, array))
        return false;
    *place = place_element(scope, &base, index);
    return true;
}

static bool find_place(const Scope *scope, const SourceExpression *expression, Place *place)
{
    Place base;
    switch (expression->kind) {
    case SOURCE_VARIABLE:
        *place = (Place){expression->variable, "", false, expression->variable->sizes, expression->held};
        return true;
    case SOURCE_FIELD:
        if (!place_pointed_to(scope, expression->operands[0], &base))
            return false;
        *place = is_held_otherwise(&base) ? base : place_field(scope, &base, expression);
        return true;
    case SOURCE_ELEMENT:
        return place_of_element(scope, expression->operands[0], expression->operands[1], place);
    case SOURCE_DEREFERENCE:
        if (!place_pointed_to(scope, expression->operands[0], place))
            return false;
        place->is_element = false;
        return true;
    default:
        return false;
    }
}

bool place_of(const Scope *scope, const SourceExpression *expression, Place *place)
{
    expression = without_casts(expression);
    if (!find_place(scope, expression, place))
        return false;
    if (is_held_otherwise(place)) {
        find_other_type(scope, place, expression);
        return false;
    }
    place->held = expression->held;
    return true;
}

/* From an element to one that stands behind it, or from an array to its element. */
static Place step(const Scope *scope, const Place *place, int64_t steps)
{
    Place stepped = place_element(scope, place, steps);
    stepped.is_element = true;
    return stepped;
}

static Allocation *allocation_new(const Scope *scope, const SourceExpression *expression)
{
    Running *running = scope->all->running;
    Allocation *made = arena_alloc(scope->all->arena, sizeof *made);
    *made = (Allocation){
        running->allocations, expression, {.name = "", .type = CPU_REFERENCE, .value = NAN, .initial = NAN}};
    running->allocations = made;
    return made;
}

/* What stands for the characters of a string literal. */
static const SourceVariable *text_variable(const Scope *scope, const SourceExpression *text)
{
    Allocation *found = scope->all->running->allocations;
    while (found && found->expression != text)
        found = found->next;
    if (!found)
        found = allocation_new(scope, text);
    found->memory.text = text->literal;
    return &found->memory;
}

/* If it isn't known which side is chosen, nothing is known of both. */
static bool place_of_choice(const Scope *scope, const SourceExpression *choice, Place *place)
{
    double holds;
    const Expr *exact = scope->all->running ? probability_of(scope, choice->operands[0]) : NULL;
    if (exact && expr_is_number(exact, &holds))
        return place_pointed_to(scope, choice->operands[holds > 0 ? 1 : 2], place);
    for (size_t i = 1; i <= 2 && scope->all->running; i++)
        variable_escape((Scope *)scope, place_followed(scope, choice->operands[i]));
    return false;
}

/* A reference whose target isn't followed stands for its own target: p->x is the field x of p, or of its first element
 * while a program runs. */
static bool find_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place)
{
    if (reference->kind == SOURCE_ADDRESS) {
        if (!place_of(scope, reference->operands[0], place))
            return false;
        place->is_element = without_casts(reference->operands[0])->kind == SOURCE_ELEMENT;
        return true;
    }
    if (reference->kind == SOURCE_BINARY && operator_is(reference, "+")) {
        if (!place_of_element(scope, reference->operands[0], reference->operands[1], place))
            return false;
        place->is_element = true;
        if (!is_reference(reference)) /* the sum is one of numbers of bytes */
            place->held = HELD_OTHERWISE;
        return true;
    }
    if (reference->kind == SOURCE_INCREMENT) {
        int64_t steps = !increments_first(reference) ? 0 : operator_is(reference, "++") ? 1 : -1;
        if (!place_pointed_to(scope, reference->operands[0], place))
            return false;
        if (steps)
            *place = step(scope, place, steps);
        return true;
    }
    if (reference->kind == SOURCE_TEXT && reference->literal && scope->all->running) {
        *place = (Place){.variable = text_variable(scope, reference), .part = "[0]", .is_element = true};
        return true;
    }
    if (reference->kind == SOURCE_CONDITIONAL)
        return place_of_choice(scope, reference, place);
    if (reference->kind == SOURCE_COMMA)
        return place_pointed_to(scope, reference->operands[reference->n_operands - 1], place);
    const RunValue *run = run_value(scope, reference);
    const Place *returned = run ? run->target : NULL;
    if (returned)
        *place = *returned;
    if (returned || !place_of(scope, reference, place))
        return returned;
    const VariableValue *entry = entry_of(scope, place);
    if (entry && entry->target)
        *place = *entry->target;
    else if (scope->all->running && !reference->is_structure)
        *place = step(scope, place, 0);
    if (!reference->is_structure && !(entry && entry->target))
        place->held = NULL; /* not the reference itself, but its target */
    return true;
}

bool place_pointed_to(const Scope *scope, const SourceExpression *reference, Place *place)
{
    reference = without_casts(reference);
    if (!find_pointed_to(scope, reference, place))
        return false;
    take(place, reference);
    return true;
}

/* How many numbers stand before a place in its array, or in its row if rows have no fixed size. *length: of the part
 * before the indexes that count. */
static int64_t number_in_array(const Scope *scope, const Place *place, size_t *length)
{
    const SourceSizes *sizes = place->sizes && place->sizes->items[place->sizes->n - 1] ? place->sizes : NULL;
    size_t depth = sizes ? count_indexes(place->part) : *place->part != 0;
    int64_t number = 0, size = 1, index;
    *length = strlen(place->part);
    for (size_t i = sizes ? sizes->n : depth; i-- > 0;) {
        if (i < depth && last_index(arena_strndup(scope->all->arena, place->part, *length), length, &index))
            number += index * size;
        size *= sizes ? sizes->items[i] : 0;
    }
    return number;
}

bool place_distance(const Scope *scope, const SourceExpression *from, const SourceExpression *to, int64_t *distance)
{
    Place a, b;
    size_t length_a, length_b;
    if (!place_followed(scope, from) || !place_followed(scope, to) || !place_pointed_to(scope, from, &a) ||
        !place_pointed_to(scope, to, &b) || a.variable != b.variable || is_held_otherwise(&a) || is_held_otherwise(&b))
        return false;
    int64_t first = number_in_array(scope, &a, &length_a), second = number_in_array(scope, &b, &length_b);
    if (length_a != length_b || strncmp(a.part, b.part, length_a) != 0)
        return false;
    *distance = second - first;
    return true;
}

/* ---- Values ---- */

/* Stands for all parts of a variable that have no value of their own. */
#define OTHER_PARTS "*"

Amount place_get(const Scope *scope, const Place *place)
{
    if (is_held_otherwise(place))
        return UNKNOWN_AMOUNT;
    if (!*place->part)
        return variable_value(scope, place->variable);
    const VariableValue *entry = entry_of(scope, place);
    if (!entry)
        entry = entry_of(scope, &(Place){.variable = place->variable, .part = OTHER_PARTS});
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
        forget_all(scope, place->variable);
        return;
    }
    if (!*place->part) {
        variable_set(scope, place->variable, value);
        return;
    }
    if (variable_is_escaped(scope, place->variable))
        value = UNKNOWN_AMOUNT;
    forget_shared(scope, place);
    VariableValue *entry = (VariableValue *)entry_of(scope, place);
    if (entry) {
        entry->value = value;
        entry->target = NULL;
    } else if (value.expr || place->variable->is_cleared) {
        *vec_push(&scope->values) = (VariableValue){place->variable, value, place->part, NULL};
    }
}

const Place *place_target(const Scope *scope, const Place *reference)
{
    const VariableValue *entry = entry_of(scope, reference);
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
    VariableValue *entry = (VariableValue *)entry_of(scope, reference);
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

static void forget_below(Scope *scope, const Place *place)
{
    size_t length = strlen(place->part);
    int64_t index;
    for (size_t n = place->is_element ? count_indexes(place->part) : 0; n; n--)
        last_index(arena_strndup(scope->all->arena, place->part, length), &length, &index);
    for (size_t i = 0; i < scope->values.count; i++) {
        VariableValue *entry = &scope->values.items[i];
        bool is_below =
            entry->part && (strncmp(entry->part, place->part, length) == 0 || strcmp(entry->part, OTHER_PARTS) == 0);
        if (entry->variable == place->variable && is_below)
            entry->value = UNKNOWN_AMOUNT;
    }
    const Place rest = {.variable = place->variable, .part = OTHER_PARTS};
    if (place->variable->is_global && place->variable->is_cleared && !entry_of(scope, &rest))
        place_set(scope, &rest, UNKNOWN_AMOUNT);
}

static void forget_all(Scope *scope, const SourceVariable *variable)
{
    forget_below(scope, &(Place){.variable = variable, .part = ""});
    for (size_t i = 0; i < scope->values.count; i++)
        if (scope->values.items[i].variable == variable)
            scope->values.items[i].target = NULL;
    variable_assign(scope, variable, UNKNOWN_AMOUNT);
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
    for (size_t i = 0; i < allocation->n_operands; i++)
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
    forget_below(scope, &(Place){.variable = &found->memory, .part = ""});
    if (is_cleared)
        clear_parts(scope, &found->memory);
    else
        place_set(scope, &(Place){.variable = &found->memory, .part = OTHER_PARTS}, UNKNOWN_AMOUNT);
    return keep(scope, &(Place){.variable = &found->memory, .part = "[0]", .is_element = true});
}

void place_release(Scope *scope, const SourceExpression *reference)
{
    Place place;
    VariableValue *entry = place_of(scope, reference, &place) ? (VariableValue *)entry_of(scope, &place) : NULL;
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
    forget_below(scope, &(Place){.variable = to->variable, .part = to->part});
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
    const Place to = from ? step(scope, from, n) : (Place){0};
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

/* ---- Forgetting ---- */

void place_forget_parts(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    bool is_known = place_pointed_to(scope, reference, &place);
    if (is_known && is_held_otherwise(&place))
        forget_all(scope, place.variable);
    else if (is_known)
        forget_below(scope, &place);
    else if (reference->n_operands) /* the index isn't known: forget the whole array */
        place_forget_parts(scope, reference->operands[0]);
}

void place_forget(Scope *scope, const SourceExpression *reference)
{
    Place place;
    reference = without_casts(reference);
    bool is_known = place_pointed_to(scope, reference, &place), is_other = is_known && is_held_otherwise(&place);
    if (is_other)
        find_other_type(scope, &place, reference);
    else if (is_known && *place.part && !place.is_element)
        place_set(scope, &place, UNKNOWN_AMOUNT);
    else if (is_known && !*place.part &&
             (reference->kind == SOURCE_ADDRESS || place.variable->type != CPU_REFERENCE)) /* not the reference's own */
        variable_assign(scope, place.variable, UNKNOWN_AMOUNT);
    place_forget_parts(scope, reference);
}

enum { CALLS_FOLLOWED = 8 };

/* A search for what is assigned through references, also in functions that are called. */
typedef struct Writes {
    const Scope *scope;
    unsigned depth; /* of calls that are followed */
} Writes;

static bool writes_here(const SourceExpression *expression, void *self);

/* Whether a function may assign what its arguments refer to; only reading functions are known not to. */
static bool function_writes(const Scope *scope, const char *name, unsigned depth)
{
    const SourceFunction *function = name && depth ? source_find(scope->all->program, name) : NULL;
    if (name && only_reads(name))
        return false;
    return !function || source_any_in(function->body, writes_here, &(Writes){scope, depth - 1});
}

static bool writes_here(const SourceExpression *expression, void *self)
{
    const Writes *search = self;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    return (assigns && without_casts(expression->operands[0])->kind != SOURCE_VARIABLE) ||
           (expression->kind == SOURCE_CALL && function_writes(search->scope, expression->name, search->depth));
}

/* What the called function may assign: all that its arguments refer to. */
static void forget_arguments(Scope *scope, const SourceExpression *call)
{
    if (!function_writes(scope, call->name, CALLS_FOLLOWED))
        return;
    for (size_t i = 0; i < call->n_operands; i++)
        if (is_reference(call->operands[i]))
            place_forget(scope, call->operands[i]);
}

static void forget_in(Scope *scope, const SourceExpression *expression)
{
    Place place;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = expression->n_operands ? without_casts(expression->operands[0]) : NULL;
    if (assigns && target->kind != SOURCE_VARIABLE && target->n_operands) {
        place_forget_parts(scope, target->operands[0]);
        if (target->kind == SOURCE_DEREFERENCE && place_of(scope, target, &place))
            place_set(scope, &place, UNKNOWN_AMOUNT);
    }
    if (expression->kind == SOURCE_ADDRESS && place_of(scope, target, &place))
        place_set(scope, &place, UNKNOWN_AMOUNT);
    if (expression->kind == SOURCE_CALL)
        forget_arguments(scope, expression);
    for (size_t i = 0; i < expression->n_operands; i++)
        forget_in(scope, expression->operands[i]);
}

void places_forget(Scope *scope, const SourceStatement *statement)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        if (statement->expressions[i])
            forget_in(scope, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        places_forget(scope, statement->children[i]);
}
