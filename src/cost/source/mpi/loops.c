/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs loops, iteration by iteration. If an iteration did the same as the one before, and left all
 * values unchanged but those of counters that its body doesn't look at, then all further ones do the
 * same, too: they become one loop of activities. */
#include "cost/source/expression.h"
#include "cost/source/loops/counting.h"
#include "cost/source/mpi/run.h"
#include "cost/source/statement.h"
#include "cost/source/values/command_line.h"

#include <math.h>

/* The state at the beginning of an iteration. */
typedef struct Mark {
    size_t n_activities;
    double pending_s;
    Snapshot values;
    uint64_t n_guesses;
    size_t n_amounts;
    const double *amounts;
} Mark;

typedef struct RunningLoop {
    Run *run;
    Scope *scope;
    const SourceStatement *statement;
    LoopParts parts;
    bool has_given; /* the number of iterations */
    double given;
    double limit; /* of the iterations that are run through */
    uint64_t k;   /* the iteration, from 0 */
} RunningLoop;

static bool is_same_activity(const Activity *a, const Activity *b)
{
    if (memcmp(&a->event, &b->event, sizeof a->event) != 0 || a->times != b->times || a->n_body != b->n_body ||
        !a->body != !b->body)
        return false;
    for (size_t i = 0; a->body && a->body != b->body && i < a->n_body; i++)
        if (!is_same_activity(&a->body[i], &b->body[i]))
            return false;
    return true;
}

static Mark mark_now(Run *run, const Scope *scope)
{
    run_flush(run);
    return (Mark){run->activities.count, run->pending_s,     variables_save(scope),
                  run->n_guesses,        run->amounts.count, vec_copy(&run->amounts, run->world->all.arena)};
}

static bool did_the_same(const Run *run, const Mark *before, const Mark *start, const Mark *now)
{
    size_t n = now->n_activities - start->n_activities;
    if (before->n_guesses != now->n_guesses || start->n_activities - before->n_activities != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_same_activity(&run->activities.items[before->n_activities + i],
                              &run->activities.items[start->n_activities + i]))
            return false;
    double change = now->pending_s - start->pending_s, earlier = start->pending_s - before->pending_s;
    return fabs(change - (n ? 0 : earlier)) < 1e-10 + 1e-9 * fabs(now->pending_s);
}

/* ---- What the body looks at ---- */

static bool mentions(const SourceExpression *expression, const SourceVariable *variable);

static bool operands_mention(const SourceExpression *expression, size_t first, const SourceVariable *variable)
{
    for (size_t i = first; i < expression->n_operands; i++)
        if (mentions(expression->operands[i], variable))
            return true;
    return false;
}

static bool mentions(const SourceExpression *expression, const SourceVariable *variable)
{
    return expression && ((expression->kind == SOURCE_VARIABLE && expression->variable == variable) ||
                          operands_mention(expression, 0, variable));
}

/* Not counting the variable's own advance, `i++;`. */
static bool statement_mentions(const SourceStatement *statement, const SourceVariable *variable)
{
    if (!statement)
        return false;
    const SourceExpression *alone = statement->kind == SOURCE_EXPRESSION ? statement->expressions[0] : NULL;
    bool advances = alone && (alone->kind == SOURCE_INCREMENT || alone->kind == SOURCE_ASSIGN) &&
                    without_casts(alone->operands[0])->kind == SOURCE_VARIABLE &&
                    without_casts(alone->operands[0])->variable == variable;
    if (advances)
        return strcmp(alone->operator, "=") == 0 ? false : operands_mention(alone, 1, variable);
    for (size_t i = 0; i < statement->n_expressions; i++)
        if (mentions(statement->expressions[i], variable))
            return true;
    for (size_t i = 0; i < statement->n_children; i++)
        if (statement_mentions(statement->children[i], variable))
            return true;
    return false;
}

static const Induction *find_induction(const Inductions *inductions, const SourceVariable *variable)
{
    for (size_t i = 0; i < inductions->count; i++)
        if (inductions->items[i].variable == variable)
            return &inductions->items[i];
    return NULL;
}

