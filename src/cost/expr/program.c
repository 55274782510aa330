/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions to programs. Each value is computed in the innermost loop whose index it holds. Within a loop what holds
 * no sums comes first, then loops over bodies without sums, then what holds their results, and so on: so sums can join
 * a loop that is there already. */
#include "cost/expr/program.h"

static uint32_t compile_expr(Program *program, ProgramLoop *loop, const Expr *expr);
static uint32_t compile_atom(Program *program, ProgramLoop *scope, const Atom *atom);

static uint32_t add_register(Program *program, ProgramRegister made)
{
    *vec_push(&program->registers) = made;
    return (uint32_t)program->registers.count - 1;
}

static const ProgramRegister *register_at(const Program *program, uint32_t number)
{
    return &program->registers.items[number];
}

static uint32_t constant(Program *program, Small value)
{
    ProgramRegister made = {.value = value};
    if (!small_is_exact(&value)) {
        made.is_inexact = value.denominator == SMALL_SPAN;
        return add_register(program, made);
    }
    MapKey key = {(uint64_t)value.denominator, (uint64_t)value.numerator};
    uint64_t *known = map_get(&program->constants, key);
    if (known)
        return (uint32_t)*known - 1;
    uint32_t number = add_register(program, made);
    *map_put(&program->constants, key, NULL) = number + 1;
    return number;
}

static uint32_t rational_constant(Program *program, mpq_srcptr rational)
{
    Small small;
    Value value = value_rational(rational);
    if (!small_of_value(&value, &small))
        small = small_none();
    value_clear(&value);
    return constant(program, small);
}

/* On the chain of the loop from the root. */
static ProgramLoop *loop_of_level(ProgramLoop *loop, uint32_t level)
{
    while (loop->level > level)
        loop = loop->parent;
    return loop;
}

static uint32_t emit(Program *program, ProgramLoop *loop, Instruction instruction, bool is_inexact)
{
    MapKey key = {((uint64_t)instruction.operation << 40) | ((uint64_t)instruction.third << 32) | instruction.first,
                  instruction.second};
    uint64_t *known = map_get(&program->operations, key);
    if (known)
        return (uint32_t)*known - 1;
    ProgramRegister made = *register_at(program, instruction.first);
    if (instruction.operation != PROGRAM_RAISE) {
        const ProgramRegister *second = register_at(program, instruction.second);
        made.level = second->level > made.level ? second->level : made.level;
        made.stage = second->stage > made.stage ? second->stage : made.stage;
    }
    made.is_inexact = is_inexact;
    made.value = small_none();
    instruction.stage = made.stage;
    instruction.result = add_register(program, made);
    *vec_push(&loop_of_level(loop, made.level)->code) = instruction;
    *map_put(&program->operations, key, NULL) = instruction.result + 1;
    return instruction.result;
}

static uint32_t emit_unary(Program *program, ProgramLoop *loop, ProgramOperation operation, uint32_t argument,
                           bool is_inexact)
{
    return emit(program, loop, (Instruction){.operation = operation, .first = argument, .second = argument},
                is_inexact);
}

static uint32_t emit_binary(Program *program, ProgramLoop *loop, ProgramOperation operation, uint32_t a, uint32_t b)
{
    bool is_inexact = register_at(program, a)->is_inexact || register_at(program, b)->is_inexact;
    Instruction instruction = {.operation = operation, .first = a < b ? a : b, .second = a < b ? b : a};
    return emit(program, loop, instruction, is_inexact);
}

static uint32_t multiply(Program *program, ProgramLoop *loop, uint32_t a, uint32_t b)
{
    if (small_is_whole(&register_at(program, a)->value, 1) && register_at(program, a)->level == 0)
        return b;
    if (small_is_whole(&register_at(program, b)->value, 1) && register_at(program, b)->level == 0)
        return a;
    return emit_binary(program, loop, PROGRAM_MULTIPLY, a, b);
}

static uint32_t add(Program *program, ProgramLoop *loop, uint32_t a, uint32_t b)
{
    if (small_is_whole(&register_at(program, a)->value, 0) && register_at(program, a)->level == 0)
        return b;
    return emit_binary(program, loop, PROGRAM_ADD, a, b);
}

/* The innermost loop whose index is in it. */
static ProgramLoop *home_of(ProgramLoop *loop, const SymbolSet *free)
{
    while (loop->level > 0 && !symbols_hold(free, loop->index))
        loop = loop->parent;
    return loop;
}

static uint32_t compile_parameter(Program *program, const Atom *symbol)
{
    const ExprBinding *binding = evaluation_binding(program->evaluation, symbol);
    if (!binding)
        return constant(program, small_none());
    Small small;
    Value value = value_span(binding->value.low, binding->value.high);
    if (!small_of_value(&value, &small))
        small = small_none();
    value_clear(&value);
    return constant(program, small);
}

