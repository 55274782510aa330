/* SPDX-License-Identifier: BSD-3-Clause */
/* See lines.h. Loads and stores whose addresses differ by constants are one access. Over the iterations of each loop
 * around it, an access stays at its lines, goes through neighbouring ones, or comes to others. What the accesses of
 * a loop touch together is the loop's footprint. Of the loops around an access, the innermost one whose footprint the
 * cache doesn't hold brings all its lines anew, each time that it runs. What is stored goes back, too. */
#include "cost/compiled/lines.h"

#include "base/vec.h"
#include "cost/compiled/strides.h"
#include "cost/source/program/reach.h"
#include "cost/source/program/syntax.h"
#include <math.h>

enum { NESTING_LIMIT = 40 };

/* A loop or function around an access. */
typedef struct Level {
    int unit;
    double trips; /* each time that it is reached */
    double lines; /* that the access touches in all these */
} Level;

typedef struct Access {
    int unit;
    const char *key;
    double share; /* of the unit's runs in which it runs */
    bool leaps;   /* each time to another line */
    bool stores;
    size_t n_levels;
    Level *levels; /* innermost first */
} Access;

typedef struct Counting {
    CompiledRegions *regions;
    const Strides *strides;
    double bytes;
    const double *cache_bytes; /* [2] */
    double *in_body, *in_all;  /* [regions->n] bytes that an iteration touches, and all iterations do */
    VEC(Access) accesses;
    Arena *arena;
} Counting;

static double bytes_of(const SourceExpression *expression)
{
    return expression->structure_bytes ? expression->structure_bytes : cpu_type_bytes(expression->type, sizeof(void *));
}

/* Of a part of an object, the field of the whole. */
static const SourceExpression *root_of(const SourceExpression *expression)
{
    while (expression->kind == SOURCE_FIELD && without_casts(expression->operands[0])->kind == SOURCE_FIELD)
        expression = without_casts(expression->operands[0]);
    return expression;
}

/* Of a field, its structure; of one of a reference, the reference. */
static const SourceExpression *object_of(const SourceExpression *expression)
{
    while (expression->kind == SOURCE_FIELD)
        expression = without_casts(expression->operands[0]);
    return expression;
}

/* Rows of an array of arrays are references that come with their elements. A structure as a whole is copied by its
 * fields. */
static bool is_access(const SourceExpression *expression)
{
    bool is_load = expression->kind == SOURCE_ELEMENT || expression->kind == SOURCE_DEREFERENCE ||
                   expression->kind == SOURCE_FIELD;
    const SourceExpression *object = object_of(expression);
    return is_load && expression->type != CPU_REFERENCE && !expression->is_structure &&
           !(object->kind == SOURCE_VARIABLE && object->is_structure);
}

static double count_of(const Counting *counting, int region)
{
    return region >= 0 ? counting->regions->items[region].count : 0;
}

/* The region in which a loop or function begins. */
static int around(const Counting *counting, int unit)
{
    const CompiledRegion *region = &counting->regions->items[unit];
    return region->kind == COMPILED_FUNCTION ? strides_caller(counting->strides, unit) : region->outer;
}

/* What an access touches: stretches of bytes that lie apart. */
typedef struct Extent {
    double n, bytes;
} Extent;

static void extend(Extent *extent, Stride stride, double bytes, double trips)
{
    double step = fabs(stride.elements) * bytes;
    if (stride.kind == STRIDE_STEADY && step < LINE_BYTES)
        extent->bytes += trips * step;
    else if (stride.kind != STRIDE_NONE)
        extent->n *= fmax(1, trips);
}

/* The loops and functions around an access. False: data tell where it goes in one of them. */
static bool find_levels(const Counting *counting, const SourceExpression *expression, Access *access)
{
    double bytes = bytes_of(root_of(expression)), most = fmax(1, counting->bytes / LINE_BYTES);
    Extent extent = {1, 0};
    bool has_moved = false;
    access->levels = arena_new_array(counting->arena, Level, NESTING_LIMIT);
    for (int unit = access->unit; unit >= 0 && access->n_levels < NESTING_LIMIT;
         unit = regions_unit(counting->regions, around(counting, unit))) {
        bool is_loop = counting->regions->items[unit].kind == COMPILED_LOOP;
        Stride stride = is_loop ? strides_of_address(counting->strides, expression, unit) : (Stride){STRIDE_NONE, 0};
        double reached = count_of(counting, around(counting, unit));
        double trips = reached > 0 ? count_of(counting, unit) / reached : 1;
        if (stride.kind == STRIDE_DATA)
            return false;
        if (!has_moved && stride.kind != STRIDE_NONE) {
            has_moved = true;
            access->leaps = stride.kind == STRIDE_FAR || fabs(stride.elements) * bytes >= LINE_BYTES;
        }
        extend(&extent, stride, bytes, trips);
        access->levels[access->n_levels++] =
            (Level){unit, trips, fmin(most, extent.n * fmax(1, extent.bytes / LINE_BYTES))};
    }
    return has_moved;
}

