/* SPDX-License-Identifier: BSD-3-Clause */
/* See library.h. */
#include "cost/source/library.h"

#include "cost/source/jvm/inlining.h"
#include "cost/source/operation.h"
#include "cost/source/values/value.h"
#include "cost/source/writing.h"

#include <string.h>

/* Of what there is a number of. Whole words of eight bytes are copied and compared. */
typedef enum Measure {
    EACH_CALL,
    EACH_WORD,    /* of as many bytes as an argument says */
    TEXT_WORD,    /* of a text, whose mean length is a parameter */
    EACH_ELEMENT, /* of an argument's array */
    ITEM,         /* as many as an argument says */
    HALF_OBJECT,  /* half of the object's elements: a search */
    SORT_ELEMENT  /* n log2(n) of an argument's array */
} Measure;

typedef struct Charge {
    CpuOperation operation;
    CpuType type;
    int64_t times;
} Charge;

enum { CHARGES = 6 };

/* A call costs these operations for each unit of its measure. */
typedef struct Recipe {
    const char *name;
    Measure measure;
    size_t argument;
    Charge charges[CHARGES];
} Recipe;

#define COPY                                                                                                           \
    {                                                                                                                  \
        CPU_ELEMENT, CPU_INT64, 2                                                                                      \
    }
#define LOOK                                                                                                           \
    {CPU_ELEMENT, CPU_INT64, 1},                                                                                       \
    {                                                                                                                  \
        CPU_COMPARE, CPU_INT64, 1                                                                                      \
    }
#define LOOK_AT_BOTH                                                                                                   \
    {CPU_ELEMENT, CPU_INT64, 2},                                                                                       \
    {                                                                                                                  \
        CPU_COMPARE, CPU_INT64, 1                                                                                      \
    }
/* The C library fills 31 words by a generator of remainders, and leaves out the first 310 numbers. */
#define SEED                                                                                                           \
    {CPU_MOD, CPU_INT32, 31},                                                                                          \
    {                                                                                                                  \
        CPU_RANDOM, CPU_INT32, 310                                                                                     \
    }

/* The C library has tables of what characters are, and of what they become. */
#define IS_OF_CLASS                                                                                                    \
    {CPU_ELEMENT, CPU_INT16, 1},                                                                                       \
    {                                                                                                                  \
        CPU_BITWISE, CPU_INT32, 1                                                                                      \
    }
#define OTHER_LETTER                                                                                                   \
    {CPU_COMPARE, CPU_INT32, 2},                                                                                       \
    {                                                                                                                  \
        CPU_ELEMENT, CPU_INT32, 1                                                                                      \
    }
#define PARSE_WHOLE                                                                                                    \
    {                                                                                                                  \
        CPU_PARSE, CPU_INT32, 1                                                                                        \
    }
#define PARSE_FRACTION                                                                                                 \
    {                                                                                                                  \
        CPU_PARSE, CPU_DOUBLE, 1                                                                                       \
    }