/* Whether the body may look at a counter through a reference to it. Parameters of functions that have ended, which the
 * body doesn't mention, are gone. */
static bool is_pointed_to(const RunningLoop *loop, const SourceVariable *counter)
{
    for (size_t i = 0; i < loop->scope->values.count; i++) {
        const VariableValue *value = &loop->scope->values.items[i];
        bool is_gone = value->variable->is_parameter && !statement_mentions(loop->parts.body, value->variable);
        if (value->target && value->target->variable == counter && !is_gone)
            return true;
    }
    return false;
}

/* Whether the iteration left all values as they were, but for counters that the body ignores. */
static bool kept_values(const RunningLoop *loop, const Mark *start, const Inductions *inductions)
{
    const Scope *scope = loop->scope;
    if (scope->values.count != start->values.count)
        return false;
    for (size_t i = 0; i < start->values.count; i++) {
        const VariableValue *now = &scope->values.items[i], *before = &start->values.items[i];
        if (now->variable != before->variable || !same_target(now->target, before->target))
            return false;
        if (now->value.expr == before->value.expr)
            continue;
        if (now->part || now->variable->is_global || !find_induction(inductions, now->variable) ||
            statement_mentions(loop->parts.body, now->variable) || is_pointed_to(loop, now->variable))
            return false;
    }
    return true;
}

/* ---- Repeating ---- */

/* How many iterations follow. False: unknown. */
static bool iterations_left(RunningLoop *loop, const Inductions *inductions, AssignedSet *assigned, double *left)
{
    LoopParts parts = loop->parts;
    parts.tests_last = false;
    double given = loop->has_given ? fmax(0, loop->given - (double)loop->k - 1) : INFINITY;
    const Induction *primary = index_variable(&parts, inductions);
    LoopRange range = range_find(loop->scope, &parts, inductions, primary, assigned, "iteration_index");
    if (!amount_is_number(range.count, left))
        *left = INFINITY;
    *left = fmax(0, fmin(*left, given));
    return isfinite(*left);
}

static void set_behind(RunningLoop *loop, const Inductions *inductions, double left)
{
    Amount runs = amount_number(loop->scope->space, left);
    for (size_t i = 0; i < inductions->count; i++)
        variable_assign(loop->scope, inductions->items[i].variable,
                        induction_value(loop->scope, &inductions->items[i], runs));
    for (size_t i = 0; i < inductions->count; i++)
        if (inductions->items[i].in_condition) { /* the last test */
            emit_expression(loop->scope, loop->parts.condition);
            return;
        }
}

static void repeat(Run *run, const Mark *start, const Mark *now, double left)
{
    size_t n = now->n_activities - start->n_activities;
    for (size_t i = 0; i < now->n_amounts; i++)
        run->amounts.items[i] += left * (now->amounts[i] - (i < start->n_amounts ? start->amounts[i] : 0));
    if (!n) {
        run->pending_s += left * (now->pending_s - start->pending_s);
    } else if (left >= 1) {
        const Activity *body =
            arena_copy_array(run->world->all.arena, &run->activities.items[start->n_activities], n, sizeof(Activity));
        *vec_push(&run->activities) = (Activity){.times = (uint64_t)left, .n_body = n, .body = body};
    }
}

static void find_assigned(const RunningLoop *loop, AssignedSet *assigned)
{
    assigned_in_expression(assigned, loop->parts.condition);
    assigned_in_expression(assigned, loop->parts.step);
    assigned_in_statement(assigned, loop->parts.body);
}

