/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses a batch of a flow file. A table has a row for each kind of item; complete() then checks
 * the batch as a whole. */
#include "base/files.h"
#include "cost/lang/pasl_parser.h"

#include <math.h>
#include <string.h>

typedef enum Item {
    ITEM_LANGUAGE,
    ITEM_SOURCE,
    ITEM_OPTIONS,
    ITEM_ENTRY,
    ITEM_TASKS,
    ITEM_RECEIVES,
    ITEM_RETURNS,
    ITEM_ARGUMENT,
    ITEM_Q,
    ITEM_VALUE,
    ITEM_DEPTH,
    N_ITEMS
} Item;

/* A batch while it is read. */
typedef struct Draft {
    PaslBatch batch;
    Token name;
    Token seen[N_ITEMS];            /* the item's word; length 0: not yet seen */
    Token tasks, receives, returns; /* where their expressions begin */
} Draft;

static bool read_language(PaslParser *parser, Draft *draft, Err *err)
{
    Token token;
    return pasl_read_name(parser, "c, java or pamela", &token, &draft->batch.language, err) &&
           (strcmp(draft->batch.language, "c") == 0 || strcmp(draft->batch.language, "java") == 0 ||
            strcmp(draft->batch.language, "pamela") == 0 ||
            lexer_expected(&parser->lexer, token, "c, java or pamela", err));
}

static const char *beside(const char *file, const char *source, Arena *arena)
{
    size_t folder = (size_t)(files_base_name(file) - file);
    return source[0] == '/' || folder == 0 ? source : arena_printf(arena, "%.*s%s", (int)folder, file, source);
}

/* Fails if the next token is on another line: a value that is missing would be taken from there. */
static bool expect_same_line(PaslParser *parser, const char *expected, Err *err)
{
    return lexer_continues_line(&parser->lexer) ||
           lexer_expected(&parser->lexer, lexer_peek(&parser->lexer),
                          arena_printf(parser->arena, "%s on the same line", expected), err);
}

static bool read_source(PaslParser *parser, Draft *draft, Err *err)
{
    Token token;
    const char *source;
    if (!expect_same_line(parser, "the source's file name", err) ||
        !lexer_bare(&parser->lexer, ";}", "the source's file name", &token, &source, err))
        return false;
    draft->batch.source = beside(parser->lexer.file, source, parser->arena);
    draft->batch.source_line = token.line;
    draft->batch.source_column = token.column;
    return true;
}

static bool read_options(PaslParser *parser, Draft *draft, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    if (token.kind != TOKEN_TEXT)
        return lexer_expected(&parser->lexer, token, "the compiler's options in quotes", err);
    draft->batch.options = lexer_name(&parser->lexer, lexer_take(&parser->lexer));
    return true;
}

static bool read_entry(PaslParser *parser, Draft *draft, Err *err)
{
    Token token;
    return expect_same_line(parser, "the name of a function", err) &&
           lexer_bare(&parser->lexer, ";}", "the name of a function", &token, &draft->batch.entry, err);
}

static bool read_amount(PaslParser *parser, const char *expected, Token *token, const Expr **expr, Err *err)
{
    if (!expect_same_line(parser, expected, err))
        return false;
    *token = lexer_peek(&parser->lexer);
    return lexer_expression(&parser->lexer, parser->space, expected, expr, err);
}

static bool read_tasks(PaslParser *parser, Draft *draft, Err *err)
{
    double value;
    if (!read_amount(parser, "the number of tasks", &draft->tasks, &draft->batch.tasks, err))
        return false;
    if (expr_is_number(draft->batch.tasks, &value) && !(value >= 1 && value == floor(value)))
        return lexer_error(&parser->lexer, draft->tasks, err, "expected a number of tasks, 1 or more, found %g", value);
    return true;
}

static bool read_depth(PaslParser *parser, Draft *draft, Err *err)
{
    const Expr *depth;
    Token token;
    double value;
    if (!read_amount(parser, "a depth of recursion", &token, &depth, err))
        return false;
    if (!expr_is_number(depth, &value) || !(value >= 1 && value <= PASL_DEPTH_LIMIT && value == floor(value)))
        return lexer_error(&parser->lexer, token, err, "expected a depth of recursion, from 1 to %d", PASL_DEPTH_LIMIT);
    draft->batch.depth = (unsigned)value;
    return true;
}