static uint32_t compile_function(Program *program, ProgramLoop *loop, const Atom *atom)
{
    uint32_t first = compile_expr(program, loop, atom->arguments[0]);
    bool is_inexact = register_at(program, first)->is_inexact;
    if (atom->function == EXPR_FLOOR)
        return emit_unary(program, loop, PROGRAM_FLOOR, first, is_inexact);
    if (atom->function == EXPR_STEP)
        return emit_unary(program, loop, PROGRAM_STEP, first, is_inexact);
    if (atom->function == EXPR_MAX) {
        for (size_t i = 1; i < atom->n_arguments; i++)
            first = emit_binary(program, loop, PROGRAM_MAX, first, compile_expr(program, loop, atom->arguments[i]));
        return first;
    }
    uint32_t second = atom->n_arguments > 1 ? compile_expr(program, loop, atom->arguments[1]) : first;
    Instruction call = {.operation = PROGRAM_CALL, .first = first, .second = second, .third = (uint32_t)atom->function};
    return emit(program, loop, call, true);
}

static ProgramLoop *add_loop(Program *program, ProgramLoop *parent, const Atom *sum)
{
    ProgramLoop *loop = arena_new_array(program->evaluation->arena, ProgramLoop, 1);
    *loop = (ProgramLoop){.number = (uint32_t)program->loops.count, .parent = parent};
    *vec_push(&program->loops) = loop;
    if (!parent)
        return loop;
    loop->level = parent->level + 1;
    loop->index = sum->index;
    memcpy(loop->bounds, sum->arguments, sizeof loop->bounds);
    loop->depth = sum->sum_depth;
    loop->from = compile_expr(program, parent, sum->arguments[SUM_FROM]);
    loop->to = compile_expr(program, parent, sum->arguments[SUM_TO]);
    loop->step = compile_expr(program, parent, sum->arguments[SUM_STEP]);
    loop->at = add_register(program, (ProgramRegister){.value = small_none(), .level = loop->level});
    *vec_push(&parent->code) =
        (Instruction){.operation = PROGRAM_LOOP, .first = loop->number, .stage = 2 * loop->depth - 1};
    return loop;
}

static ProgramLoop *find_loop(Program *program, ProgramLoop *parent, const Atom *sum)
{
    for (size_t i = 0; i < program->loops.count; i++) {
        ProgramLoop *loop = program->loops.items[i];
        if (loop->parent == parent && loop->index == sum->index && loop->depth == sum->sum_depth &&
            memcmp(loop->bounds, sum->arguments, sizeof loop->bounds) == 0)
            return loop;
    }
    return add_loop(program, parent, sum);
}

static uint32_t total_of(Program *program, ProgramLoop *loop, uint32_t body, bool is_largest)
{
    MapKey key = {((uint64_t)loop->number << 1) | is_largest, body};
    uint64_t *known = map_get(&program->totals, key);
    if (known)
        return (uint32_t)*known - 1;
    ProgramRegister made = {.value = small_none(),
                            .level = loop->parent->level,
                            .stage = 2 * loop->depth,
                            .is_inexact = register_at(program, body)->is_inexact};
    uint32_t result = add_register(program, made);
    *vec_push(&loop->totals) = (LoopTotal){body, result, is_largest};
    *map_put(&program->totals, key, NULL) = result + 1;
    return result;
}

/* A term's factors that are computed inside this loop, or those outside, or both: their product, apart by exactness. */
typedef enum Side { SIDE_INSIDE = 1, SIDE_OUTSIDE = 2, SIDE_BOTH = 3 } Side;

typedef struct Product {
    uint32_t exact, inexact;
} Product;

static uint32_t compile_power(Program *program, ProgramLoop *loop, const Power *power)
{
    uint32_t base = compile_atom(program, loop, power->atom);
    if (power->exponent == 1)
        return base;
    Instruction raise = {.operation = PROGRAM_RAISE, .first = base, .second = (uint32_t)power->exponent};
    return emit(program, loop, raise, register_at(program, base)->is_inexact);
}

/* From the root inward, so that what can be multiplied outside is. */
static Product compile_term(Program *program, ProgramLoop *loop, const Term *term, Side side)
{
    uint32_t one = constant(program, small_whole(1));
    Product product = {side & SIDE_OUTSIDE ? rational_constant(program, &term->coefficient) : one, one};
    for (uint32_t level = 0; level <= loop->level; level++) {
        if (!(side & (level == loop->level ? SIDE_INSIDE : SIDE_OUTSIDE)))
            continue;
        for (size_t i = 0; i < term->monomial->count; i++) {
            const Power *power = &term->monomial->powers[i];
            if (home_of(loop, &power->atom->free)->level != level)
                continue;
            uint32_t factor = compile_power(program, loop, power);
            uint32_t *into = register_at(program, factor)->is_inexact ? &product.inexact : &product.exact;
            *into = multiply(program, loop, *into, factor);
        }
    }
    return product;
}