static const Recipe c_recipes[] = {
    {"memcpy", EACH_WORD, 2, {COPY}},
    {"memmove", EACH_WORD, 2, {COPY}},
    {"memset", EACH_WORD, 2, {{CPU_ELEMENT, CPU_INT64, 1}}},
    {"memcmp", EACH_WORD, 2, {LOOK_AT_BOTH}},
    {"memchr", EACH_WORD, 2, {LOOK}},
    {"bzero", EACH_WORD, 1, {{CPU_ELEMENT, CPU_INT64, 1}}},
    {"strncpy", EACH_WORD, 2, {COPY}},
    {"strncmp", EACH_WORD, 2, {LOOK_AT_BOTH}},
    {"strlen", TEXT_WORD, 0, {LOOK}},
    {"strchr", TEXT_WORD, 0, {LOOK}},
    {"strrchr", TEXT_WORD, 0, {LOOK}},
    {"strstr", TEXT_WORD, 0, {LOOK}},
    {"strcmp", TEXT_WORD, 0, {LOOK_AT_BOTH}},
    {"strcpy", TEXT_WORD, 0, {COPY}},
    {"strcat", TEXT_WORD, 0, {COPY}},
    {"srand", EACH_CALL, 0, {SEED}},
    {"srandom", EACH_CALL, 0, {SEED}},
    {"isalnum", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isalpha", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isblank", EACH_CALL, 0, {IS_OF_CLASS}},
    {"iscntrl", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isdigit", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isgraph", EACH_CALL, 0, {IS_OF_CLASS}},
    {"islower", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isprint", EACH_CALL, 0, {IS_OF_CLASS}},
    {"ispunct", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isspace", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isupper", EACH_CALL, 0, {IS_OF_CLASS}},
    {"isxdigit", EACH_CALL, 0, {IS_OF_CLASS}},
    {"toupper", EACH_CALL, 0, {OTHER_LETTER}},
    {"tolower", EACH_CALL, 0, {OTHER_LETTER}},
    {"atoi", EACH_CALL, 0, {PARSE_WHOLE}},
    {"atol", EACH_CALL, 0, {PARSE_WHOLE}},
    {"atoll", EACH_CALL, 0, {PARSE_WHOLE}},
    {"strtol", EACH_CALL, 0, {PARSE_WHOLE}},
    {"strtoul", EACH_CALL, 0, {PARSE_WHOLE}},
    {"strtoll", EACH_CALL, 0, {PARSE_WHOLE}},
    {"strtoull", EACH_CALL, 0, {PARSE_WHOLE}},
    {"atof", EACH_CALL, 0, {PARSE_FRACTION}},
    {"strtod", EACH_CALL, 0, {PARSE_FRACTION}},
    {"strtof", EACH_CALL, 0, {PARSE_FRACTION}},
    {"strtold", EACH_CALL, 0, {PARSE_FRACTION}},
};

#define STORE                                                                                                          \
    {                                                                                                                  \
        CPU_ELEMENT, CPU_REFERENCE, 1                                                                                  \
    }
#define LOAD_ITEM                                                                                                      \
    {CPU_FIELD, CPU_INT64, 1}, {CPU_COMPARE, CPU_INT32, 1},                                                            \
    {                                                                                                                  \
        CPU_ELEMENT, CPU_REFERENCE, 1                                                                                  \
    }
#define ADD_ITEM                                                                                                       \
    LOAD_ITEM, {CPU_SUM, CPU_INT32, 1},                                                                                \
    {                                                                                                                  \
        CPU_FIELD, CPU_INT32, 1                                                                                        \
    }
#define LOOK_UP                                                                                                        \
    {CPU_FIELD, CPU_REFERENCE, 3}, {CPU_BITWISE, CPU_INT32, 2}, {CPU_SHIFT, CPU_INT32, 1},                             \
        {CPU_ELEMENT, CPU_REFERENCE, 1},                                                                               \
    {                                                                                                                  \
        CPU_COMPARE, CPU_REFERENCE, 2                                                                                  \
    }

static const Recipe java_recipes[] = {
    {"System.arraycopy", ITEM, 4, {COPY}},
    {"Arrays.fill", EACH_ELEMENT, 0, {{CPU_ELEMENT, CPU_INT64, 1}}},
    {"Arrays.copyOf", ITEM, 1, {COPY}},
    {"Arrays.sort",
     SORT_ELEMENT,
     0,
     {{CPU_ELEMENT, CPU_INT64, 2}, {CPU_COMPARE, CPU_INT64, 1}, {CPU_BRANCH, CPU_INT32, 1}}},
    {"String.charAt",
     EACH_CALL,
     0,
     {{CPU_FIELD, CPU_INT64, 1}, {CPU_COMPARE, CPU_INT32, 1}, {CPU_ELEMENT, CPU_INT16, 1}}},
    {"StringBuilder.charAt",
     EACH_CALL,
     0,
     {{CPU_FIELD, CPU_INT64, 1}, {CPU_COMPARE, CPU_INT32, 1}, {CPU_ELEMENT, CPU_INT16, 1}}},
    {"StringBuilder.append",
     EACH_CALL,
     0,
     {{CPU_FIELD, CPU_INT64, 1},
      {CPU_COMPARE, CPU_INT32, 2},
      {CPU_ELEMENT, CPU_INT16, 1},
      {CPU_SUM, CPU_INT32, 1},
      {CPU_FIELD, CPU_INT32, 2}}},
    {"String.equals", TEXT_WORD, 0, {LOOK_AT_BOTH}},
    {"String.compareTo", TEXT_WORD, 0, {LOOK_AT_BOTH}},
    {"String.hashCode", EACH_CALL, 0, {{CPU_FIELD, CPU_INT32, 1}, {CPU_COMPARE, CPU_INT32, 1}}},
    {"List.get", EACH_CALL, 0, {LOAD_ITEM}},
    {"ArrayList.get", EACH_CALL, 0, {LOAD_ITEM}},
    {"List.set", EACH_CALL, 0, {LOAD_ITEM, STORE}},
    {"ArrayList.set", EACH_CALL, 0, {LOAD_ITEM, STORE}},
    {"List.add", EACH_CALL, 0, {ADD_ITEM}},
    {"ArrayList.add", EACH_CALL, 0, {ADD_ITEM}},
    {"Deque.add", EACH_CALL, 0, {ADD_ITEM}},
    {"Deque.push", EACH_CALL, 0, {ADD_ITEM}},
    {"Deque.pop", EACH_CALL, 0, {ADD_ITEM}},
    {"Deque.poll", EACH_CALL, 0, {ADD_ITEM}},
    {"ArrayDeque.add", EACH_CALL, 0, {ADD_ITEM}},
    {"ArrayDeque.push", EACH_CALL, 0, {ADD_ITEM}},
    {"ArrayDeque.pop", EACH_CALL, 0, {ADD_ITEM}},
    {"ArrayDeque.poll", EACH_CALL, 0, {ADD_ITEM}},
    {"List.contains", HALF_OBJECT, 0, {{CPU_ELEMENT, CPU_REFERENCE, 1}, {CPU_COMPARE, CPU_REFERENCE, 1}}},
    {"ArrayList.contains", HALF_OBJECT, 0, {{CPU_ELEMENT, CPU_REFERENCE, 1}, {CPU_COMPARE, CPU_REFERENCE, 1}}},
    {"List.indexOf", HALF_OBJECT, 0, {{CPU_ELEMENT, CPU_REFERENCE, 1}, {CPU_COMPARE, CPU_REFERENCE, 1}}},
    {"ArrayList.indexOf", HALF_OBJECT, 0, {{CPU_ELEMENT, CPU_REFERENCE, 1}, {CPU_COMPARE, CPU_REFERENCE, 1}}},
    {"Map.get", EACH_CALL, 0, {LOOK_UP}},
    {"HashMap.get", EACH_CALL, 0, {LOOK_UP}},
    {"Map.getOrDefault", EACH_CALL, 0, {LOOK_UP}},
    {"HashMap.getOrDefault", EACH_CALL, 0, {LOOK_UP}},
    {"Map.containsKey", EACH_CALL, 0, {LOOK_UP}},
    {"HashMap.containsKey", EACH_CALL, 0, {LOOK_UP}},
    {"Set.contains", EACH_CALL, 0, {LOOK_UP}},
    {"HashSet.contains", EACH_CALL, 0, {LOOK_UP}},
    {"Map.put", EACH_CALL, 0, {LOOK_UP, {CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"HashMap.put", EACH_CALL, 0, {LOOK_UP, {CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Set.add", EACH_CALL, 0, {LOOK_UP, {CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"HashSet.add", EACH_CALL, 0, {LOOK_UP, {CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Integer.valueOf", EACH_CALL, 0, {{CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Long.valueOf", EACH_CALL, 0, {{CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Double.valueOf", EACH_CALL, 0, {{CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Float.valueOf", EACH_CALL, 0, {{CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Character.valueOf", EACH_CALL, 0, {{CPU_ALLOCATE, CPU_REFERENCE, 1}}},
    {"Boolean.valueOf", EACH_CALL, 0, {{CPU_ACCESS, CPU_REFERENCE, 1}}},
};

bool library_is_named(const char *name, const char *function)
{
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    name += strncmp(name, "__", 2) == 0 ? 2 : 0;
    size_t length = strlen(function);
    return strncmp(name, function, length) == 0 && (!name[length] || strcmp(name + length, "_chk") == 0);
}

/* Of append, that of a letter: what texts and numbers become isn't known. */
static bool is_of_others(const SourceExpression *call, const char *name)
{
    return strcmp(name, "StringBuilder.append") == 0 && call->n_operands && call->operands[0]->type != CPU_INT16;
}

static const Recipe *find_recipe(const Scope *scope, const SourceExpression *call, const char *name)
{
    bool is_java = strcmp(scope->all->program->language, "java") == 0;
    const Recipe *recipes = is_java ? java_recipes : c_recipes;
    size_t n = is_java ? sizeof java_recipes / sizeof *java_recipes : sizeof c_recipes / sizeof *c_recipes;
    for (size_t i = 0; i < n; i++)
        if (is_java ? strcmp(name, recipes[i].name) == 0 && !is_of_others(call, name)
                    : library_is_named(name, recipes[i].name))
            return &recipes[i];
    return NULL;
}

/* ---- Sizes ---- */

/* A size that the source doesn't tell is a parameter: length_pi_12. argument: which one it is; is_text: it is the length
 * of the text that the function reads. */
static const Expr *known_or_named(Scope *scope, const SourceExpression *call, const char *name, Amount value,
                                  size_t argument, bool is_text)
{
    Generator *all = scope->all;
    if (value.expr)
        return value.expr;
    const char *parameter = name_of_place(all, "length", "", &call->place);
    const char *message = arena_printf(all->arena, "mean length of what %s works on", name);
    count_add(all, &(AnalysisCount){.parameter = parameter,
                                    .kind = COUNT_MEAN,
                                    .place = call->place,
                                    .expression = call,
                                    .index = argument,
                                    .is_text = is_text});
    finding_add(all, &call->place, parameter, message);
    return parameter_make(all, parameter, value_to_give(scope), &call->place, message);
}

/* log2(n), and 0 for n = 0. */
static Amount levels_of(const Scope *scope, Amount n)
{
    Amount at_least_one = amount_function(scope->space, EXPR_MAX, n, amount_number(scope->space, 1), true);
    return amount_function(scope->space, EXPR_LOG2, at_least_one, UNKNOWN_AMOUNT, false);
}

static Amount count_of(const Scope *scope, const SourceExpression *call, const Recipe *recipe,
                       const SourceExpression *object, const Amount *values)
{
    Amount given = recipe->argument < call->n_operands ? values[recipe->argument] : UNKNOWN_AMOUNT;
    switch (recipe->measure) {
    case EACH_CALL:
        return amount_number(scope->space, 1);
    case TEXT_WORD:
        return UNKNOWN_AMOUNT;
    case HALF_OBJECT:
        return object ? amount_divide(scope->space, amount_of(scope, object), amount_number(scope->space, 2))
                      : UNKNOWN_AMOUNT;
    default:
        return given;
    }
}

/* A compiler does shorter ones by itself, if it knows how short they are. */
static const double LEAST_BLOCK_BYTES = 65;

/* Lines of the memory for a line of a block: a store loads its line, too, and writes it back. */
typedef struct BlockWork {
    CpuType type; /* of CPU_BLOCK */
    int64_t lines;
} BlockWork;

/* As its charges say: with one block or two, to store or to compare. */
static BlockWork block_work(const Recipe *recipe)
{
    static const BlockWork storing[] = {{CPU_INT8, 2}, {CPU_INT16, 3}}, comparing[] = {{CPU_INT32, 1}, {CPU_INT64, 2}};
    const bool compares = recipe->charges[1].operation == CPU_COMPARE;
    return (compares ? comparing : storing)[recipe->charges[0].times == 2];
}

/* What models for compiled code count of a function that works on blocks: the compiled loops don't have its work. */
static bool emit_block(Scope *scope, const Recipe *recipe, const Expr *words)
{
    ExprSpace *space = scope->space;
    double number;
    bool is_block = recipe->measure == EACH_WORD || recipe->measure == TEXT_WORD;
    if (!is_block || !scope->all->options->for_context || is_warm_java(scope->all) ||
        (expr_is_number(words, &number) && 8 * number < LEAST_BLOCK_BYTES))
        return false;
    const BlockWork work = block_work(recipe);
    const Expr *lines = expr_divide(space, words, expr_integer(space, 8));
    emit_operation(scope, CPU_BLOCK, CPU_REFERENCE);
    emit_operations(scope, CPU_BLOCK, work.type, words);
    emit_operations(scope, CPU_STREAM, CPU_INT64, expr_multiply(space, expr_integer(space, work.lines), lines));
    return true;
}

static void emit_charges(Scope *scope, const Recipe *recipe, const Expr *count)
{
    for (size_t i = 0; i < CHARGES && recipe->charges[i].times; i++) {
        const Charge *charge = &recipe->charges[i];
        emit_operations(scope, charge->operation, charge->type,
                        expr_multiply(scope->space, expr_integer(scope->space, charge->times), count));
    }
}

static void emit_recipe(Scope *scope, const SourceExpression *call, const Recipe *recipe,
                        const SourceExpression *object, const Amount *values)
{
    const Expr *count = known_or_named(scope, call, recipe->name, count_of(scope, call, recipe, object, values),
                                       recipe->argument, recipe->measure == TEXT_WORD);
    if (recipe->measure == EACH_WORD || recipe->measure == TEXT_WORD)
        count = expr_divide(scope->space, count, expr_integer(scope->space, 8));
    if (recipe->measure == SORT_ELEMENT)
        count = expr_multiply(scope->space, count, levels_of(scope, (Amount){count, true}).expr);
    if (emit_block(scope, recipe, count))
        return;
    if (!is_warm_java(scope->all)) {
        emit_operation(scope, CPU_CALL, CPU_INT32);
        emit_operation(scope, CPU_RETURN, CPU_INT32);
    }
    emit_charges(scope, recipe, count);
}

/* ---- Sorting and searching with a function that compares ---- */

/* A comparison, and for a sort the move of an element of so many bytes. */
static PamelaNode *comparison_to_node(Scope *scope, const SourceExpression *call, SourceExpression *function,
                                      const Expr *moved_bytes)
{
    Block block = {0}, *outer = scope->block;
    SourceExpression *comparison = arena_alloc(scope->all->arena, sizeof *comparison);
    *comparison = (SourceExpression){.kind = SOURCE_CALL,
                                     .type = CPU_INT32,
                                     .place = call->place,
                                     .text = arena_printf(scope->all->arena, "a comparison of %s", call->name)};
    const SourceExpression *named = without_casts(function);
    while (named->kind == SOURCE_ADDRESS)
        named = without_casts(named->operands[0]);
    comparison->name = named->kind == SOURCE_TEXT ? named->name : NULL;
    comparison->callee = comparison->name ? NULL : function;
    scope->block = &block;
    const SourceFunction *source = comparison->name ? source_find(scope->all->program, comparison->name) : NULL;
    if (source && active_calls(scope->all, source))
        emit_unknown(scope, comparison);
    else
        emit_call(scope, comparison, NULL);
    if (scope->all->options->for_context)
        emit_operation(scope, CPU_BLOCK, CPU_DOUBLE);
    emit_operation(scope, CPU_COMPARE, CPU_INT32);
    emit_operation(scope, CPU_BRANCH, CPU_INT32);
    if (moved_bytes)
        emit_operations(scope, CPU_ELEMENT, CPU_INT64,
                        expr_divide(scope->space, moved_bytes, expr_integer(scope->space, 4)));
    scope->block = outer;
    return block_end(scope->all, &block);
}

/* qsort(base, n, size, compare) makes n log2(n) comparisons; bsearch(key, base, n, …) makes log2(n) + 1. */
static bool emit_comparisons(Scope *scope, const SourceExpression *call, const char *name, const Amount *values)
{
    bool is_sort = strcmp(name, "qsort") == 0;
    size_t function = is_sort ? 3 : 4;
    if ((!is_sort && strcmp(name, "bsearch") != 0) || call->n_operands != function + 1)
        return false;
    ExprSpace *space = scope->space;
    const size_t counting = is_sort ? 1 : 2;
    Amount n = {known_or_named(scope, call, name, values[counting], counting, false), true};
    Amount size = values[is_sort ? 2 : 3];
    const Expr *moved_bytes = is_sort ? size.expr ? size.expr : expr_integer(space, 8) : NULL;
    Amount one = amount_number(space, 1);
    Amount count =
        is_sort ? amount_multiply(space, n, levels_of(scope, n)) : amount_add(space, levels_of(scope, n), one);
    PamelaNode **body = arena_new_array(scope->all->arena, PamelaNode *, 1);
    PamelaNode *loop = node_new(scope->all, PAMELA_SEQ);
    body[0] = comparison_to_node(scope, call, call->operands[function], moved_bytes);
    loop->name = name_of_place(scope->all, "comparison", "", &call->place);
    loop->from = expr_integer(space, 1);
    loop->to = amount_floor(space, count).expr;
    loop->comment = place_text(scope->all, &call->place);
    loop->children = body;
    loop->n_children = 1;
    block_append(scope->block, loop);
    return true;
}

bool library_emit(Scope *scope, const SourceExpression *call, const char *name, const SourceExpression *object,
                  const Amount *values)
{
    const Recipe *recipe = find_recipe(scope, call, name);
    if (!recipe)
        return strcmp(scope->all->program->language, "c") == 0 &&
               (writing_emit(scope, call, name) || emit_comparisons(scope, call, name, values));
    emit_recipe(scope, call, recipe, object, values);
    return true;
}