static bool read_bytes(PaslParser *parser, Token *token, const Expr **bytes, Err *err)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } units[] = {{"bytes", 1},       {"byte", 1},      {"B", 1},         {"kB", 1000},    {"MB", 1000000},
                 {"GB", 1000000000}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
    double value;
    if (!read_amount(parser, "a number of bytes", token, bytes, err))
        return false;
    if (expr_is_number(*bytes, &value) && value < 0)
        return lexer_error(&parser->lexer, *token, err, "expected a number of bytes, found %g", value);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (lexer_accept(&parser->lexer, units[i].name)) {
            *bytes = expr_multiply(parser->space, *bytes, expr_integer(parser->space, units[i].bytes));
            break;
        }
    return true;
}

static bool read_receives(PaslParser *parser, Draft *draft, Err *err)
{
    return read_bytes(parser, &draft->receives, &draft->batch.receives_bytes, err);
}

static bool read_returns(PaslParser *parser, Draft *draft, Err *err)
{
    return read_bytes(parser, &draft->returns, &draft->batch.returns_bytes, err);
}

static bool is_taken(const PaslBinding *bindings, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(bindings[i].name, name) == 0)
            return true;
    return false;
}

const char *const pasl_fills[] = {[PASL_ZEROS] = "zeros", [PASL_RAMP] = "ramp", [PASL_RANDOM] = "random", NULL};

/* Reads `NAME`, or `TYPE NAME` of an array; a type may have several words. */
static bool read_argument_name(PaslParser *parser, PaslBinding *binding, Token *token, Err *err)
{
    Lexer *lexer = &parser->lexer;
    *token = lexer_peek(lexer);
    if (token->kind != TOKEN_WORD)
        return lexer_expected(lexer, *token, "the name of the function's next parameter", err);
    binding->name = lexer_name(lexer, lexer_take(lexer));
    while (lexer_peek(lexer).kind == TOKEN_WORD && lexer_continues_line(lexer)) {
        binding->element =
            binding->element ? arena_printf(parser->arena, "%s %s", binding->element, binding->name) : binding->name;
        *token = lexer_take(lexer);
        binding->name = lexer_name(lexer, *token);
    }
    if (!binding->element && lexer_sees(lexer, "["))
        return lexer_error(lexer, *token, err,
                           "expected the type of the array's elements, as in `argument double %s[…]`", binding->name);
    return true;
}

/* Reads `zeros`, `ramp`, `random` or `random(SEED)`; by default, the task's number is the seed. */
static bool read_fill(PaslParser *parser, PaslBinding *binding, Err *err)
{
    Lexer *lexer = &parser->lexer;
    binding->fill = 0;
    while (binding->fill < PASL_FILLS && !lexer_sees(lexer, pasl_fills[binding->fill]))
        binding->fill++;
    if (binding->fill == PASL_FILLS)
        return lexer_expected(lexer, lexer_peek(lexer), "zeros, ramp, random or random(SEED)", err);
    lexer_take(lexer);
    binding->seed = expr_symbol(parser->space, "task");
    return binding->fill != PASL_RANDOM || !lexer_accept(lexer, "(") ||
           (lexer_expression(lexer, parser->space, "a seed", &binding->seed, err) && lexer_expect(lexer, ")", err));
}

/* Reads `[LENGTH] = FILL`. */
static bool read_array(PaslParser *parser, PaslBinding *binding, Err *err)
{
    Lexer *lexer = &parser->lexer;
    if (!lexer_expect(lexer, "[", err))
        return false;
    const Token token = lexer_peek(lexer);
    binding->line = token.line;
    binding->column = token.column;
    return lexer_expression(lexer, parser->space, "the array's length", &binding->value, err) &&
           lexer_expect(lexer, "]", err) && lexer_expect(lexer, "=", err) && read_fill(parser, binding, err);
}

static bool read_argument(PaslParser *parser, Draft *draft, Err *err)
{
    (void)draft;
    PaslBinding binding = {0};
    Token token;
    if (!read_argument_name(parser, &binding, &token, err))
        return false;
    if (is_taken(parser->arguments.items, parser->arguments.count, binding.name))
        return lexer_error(&parser->lexer, token, err, "there is an argument `%s` already", binding.name);
    if (parser->arguments.count >= PASL_VALUES_LIMIT)
        return lexer_error(&parser->lexer, token, err, "more than %d arguments", PASL_VALUES_LIMIT);
    if (!(binding.element ? read_array : pasl_read_value)(parser, &binding, err))
        return false;
    *vec_push(&parser->arguments) = binding;
    return true;
}