/* Whether the rest of the loop repeats the iteration since `start`, and has been added. */
static bool repeats(RunningLoop *loop, const Mark *before, const Mark *start, const Mark *now)
{
    double left;
    if (!did_the_same(loop->run, before, start, now))
        return false;
    AssignedSet assigned = {0};
    find_assigned(loop, &assigned);
    Inductions inductions = inductions_find(loop->scope, &loop->parts, &assigned);
    bool done = kept_values(loop, start, &inductions);
    if (done && !iterations_left(loop, &inductions, &assigned, &left)) {
        done = false;
        if (!inductions.count) /* nothing has changed, so nothing will */
            run_fail(loop->run, &loop->statement->place, "this loop never ends, as far as its source tells");
    }
    if (done) {
        repeat(loop->run, start, now, left);
        set_behind(loop, &inductions, left);
    }
    assigned_free(&assigned);
    return done;
}

/* ---- Conditions ---- */

typedef enum Truth { IS_FALSE, IS_TRUE, IS_UNKNOWN } Truth;

static Truth truth_of(const Scope *scope, const SourceExpression *condition)
{
    double number;
    const Expr *exact = probability_of(scope, condition);
    return !exact || !expr_is_number(exact, &number) ? IS_UNKNOWN : number > 0 ? IS_TRUE : IS_FALSE;
}

/* Of a && b with an unknown side, the known one decides. */
static Truth truth_of_known(RunningLoop *loop, const SourceExpression *condition)
{
    Truth truth = truth_of(loop->scope, condition);
    condition = without_casts(condition);
    if (truth != IS_UNKNOWN || !operator_is(condition, "&&"))
        return truth;
    Truth left = truth_of_known(loop, condition->operands[0]), right = truth_of_known(loop, condition->operands[1]);
    if (left == IS_FALSE || right == IS_FALSE)
        return IS_FALSE;
    if (left == IS_UNKNOWN && right == IS_UNKNOWN)
        return IS_UNKNOWN;
    Generator *all = &loop->run->world->all;
    const SourceExpression *unknown = condition->operands[left == IS_UNKNOWN ? 0 : 1];
    if (left != right)
        finding_of_run(loop->run->world, &condition->place,
                       name_of_place(all, "iterations", "", &loop->statement->place),
                       arena_printf(all->arena, "`%s`: assumed to hold while the loop's other conditions do",
                                    unknown->text ? unknown->text : "a condition"));
    return IS_TRUE;
}

/* Whether a further iteration runs. *ends: the process ends, or the loop isn't known to go on. */
static bool goes_on(RunningLoop *loop, Flow *flow)
{
    const SourceExpression *condition = loop->parts.condition;
    Run *run = loop->run;
    Truth truth = IS_TRUE;
    size_t n_results = run->results.count;
    if (loop->has_given && (double)loop->k >= loop->given)
        return false;
    if (condition) {
        *flow = run_calls(run, loop->scope, condition);
        truth = truth_of_known(loop, condition);
        if (*flow == FLOW_ON)
            emit_expression(loop->scope, condition);
        run->results.count = n_results;
    }
    if (truth != IS_UNKNOWN || loop->has_given)
        return truth != IS_FALSE;
    Generator *all = &run->world->all;
    const char *name = name_of_place(all, "iterations", "", &loop->statement->place);
    run_fail(run, &loop->statement->place, "how often this loop runs isn't known");
    err_hint(all->err, "say how often: --set %s=N", name);
    return false;
}

static bool iterations_are_given(RunningLoop *loop)
{
    Generator *all = &loop->run->world->all;
    const SourcePlace *place = &loop->statement->place;
    if (!given_of_place(loop->run->world, "iterations", place, &loop->given))
        return false;
    finding_of_run(loop->run->world, place, name_of_place(all, "iterations", "", place),
                   arena_printf(all->arena, "runs %g times, as given", loop->given));
    return true;
}

/* ---- Iterations ---- */

static Flow run_iteration(const RunningLoop *loop)
{
    Run *run = loop->run;
    const void *outer = unit_begin(run, loop->scope, loop->statement);
    Flow flow = run_statement(run, loop->scope, loop->parts.body);
    if (flow == FLOW_ON || flow == FLOW_CONTINUE)
        flow = loop->parts.step ? run_expression(run, loop->scope, loop->parts.step) : FLOW_ON;
    unit_end(run, outer);
    return flow;
}