static Access *find_access(Counting *counting, int unit, const char *key)
{
    for (size_t i = 0; i < counting->accesses.count; i++)
        if (counting->accesses.items[i].unit == unit && strcmp(counting->accesses.items[i].key, key) == 0)
            return &counting->accesses.items[i];
    return NULL;
}

/* An assignment comes before its target. */
static bool is_stored(const CompiledRegions *regions, const CompiledUse *use)
{
    const SourceExpression *before = use > regions->uses ? use[-1].expression : use->expression;
    return (before->kind == SOURCE_ASSIGN || before->kind == SOURCE_INCREMENT) &&
           without_casts(before->operands[0]) == use->expression;
}

static void add_use(Counting *counting, const CompiledUse *use)
{
    int unit = regions_unit(counting->regions, use->region);
    double runs = count_of(counting, unit);
    if (use->variable || !is_access(use->expression) || !(runs > 0))
        return;
    const char *key = strides_key(use->expression, counting->arena);
    double share = count_of(counting, use->region) / runs;
    Access *known = find_access(counting, unit, key);
    if (known) {
        known->share = fmax(known->share, share);
        known->stores |= is_stored(counting->regions, use);
        return;
    }
    Access access = {.unit = unit, .key = key, .share = share, .stores = is_stored(counting->regions, use)};
    if (find_levels(counting, use->expression, &access))
        *vec_push(&counting->accesses) = access;
}

static void add_footprints(Counting *counting)
{
    for (size_t i = 0; i < counting->accesses.count; i++) {
        const Access *access = &counting->accesses.items[i];
        for (size_t k = 0; k < access->n_levels; k++) {
            const Level *level = &access->levels[k];
            counting->in_all[level->unit] += level->lines * LINE_BYTES;
            counting->in_body[level->unit] += (k ? access->levels[k - 1].lines : 1) * LINE_BYTES;
        }
    }
}

/* The share of the lines that the cache doesn't hold until they are touched again; of a cache that isn't known, none. */
static double missing(const Counting *counting, const Access *access, double footprint)
{
    double held = counting->cache_bytes[access->leaps ? 0 : 1];
    footprint = fmin(footprint, counting->bytes);
    return held > 0 && footprint > held ? 1 - held / footprint : 0;
}

/* Lines from beyond the cache, in the whole task. */
static double missed_lines(const Counting *counting, const Access *access)
{
    for (size_t k = 0; k < access->n_levels; k++) {
        const Level *level = &access->levels[k], *inner = k ? level - 1 : NULL;
        double in_body = missing(counting, access, counting->in_body[level->unit]);
        double in_all = missing(counting, access, counting->in_all[level->unit]);
        if (in_body > 0 && inner)
            return in_body * inner->lines * count_of(counting, inner->unit) / fmax(1, inner->trips);
        if (in_all > 0)
            return in_all * level->lines * count_of(counting, level->unit) / fmax(1, level->trips);
    }
    return 0;
}

/* ---- Arrays of fixed sizes ---- */

static const SourceVariable *array_of(const SourceExpression *expression)
{
    while (expression->kind == SOURCE_ELEMENT || expression->kind == SOURCE_FIELD)
        expression = without_casts(expression->operands[0]);
    return expression->kind == SOURCE_VARIABLE && expression->variable->array_bytes > 0 ? expression->variable : NULL;
}

double lines_array_bytes(const CompiledRegions *regions)
{
    VEC(const SourceVariable *) arrays = {0};
    double bytes = 0;
    for (size_t i = 0; i < regions->n_uses; i++) {
        const CompiledUse *use = &regions->uses[i];
        const SourceVariable *array =
            !use->variable && regions->items[use->region].count > 0 ? array_of(use->expression) : NULL;
        size_t k = 0;
        while (k < arrays.count && arrays.items[k] != array)
            k++;
        if (!array || k < arrays.count)
            continue;
        *vec_push(&arrays) = array;
        bytes += array->array_bytes;
    }
    vec_free(&arrays);
    return bytes;
}

/* ---- Conditions that wait for the memory ---- */

static bool is_far_load(const Counting *counting, const SourceExpression *expression, int loop)
{
    const SourceVariable *array = expression->kind == SOURCE_ELEMENT ? array_of(expression) : NULL;
    bool is_small = array && array->array_bytes <= counting->cache_bytes[0];
    return expression->kind == SOURCE_ELEMENT && !is_small &&
           strides_of_address(counting->strides, expression, loop).kind == STRIDE_DATA;
}