static bool add_value(PaslParser *parser, Token token, PaslBinding binding, Err *err)
{
    const char *shown = lexer_shown(binding.name, strlen(binding.name), parser->arena);
    if (is_taken(parser->values.items, parser->values.count, binding.name))
        return lexer_error(&parser->lexer, token, err, "`%s` has a value already", shown);
    if (parser->values.count >= PASL_VALUES_LIMIT)
        return lexer_error(&parser->lexer, token, err, "more than %d values", PASL_VALUES_LIMIT);
    *vec_push(&parser->values) = binding;
    return true;
}

/* Whether the name is a conditional such as "pi.c:12"; otherwise it is a word. */
static bool is_conditional(const char *name)
{
    const char *colon = strrchr(name, ':');
    return !colon ? !strpbrk(name, "./-+*()") : colon > name && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

static bool read_probability(PaslParser *parser, Draft *draft, Err *err)
{
    static const char expected[] = "a conditional, as FILE:LINE or by its parameter's name";
    (void)draft;
    PaslBinding binding = {0};
    Token token;
    double value;
    if (!expect_same_line(parser, expected, err) ||
        !lexer_bare(&parser->lexer, "=;}", expected, &token, &binding.name, err))
        return false;
    if (!is_conditional(binding.name))
        return lexer_expected(&parser->lexer, token, expected, err);
    if (!pasl_read_value(parser, &binding, err))
        return false;
    if (expr_is_number(binding.value, &value) && !(value >= 0 && value <= 1))
        return lexer_error_at(parser->lexer.file, binding.line, binding.column, err,
                              "expected a probability from 0 to 1, found %g", value);
    return add_value(parser, token, binding, err);
}

static bool read_value(PaslParser *parser, Draft *draft, Err *err)
{
    (void)draft;
    PaslBinding binding = {0};
    Token token = lexer_peek(&parser->lexer);
    if (token.kind != TOKEN_WORD)
        return lexer_expected(&parser->lexer, token, "the name of a parameter of the model", err);
    binding.name = lexer_name(&parser->lexer, lexer_take(&parser->lexer));
    return pasl_read_value(parser, &binding, err) && add_value(parser, token, binding, err);
}

static const struct {
    const char *word;
    bool (*read)(PaslParser *parser, Draft *draft, Err *err);
    bool is_required, may_repeat;
} items[N_ITEMS] = {[ITEM_LANGUAGE] = {"language", read_language, false, false},
                    [ITEM_SOURCE] = {"source", read_source, true, false},
                    [ITEM_OPTIONS] = {"options", read_options, false, false},
                    [ITEM_ENTRY] = {"entry", read_entry, true, false},
                    [ITEM_TASKS] = {"tasks", read_tasks, true, false},
                    [ITEM_RECEIVES] = {"receives", read_receives, false, false},
                    [ITEM_RETURNS] = {"returns", read_returns, false, false},
                    [ITEM_ARGUMENT] = {"argument", read_argument, false, true},
                    [ITEM_Q] = {"Q", read_probability, false, true},
                    [ITEM_VALUE] = {"value", read_value, false, true},
                    [ITEM_DEPTH] = {"depth", read_depth, false, false}};

static bool read_item(PaslParser *parser, Draft *draft, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    Item item = 0;
    while (item < N_ITEMS && !lexer_is(token, items[item].word))
        item++;
    if (token.kind == TOKEN_END)
        return lexer_error(&parser->lexer, token, err,
                           "expected `}` for the batch of line %u, found the end of the file", draft->name.line);
    if (item == N_ITEMS)
        return lexer_expected(
            &parser->lexer, token,
            "language, source, options, entry, tasks, argument, receives, returns, Q, value, depth or `}`", err);
    if (draft->seen[item].length && !items[item].may_repeat)
        return lexer_error(&parser->lexer, token, err, "`%s` is already given in line %u", items[item].word,
                           draft->seen[item].line);
    draft->seen[item] = lexer_take(&parser->lexer);
    return items[item].read(parser, draft, err);
}

static bool complete_language(PaslParser *parser, PaslBatch *batch, Err *err)
{
    static const char *const extensions[][2] = {{".c", "c"}, {".java", "java"}, {".pamela", "pamela"}};
    for (size_t i = 0; !batch->language && i < sizeof extensions / sizeof *extensions; i++)
        if (files_has_suffix(batch->source, extensions[i][0]))
            batch->language = extensions[i][1];
    return batch->language ||
           lexer_error_at(parser->lexer.file, batch->source_line, batch->source_column, err,
                          "expected a source that ends in .c, .java or .pamela, or a line `language`");
}

/* Replaces `tasks` by its value; and in values, names of arguments by theirs. */
static const Expr *replace_names(PaslParser *parser, const PaslBatch *batch, const Expr *expr, bool is_value)
{
    const char *names[PASL_VALUES_LIMIT + 1];
    const Expr *with[PASL_VALUES_LIMIT + 1];
    size_t count = 0;
    for (; is_value && count < parser->arguments.count; count++) {
        names[count] = parser->arguments.items[count].name;
        with[count] = parser->arguments.items[count].value;
    }
    if (!is_value || !is_taken(parser->arguments.items, count, "tasks")) {
        names[count] = "tasks";
        with[count++] = batch->tasks;
    }
    return expr_substitute(parser->space, expr, names, with, count);
}

static bool complete_bindings(PaslParser *parser, const PaslBatch *batch, Err *err)
{
    const char *names[PASL_VALUES_LIMIT + 3] = {"task", "tasks", NULL};
    for (size_t i = 0; i < parser->arguments.count; i++) {
        PaslBinding *argument = &parser->arguments.items[i];
        if (!pasl_check_names(parser, argument->value, argument->line, argument->column, names, err))
            return false;
        argument->value = replace_names(parser, batch, argument->value, false);
        if (!argument->seed)
            continue;
        if (!pasl_check_names(parser, argument->seed, argument->line, argument->column, names, err))
            return false;
        argument->seed = replace_names(parser, batch, argument->seed, false);
    }
    for (size_t i = 0; i < parser->arguments.count; i++)
        names[2 + i] = parser->arguments.items[i].name;
    for (size_t i = 0; i < parser->values.count; i++) {
        PaslBinding *value = &parser->values.items[i];
        if (!pasl_check_names(parser, value->value, value->line, value->column, names, err))
            return false;
        value->value = replace_names(parser, batch, value->value, true);
    }
    return true;
}

static bool complete_bytes(PaslParser *parser, const PaslBatch *batch, Token token, const Expr **bytes, Err *err)
{
    static const char *const names[] = {"task", "tasks", NULL};
    if (!*bytes) {
        *bytes = expr_integer(parser->space, 0);
        return true;
    }
    if (!pasl_check_names(parser, *bytes, token.line, token.column, names, err))
        return false;
    *bytes = replace_names(parser, batch, *bytes, false);
    return true;
}

static bool complete(PaslParser *parser, Draft *draft, Err *err)
{
    static const char *const none[] = {NULL};
    PaslBatch *batch = &draft->batch;
    for (Item item = 0; item < N_ITEMS; item++)
        if (items[item].is_required && !draft->seen[item].length)
            return lexer_error(&parser->lexer, draft->name, err, "batch `%s` has no `%s`", batch->name,
                               items[item].word);
    if (!complete_language(parser, batch, err) ||
        !pasl_check_names(parser, batch->tasks, draft->tasks.line, draft->tasks.column, none, err) ||
        !complete_bindings(parser, batch, err) ||
        !complete_bytes(parser, batch, draft->receives, &batch->receives_bytes, err) ||
        !complete_bytes(parser, batch, draft->returns, &batch->returns_bytes, err))
        return false;
    batch->options = batch->options ? batch->options : "";
    batch->n_arguments = parser->arguments.count;
    batch->n_values = parser->values.count;
    batch->arguments = vec_copy(&parser->arguments, parser->arena);
    batch->values = vec_copy(&parser->values, parser->arena);
    return true;
}

bool pasl_read_batch(PaslParser *parser, Err *err)
{
    Draft draft = {0};
    PaslBatch *batch = &draft.batch;
    if (!pasl_read_name(parser, "the name of a batch", &draft.name, &batch->name, err))
        return false;
    batch->line = draft.name.line;
    if (parser->batches.count >= PASL_BATCHES_LIMIT)
        return lexer_error(&parser->lexer, draft.name, err, "more than %d batches", PASL_BATCHES_LIMIT);
    if (!names_add(&parser->batch_names, batch->name, parser->batches.count))
        return lexer_error(&parser->lexer, draft.name, err, "there is a batch `%s` already", batch->name);
    parser->arguments.count = parser->values.count = 0;
    if (!lexer_expect(&parser->lexer, "{", err))
        return false;
    while (!lexer_accept(&parser->lexer, "}"))
        if (!lexer_accept(&parser->lexer, ";") && !read_item(parser, &draft, err))
            return false;
    if (!complete(parser, &draft, err))
        return false;
    *vec_push(&parser->batches) = draft.batch;
    return true;
}