static Flow run_iterations(RunningLoop *loop)
{
    Run *run = loop->run;
    Mark before = {0}, start = {0}, now = {0};
    Flow flow = FLOW_ON;
    for (;; loop->k++) {
        if ((loop->k || !loop->parts.tests_last) && !goes_on(loop, &flow))
            return flow == FLOW_ON && run->world->all.failed ? FLOW_END : flow;
        if ((double)loop->k >= loop->limit || run->activities.count > ACTIVITIES_LIMIT)
            return run_fail(run, &loop->statement->place,
                            "this loop runs too often for firma to follow, or never ends"),
                   FLOW_END;
        flow = run_iteration(loop);
        if (flow != FLOW_ON)
            return flow == FLOW_BREAK ? FLOW_ON : flow;
        before = start;
        start = now;
        now = mark_now(run, loop->scope);
        if (loop->k >= 2 && repeats(loop, &before, &start, &now))
            return FLOW_ON;
    }
}

/* ---- Loops without calls of MPI ---- */

enum { CALLS_SEARCHED = 3, STATES_LIMIT = 1000 };

/* A search for whole numbers that are assigned, but the body's own variables. */
typedef struct WholeSearch {
    const SourceProgram *program;
    unsigned depth;    /* of calls */
    bool only_globals; /* such as the state of a generator of random numbers */
} WholeSearch;

static bool assigns_whole(const SourceExpression *expression, void *self)
{
    const WholeSearch *search = self;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = assigns ? without_casts(expression->operands[0]) : NULL;
    if (target && type_is_whole(target->type))
        return target->kind == SOURCE_VARIABLE ? search->depth && target->variable->is_global : !search->only_globals;
    const SourceFunction *function =
        expression->kind == SOURCE_CALL && expression->name ? source_find(search->program, expression->name) : NULL;
    WholeSearch deeper = {search->program, search->depth + 1, search->only_globals};
    return function && deeper.depth <= CALLS_SEARCHED && source_any_in(function->body, assigns_whole, &deeper);
}

/* Longer loops are counted as sums, even if they assign parts whose values would be known. Loops
 * over the processes are short enough. */
static double quiet_iterations_limit(const Run *run)
{
    return fmax(32, 2.0 * run->world->options->n_processes);
}

static bool is_argument(const SourceExpression *expression, void *self)
{
    Place place;
    return expression->kind == SOURCE_VARIABLE && expression->type == CPU_REFERENCE &&
           place_pointed_to(self, expression, &place) && is_in_arguments(self, &place);
}

/* Whether firma may learn values by running through a loop without calls of MPI: it may fill in an array of whole numbers
 * on which messages depend, or search for one. Or only running tells how often it runs. */
static bool is_worth_trying(RunningLoop *loop)
{
    AssignedSet assigned = {0};
    double count = 0;
    find_assigned(loop, &assigned);
    Inductions inductions = inductions_find(loop->scope, &loop->parts, &assigned);
    const Induction *primary = index_variable(&loop->parts, &inductions);
    LoopRange range = range_find(loop->scope, &loop->parts, &inductions, primary, &assigned, "iteration_index");
    assigned_free(&assigned);
    if (!amount_is_number(range.count, &count))
        return loop->parts.condition && truth_of(loop->scope, loop->parts.condition) != IS_UNKNOWN;
    const SourceStatement *body = loop->parts.body;
    const bool is_short = count <= quiet_iterations_limit(loop->run);
    WholeSearch search = {loop->run->world->all.program, 0, !is_short};
    return (is_short && ends_of(body) & (ENDS_BREAK | ENDS_RETURN)) ||
           (count <= STATES_LIMIT && source_any_in(body, assigns_whole, &search));
}

typedef struct CounterSearch {
    const Scope *scope;
    const AssignedSet *assigned;
} CounterSearch;