/* What the variable gets in the loop: `found = table[place]`. */
static const SourceExpression *value_of(const Counting *counting, const SourceVariable *variable, int loop)
{
    const CompiledRegions *regions = counting->regions;
    for (size_t i = 0; i < regions->n_uses; i++) {
        const CompiledUse *use = &regions->uses[i];
        const SourceExpression *one = use->expression;
        bool assigns = !use->variable && one->kind == SOURCE_ASSIGN && operator_is(one, "=") &&
                       is_variable(one->operands[0], variable);
        if ((assigns || (use->variable && use->variable == variable)) && regions_unit(regions, use->region) == loop)
            return assigns ? one->operands[1] : one;
    }
    return NULL;
}

static bool needs_far_load(const Counting *counting, const SourceExpression *expression, int loop, bool looks_further)
{
    if (is_far_load(counting, expression, loop))
        return true;
    const SourceExpression *value =
        expression->kind == SOURCE_VARIABLE && looks_further ? value_of(counting, expression->variable, loop) : NULL;
    bool found = value && needs_far_load(counting, value, loop, false);
    for (size_t i = 0; i < expression->n_operands && !found; i++)
        found = needs_far_load(counting, expression->operands[i], loop, looks_further);
    return found;
}

static void find_waits(Counting *counting)
{
    CompiledRegions *regions = counting->regions;
    for (size_t i = 0; i < regions->n; i++) {
        CompiledRegion *region = &regions->items[i];
        int unit = regions_unit(regions, (int)i);
        region->waits = region->count > 0 && region->condition && regions->items[unit].kind == COMPILED_LOOP &&
                        needs_far_load(counting, region->condition, unit, true);
    }
}

/* ---- Ways down trees ---- */

/* How many references of the variable's object a value may be: node->left, or node->children[i], which is several. */
static unsigned ways_in(const SourceExpression *value, const SourceVariable *variable)
{
    value = without_casts(value);
    const SourceExpression *first = value->n_operands ? without_casts(value->operands[0]) : NULL;
    if (value->kind == SOURCE_CONDITIONAL)
        return ways_in(value->operands[1], variable) + ways_in(value->operands[2], variable);
    if (value->kind == SOURCE_ELEMENT)
        return ways_in(first, variable) ? 2 : 0;
    return value->kind == SOURCE_FIELD && first->kind == SOURCE_VARIABLE && first->variable == variable;
}

/* An element whose index halves what is left, as in a binary search, or doubles, as down a heap. */
static bool is_descent(const CompiledRegion *loop, const SourceExpression *expression)
{
    return loop->kind == COMPILED_LOOP && expression->kind == SOURCE_ELEMENT &&
           reach_of(loop->origin, expression->operands[1]) == REACH_DESCENDS;
}

static void find_ways(CompiledRegions *regions, Arena *arena)
{
    unsigned *ways = arena_new_array(arena, unsigned, regions->n);
    const SourceVariable **variables = arena_new_array(arena, const SourceVariable *, regions->n);
    for (size_t i = 0; i < regions->n_uses; i++) {
        const SourceExpression *one = regions->uses[i].expression;
        const SourceExpression *target = one->kind == SOURCE_ASSIGN ? without_casts(one->operands[0]) : NULL;
        int unit = regions_unit(regions, regions->uses[i].region);
        regions->items[unit].descends |= is_descent(&regions->items[unit], one);
        if (!target || target->kind != SOURCE_VARIABLE || target->type != CPU_REFERENCE ||
            regions->items[unit].kind != COMPILED_LOOP)
            continue;
        ways[unit] =
            (variables[unit] == target->variable ? ways[unit] : 0) + ways_in(one->operands[1], target->variable);
        variables[unit] = target->variable;
        regions->items[unit].descends |= ways[unit] > 1;
    }
}

void lines_count(const SourceProgram *program, CompiledRegions *regions, double bytes, const double cache_bytes[2],
                 Arena *arena)
{
    Counting counting = {.regions = regions,
                         .strides = strides_new(program, regions, arena),
                         .bytes = bytes,
                         .cache_bytes = cache_bytes,
                         .in_body = arena_new_array(arena, double, regions->n),
                         .in_all = arena_new_array(arena, double, regions->n),
                         .arena = arena};
    for (size_t i = 0; i < regions->n_uses; i++)
        add_use(&counting, &regions->uses[i]);
    add_footprints(&counting);
    find_ways(regions, arena);
    if (bytes > cache_bytes[1] && cache_bytes[1] > 0)
        find_waits(&counting);
    for (size_t i = 0; i < counting.accesses.count; i++) {
        const Access *access = &counting.accesses.items[i];
        CompiledRegion *region = &regions->items[access->unit];
        double lines = access->share * (access->stores && !access->leaps ? 2 : 1) * missed_lines(&counting, access) /
                       region->count;
        *(access->leaps ? &region->leaps : &region->lines) += lines;
    }
    vec_free(&counting.accesses);
}
