/* SPDX-License-Identifier: BSD-3-Clause */
/* Random PAMELA models are printed, read again, and compared node by node. */
#include "cost/lang/pamela.h"
#include "test.h"

#include <string.h>

enum { MODELS = 2000, MOST_CHILDREN = 5, MOST_DEPTH = 6 };

static uint64_t random_state = 7;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % limit);
}

typedef struct Maker {
    Arena *arena;
    ExprSpace *space;
    size_t n_subs; /* sub-models that may be called */
} Maker;

static const char *any_of(const char *const *texts, uint32_t count)
{
    return texts[random_below(count)];
}
#define ANY_OF(texts) any_of(texts, sizeof(texts) / sizeof *(texts))

static const Expr *random_expression(const Maker *maker)
{
    static const char *const texts[] = {
        "1",   "2",          "10^9",         "n",        "3*n + 1",  "n*(m + 1)/2",
        "n-1", "floor(n/2)", "max(n, m, 7)", "log(n)/3", "1.5e-7*n", "t_sum_double[fast]",
        "-n",  "n^2",        "1/3",          "sqrt(m)"};
    const ExprPlace place = {"", 1, 1};
    const Expr *expr;
    Err err;
    assert_true(expr_parse(maker->space, ANY_OF(texts), &place, &expr, &err));
    return expr;
}

static const char *random_comment(void)
{
    static const char *const texts[] = {"pi.c:12: loop", "a # b // c; } {", "don't \"quote", "first\nsecond",
                                        "x || y = 1",    "else { x }",      "é → ü",         "seq (i = 1, 2) {"};
    return random_below(4) == 0 ? ANY_OF(texts) : NULL;
}

static const char *random_condition(void)
{
    static const char *const texts[] = {
        "x*x + y*y <= 1.0",  "f(a, b) == ','", "s == \"a, b)\"", "a[i] > {",  "x // y",      "a, b", "trailing, ",
        "foo(bar, (",        "\"quoted\"",     "c == '\\''",     "a ? b : c", "back\\slash", "# 1",  ")",
        "don't, (it's here)"};
    return random_below(4) ? ANY_OF(texts) : NULL;
}

static PamelaNode *random_node(const Maker *maker, unsigned depth);

static void add_children(const Maker *maker, PamelaNode *node, size_t count, unsigned depth)
{
    PamelaNode **children = arena_new_array(maker->arena, PamelaNode *, count);
    for (size_t i = 0; i < count; i++)
        children[i] = random_node(maker, depth + 1);
    node->children = children;
    node->n_children = count;
}

/* A body's comment belongs to its owner, unless it stands behind `else`. */
static void drop_comments_of_bodies(PamelaNode *node)
{
    for (size_t i = 0; i < node->n_children; i++) {
        PamelaNode *child = node->children[i];
        bool is_block = child->kind == PAMELA_SEQUENCE || child->kind == PAMELA_PARALLEL;
        if (is_block && !(node->kind == PAMELA_IF && i == 1))
            child->comment = NULL;
    }
}

static void make_call(const Maker *maker, PamelaNode *node)
{
    size_t called = random_below((uint32_t)maker->n_subs);
    const Expr **arguments = arena_new_array(maker->arena, const Expr *, 2);
    node->name = arena_printf(maker->arena, "sub%zu", called);
    node->n_arguments = called % 3;
    for (size_t i = 0; i < node->n_arguments; i++)
        arguments[i] = random_expression(maker);
    node->arguments = arguments;
}

static void make_simple(const Maker *maker, PamelaNode *node)
{
    static const char *const operations[] = {"sum_double", "access_int32", "unknown_printf", "mul_float", "seqs"};
    static const char *const resources[] = {"disk", "my disk", "a.b", "seq", "q\"q"};
    node->amount = random_expression(maker);
    if (node->kind == PAMELA_SEND) {
        node->from = random_expression(maker);
        node->to = random_expression(maker);
    } else if (node->kind == PAMELA_USE) {
        node->name = ANY_OF(resources);
    } else if (node->kind != PAMELA_DELAY) {
        node->name = ANY_OF(operations);
        node->processor = random_below(2) ? random_expression(maker) : NULL;
        node->amount = random_below(2) ? expr_integer(maker->space, 1) : node->amount;
        if (node->kind == PAMELA_CALL)
            make_call(maker, node);
    }
}

static void make_composed(const Maker *maker, PamelaNode *node, unsigned depth)
{
    if (node->kind == PAMELA_SEQUENCE) {
        add_children(maker, node, random_below(MOST_CHILDREN), depth);
    } else if (node->kind == PAMELA_PARALLEL) {
        add_children(maker, node, 2 + random_below(MOST_CHILDREN), depth);
    } else if (node->kind == PAMELA_IF) {
        node->name = random_condition();
        node->amount = expr_rational(maker->space, 1, 1 + random_below(9));
        add_children(maker, node, 2, depth);
    } else {
        node->name = random_below(2) ? "i" : "j";
        node->from = random_expression(maker);
        node->to = random_expression(maker);
        node->step = expr_integer(maker->space, node->kind == PAMELA_SEQ ? 1 + random_below(2) : 1);
        add_children(maker, node, 1, depth);
    }
    if (node->kind != PAMELA_SEQUENCE && node->kind != PAMELA_PARALLEL)
        drop_comments_of_bodies(node);
}