static bool assigns_counter(const SourceExpression *expression, void *self)
{
    const CounterSearch *search = self;
    bool assigns = expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT;
    const SourceExpression *target = assigns ? without_casts(expression->operands[0]) : NULL;
    Place place;
    return target && target->kind != SOURCE_VARIABLE && place_of(search->scope, target, &place) && !*place.part &&
           place.variable->type != CPU_REFERENCE && assigned_count(search->assigned, place.variable);
}

/* Whether the body assigns through references what the loop also assigns itself, so that sums don't count it. */
static bool assigns_counters(const RunningLoop *loop)
{
    AssignedSet assigned = {0};
    find_assigned(loop, &assigned);
    CounterSearch search = {loop->scope, &assigned};
    bool assigns = source_any_in(loop->parts.body, assigns_counter, &search);
    assigned_free(&assigned);
    return assigns;
}

static Flow emit_quiet_loop(RunningLoop *loop)
{
    places_forget(loop->scope, loop->statement);
    SourceStatement *list[] = {(SourceStatement *)loop->statement};
    emit_list(loop->scope, list, 1);
    places_forget(loop->scope, loop->statement);
    return loop->run->world->all.failed ? FLOW_END : FLOW_ON;
}

static Flow run_through(RunningLoop *loop)
{
    const SourceStatement *statement = loop->statement;
    Flow flow = statement->kind == SOURCE_FOR ? run_statement(loop->run, loop->scope, statement->children[0]) : FLOW_ON;
    return flow == FLOW_ON ? run_iterations(loop) : flow;
}

/* Runs through a loop without calls of MPI. False: something in it had to be assumed, so all is as before. */
static bool try_running(RunningLoop *loop, Flow *flow)
{
    Run *run = loop->run;
    Generator *all = &run->world->all;
    const Mark before = mark_now(run, loop->scope);
    const void *unit = run->unit;
    Err unknown = {0}, *err = all->err;
    size_t n_results = run->results.count, n_findings = all->findings.count, n_assumed = run->world->n_assumed;
    all->err = &unknown;
    *flow = run_through(loop);
    run_flush(run);
    bool ok = !all->failed && run->world->n_assumed == n_assumed;
    all->err = err;
    if (ok)
        return true;
    all->failed = false;
    all->findings.count = n_findings;
    variables_restore(loop->scope, &before.values);
    for (size_t i = 0; i < run->amounts.count; i++)
        run->amounts.items[i] = i < before.n_amounts ? before.amounts[i] : 0;
    run->pending_s = before.pending_s;
    run->n_guesses = before.n_guesses;
    run->results.count = n_results;
    run->unit = unit;
    loop->k = 0;
    return false;
}

/* The initialisation tells how often a loop runs. */
static bool is_worth_trying_from_here(RunningLoop *loop)
{
    Run *run = loop->run;
    Scope *scope = loop->scope;
    Block initialisation = {0};
    Snapshot before = variables_save(scope);
    scope->block = &initialisation;
    if (loop->statement->kind == SOURCE_FOR)
        run_statement(run, scope, loop->statement->children[0]);
    scope->block = &run->block;
    vec_free(&initialisation.nodes);
    bool is_worth = is_worth_trying(loop);
    variables_restore(scope, &before);
    return is_worth;
}

Flow run_loop(Run *run, Scope *scope, const SourceStatement *statement)
{
    RunningLoop loop = {
        .run = run, .scope = scope, .statement = statement, .parts = loop_parts(statement), .limit = ITERATIONS_LIMIT};
    Flow flow;
    double given;
    if (is_loud(run->world, statement) || source_any_in(statement, is_argument, scope) || assigns_counters(&loop)) {
        loop.has_given = iterations_are_given(&loop);
        return run_through(&loop);
    }
    loop.limit = TRIED_ITERATIONS_LIMIT;
    bool is_given = given_of_place(run->world, "iterations", &statement->place, &given);
    return !is_given && is_worth_trying_from_here(&loop) && try_running(&loop, &flow) ? flow : emit_quiet_loop(&loop);
}