/* The sum of the exact parts that stand before the same inexact one: those first that are computed farthest outside. */
static uint32_t add_group(Program *program, ProgramLoop *loop, const Product *products, size_t n, uint32_t inexact)
{
    uint32_t sum = constant(program, small_whole(0));
    for (uint32_t level = 0; level <= loop->level; level++)
        for (size_t i = 0; i < n; i++)
            if (products[i].inexact == inexact && register_at(program, products[i].exact)->level == level)
                sum = add(program, loop, sum, products[i].exact);
    return sum;
}

static uint32_t compile_expr(Program *program, ProgramLoop *loop, const Expr *expr)
{
    uint32_t sum = constant(program, small_whole(0));
    Product *products = memory_zeroed(expr->n_terms + 1, sizeof *products);
    for (size_t i = 0; i < expr->n_terms; i++)
        products[i] = compile_term(program, loop, &expr->terms[i], SIDE_BOTH);
    for (size_t i = 0; i < expr->n_terms; i++) {
        bool is_first = true;
        for (size_t j = 0; j < i && is_first; j++)
            is_first = products[j].inexact != products[i].inexact;
        if (!is_first)
            continue;
        uint32_t exact = add_group(program, loop, products, expr->n_terms, products[i].inexact);
        sum = add(program, loop, sum, multiply(program, loop, exact, products[i].inexact));
    }
    free(products);
    return sum;
}

static bool is_inexact_body(Program *program, ProgramLoop *loop, const Expr *body)
{
    bool is_inexact = false;
    for (size_t i = 0; i < body->n_terms && !is_inexact; i++)
        for (size_t j = 0; j < body->terms[i].monomial->count && !is_inexact; j++)
            is_inexact =
                register_at(program, compile_atom(program, loop, body->terms[i].monomial->powers[j].atom))->is_inexact;
    return is_inexact;
}

/* Of a body whose values are exact each term is added up for itself, without what doesn't hold the index. Sums that
 * differ in coefficients alone have the same totals then. */
static uint32_t compile_exact_sum(Program *program, ProgramLoop *loop, const Expr *body)
{
    uint32_t sum = constant(program, small_whole(0));
    for (size_t i = 0; i < body->n_terms; i++) {
        Product inside = compile_term(program, loop, &body->terms[i], SIDE_INSIDE);
        Product outside = compile_term(program, loop, &body->terms[i], SIDE_OUTSIDE);
        uint32_t total = total_of(program, loop, inside.exact, false);
        sum = add(program, loop, sum, multiply(program, loop, total, outside.exact));
    }
    return sum;
}

static uint32_t compile_sum(Program *program, ProgramLoop *parent, const Atom *sum)
{
    ProgramLoop *loop = find_loop(program, parent, sum);
    const Expr *body = sum->arguments[SUM_BODY];
    bool is_largest = sum->kind == ATOM_LARGEST;
    if (!is_largest && !is_inexact_body(program, loop, body))
        return compile_exact_sum(program, loop, body);
    return total_of(program, loop, compile_expr(program, loop, body), is_largest);
}

static uint32_t compile_atom(Program *program, ProgramLoop *scope, const Atom *atom)
{
    ProgramLoop *loop = home_of(scope, &atom->free);
    if (loop->level && atom->kind == ATOM_SYMBOL)
        return loop->at;
    MapKey key = {loop->number, atom->id};
    uint64_t *known = map_get(&program->atoms, key);
    if (known)
        return (uint32_t)*known - 1;
    uint32_t result;
    if (atom->kind == ATOM_SYMBOL)
        result = compile_parameter(program, atom);
    else if (atom->kind == ATOM_GROUP)
        result = compile_expr(program, loop, atom->arguments[0]);
    else if (atom->index)
        result = compile_sum(program, loop, atom);
    else
        result = compile_function(program, loop, atom);
    *map_put(&program->atoms, key, NULL) = result + 1;
    return result;
}

uint32_t program_compile_sum(Program *program, const Atom *sum)
{
    if (program->loops.count == 0)
        add_loop(program, NULL, NULL);
    return compile_atom(program, program->loops.items[0], sum);
}

void program_free(Program *program)
{
    for (size_t i = 0; i < program->loops.count; i++) {
        vec_free(&program->loops.items[i]->code);
        vec_free(&program->loops.items[i]->totals);
    }
    vec_free(&program->loops);
    vec_free(&program->registers);
    map_free(&program->atoms);
    map_free(&program->constants);
    map_free(&program->operations);
    map_free(&program->totals);
}