static PamelaNode *random_node(const Maker *maker, unsigned depth)
{
    static const PamelaKind composed[] = {PAMELA_SEQUENCE, PAMELA_PARALLEL, PAMELA_SEQ, PAMELA_PAR, PAMELA_IF};
    static const PamelaKind simple[] = {PAMELA_OPERATION, PAMELA_SEND, PAMELA_USE, PAMELA_DELAY, PAMELA_CALL};
    PamelaNode *node = arena_new_array(maker->arena, PamelaNode, 1);
    node->comment = random_comment();
    bool is_composed = depth < MOST_DEPTH && random_below(2);
    node->kind = is_composed ? composed[random_below(5)] : simple[random_below(maker->n_subs ? 5 : 4)];
    if (is_composed)
        make_composed(maker, node, depth);
    else
        make_simple(maker, node);
    return node;
}

static PamelaModel *random_model(Arena *arena)
{
    static const char *const names[] = {"k", "l"};
    Maker maker = {arena, expr_space_new(arena), 0};
    PamelaModel *model = arena_new_array(arena, PamelaModel, 1);
    PamelaParameter *parameters = arena_new_array(arena, PamelaParameter, 2);
    PamelaSub *subs = arena_new_array(arena, PamelaSub, 3);
    parameters[0] = (PamelaParameter){.name = "n", .comment = random_comment()};
    parameters[1] = (PamelaParameter){.name = "m", .comment = random_comment()};
    parameters[random_below(2)].place = "pi \"2\".c:12";
    parameters[1].value = random_below(2) ? expr_symbol(maker.space, "n") : NULL;
    *model = (PamelaModel){
        .space = maker.space, .comment = random_comment(), .n_parameters = 2, .parameters = parameters, .subs = subs};
    for (size_t i = 0; i < 1 + random_below(3); i++) {
        maker.n_subs = i;
        subs[i] = (PamelaSub){.name = arena_printf(arena, "sub%zu", i),
                              .comment = random_comment(),
                              .n_parameters = i % 3,
                              .parameters = names,
                              .body = random_node(&maker, 0)};
        if (subs[i].body->kind <= PAMELA_PARALLEL)
            subs[i].body->comment = NULL;
        model->n_subs = i + 1;
    }
    return model;
}

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool same_expression(const Expr *a, const Expr *b, Arena *arena)
{
    return (!a && !b) || (a && b && strcmp(expr_text(a, arena), expr_text(b, arena)) == 0);
}

static bool same_node(const PamelaNode *a, const PamelaNode *b, Arena *arena)
{
    if (a->kind != b->kind || !same_text(a->name, b->name) || !same_text(a->comment, b->comment) ||
        !same_expression(a->from, b->from, arena) || !same_expression(a->to, b->to, arena) ||
        !same_expression(a->step, b->step, arena) || !same_expression(a->amount, b->amount, arena) ||
        !same_expression(a->processor, b->processor, arena) || a->n_arguments != b->n_arguments ||
        a->n_children != b->n_children)
        return false;
    for (size_t i = 0; i < a->n_arguments; i++)
        if (!same_expression(a->arguments[i], b->arguments[i], arena))
            return false;
    for (size_t i = 0; i < a->n_children; i++)
        if (!same_node(a->children[i], b->children[i], arena))
            return false;
    return true;
}

static bool same_model(const PamelaModel *a, const PamelaModel *b, Arena *arena)
{
    if (!same_text(a->comment, b->comment) || a->n_parameters != b->n_parameters || a->n_subs != b->n_subs)
        return false;
    for (size_t i = 0; i < a->n_parameters; i++)
        if (!same_text(a->parameters[i].name, b->parameters[i].name) ||
            !same_text(a->parameters[i].comment, b->parameters[i].comment) ||
            !same_expression(a->parameters[i].value, b->parameters[i].value, arena))
            return false;
    for (size_t i = 0; i < a->n_subs; i++)
        if (!same_text(a->subs[i].name, b->subs[i].name) || !same_text(a->subs[i].comment, b->subs[i].comment) ||
            a->subs[i].n_parameters != b->subs[i].n_parameters || !same_node(a->subs[i].body, b->subs[i].body, arena))
            return false;
    return true;
}

static void a_model_that_is_printed_and_read_is_the_same(void **state)
{
    for (int round = 0; round < MODELS; round++) {
        Arena *arena = arena_new();
        Err err = {0};
        PamelaModel *model = random_model(arena), *again;
        const char *text = pamela_text(model, arena);
        if (!pamela_parse("printed", text, NULL, arena, &again, &err))
            fail_msg("round %d: %s\n%s", round, err.message, text);
        if (!same_model(model, again, arena))
            fail_msg("round %d: differs\n%s\n---\n%s", round, text, pamela_text(again, arena));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_model_that_is_printed_and_read_is_the_same)};
    return cmocka_run_group_tests_name("pamela", tests, NULL, NULL);
}
