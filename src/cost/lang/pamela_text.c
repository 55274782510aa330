/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes PAMELA models as text: one statement a line, but several short operations. */
#include "base/text.h"
#include "cost/lang/pamela_parser.h"

#include <string.h>

enum { INDENT = 2, LINE_COLUMNS = 100 };

typedef struct Printer {
    Text text;
    Arena *arena;        /* for temporary texts */
    bool is_before_else; /* an `else` follows, which a conditional without `else` would take */
} Printer;

static void print_node(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix);

static const char *expression(Printer *printer, const Expr *expr)
{
    return expr_text(expr, printer->arena);
}

static bool has_lines(const char *comment)
{
    return comment && strchr(comment, '\n');
}

/* Prints a comment of several lines before its node. */
static void print_lines(Printer *printer, const char *comment, unsigned level)
{
    for (; comment && *comment; comment += *comment == '\n') {
        size_t length = strcspn(comment, "\n");
        text_repeat(&printer->text, ' ', (size_t)level * INDENT);
        text_add(&printer->text, "# %.*s\n", (int)length, comment);
        comment += length;
    }
}

static void begin(Printer *printer, const char *comment, unsigned level)
{
    if (has_lines(comment))
        print_lines(printer, comment, level);
    text_repeat(&printer->text, ' ', (size_t)level * INDENT);
}

static void end_line(Printer *printer, const char *comment)
{
    if (comment && *comment && !has_lines(comment))
        text_add(&printer->text, "  # %s", comment);
    text_add(&printer->text, "\n");
}

/* Prints a count; brackets hold a sum together. */
static void print_count(Printer *printer, const Expr *count)
{
    int64_t value;
    if (!count || (expr_is_integer(count, &value) && value == 1))
        return;
    const char *text = expression(printer, count);
    bool is_plain = !strpbrk(text, " -/");
    text_add(&printer->text, is_plain ? "%s " : "(%s) ", text);
}

static void print_operation(Printer *printer, const PamelaNode *node)
{
    Text *text = &printer->text;
    print_count(printer, node->amount);
    text_add(text, "%s", node->name);
    if (node->processor)
        text_add(text, "[%s]", expression(printer, node->processor));
    if (node->kind != PAMELA_CALL)
        return;
    text_add(text, "(");
    for (size_t i = 0; i < node->n_arguments; i++)
        text_add(text, "%s%s", i ? ", " : "", expression(printer, node->arguments[i]));
    text_add(text, ")");
}

static bool is_word(const char *name)
{
    Lexer lexer;
    Err err;
    Arena *arena = arena_new();
    bool ok = *name && lexer_start(&lexer, "", name, arena, &err);
    Token token = ok ? lexer_take(&lexer) : (Token){0};
    ok = ok && token.kind == TOKEN_WORD && token.length == strlen(name);
    arena_free(arena);
    return ok;
}

/* Prints a node that needs neither brackets nor lines of its own. */
static void print_simple(Printer *printer, const PamelaNode *node)
{
    Text *text = &printer->text;
    switch (node->kind) {
    case PAMELA_SEND:
        text_add(text, "send[%s, ", expression(printer, node->from));
        text_add(text, "%s]", expression(printer, node->to));
        text_add(text, "(%s)", expression(printer, node->amount));
        break;
    case PAMELA_USE:
        text_add(text, "use(%s, %s)", is_word(node->name) ? node->name : lexer_quoted(node->name, printer->arena),
                 expression(printer, node->amount));
        break;
    case PAMELA_DELAY:
        text_add(text, "delay(%s)", expression(printer, node->amount));
        break;
    default:
        print_operation(printer, node);
    }
}

static bool is_simple(const PamelaNode *node)
{
    return node->kind == PAMELA_OPERATION || node->kind == PAMELA_CALL || node->kind == PAMELA_SEND ||
           node->kind == PAMELA_USE || node->kind == PAMELA_DELAY;
}

static bool is_block(const PamelaNode *node)
{
    return node->kind == PAMELA_SEQUENCE || node->kind == PAMELA_PARALLEL;
}

/* Prints simple nodes from `first` on, as many as fit on one line. A comment ends the line. */
static size_t print_run(Printer *printer, const PamelaNode *node, size_t first, unsigned level)
{
    const PamelaNode *child = node->children[first];
    size_t start = printer->text.bytes.count, i = first;
    begin(printer, child->comment, level);
    for (;; i++) {
        child = node->children[i];
        print_simple(printer, child);
        text_add(&printer->text, ";");
        const PamelaNode *next = i + 1 < node->n_children ? node->children[i + 1] : NULL;
        if ((child->comment && !has_lines(child->comment)) || !next || !is_simple(next) || has_lines(next->comment) ||
            printer->text.bytes.count - start > LINE_COLUMNS * 3 / 4)
            break;
        text_add(&printer->text, " ");
    }
    end_line(printer, child->comment);
    return i + 1;
}

/* Whether the node's text ends in `}`, so that no `;` is needed. */
static bool ends_in_bracket(const PamelaNode *node)
{
    while (node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR || node->kind == PAMELA_IF)
        node = node->children[node->kind == PAMELA_IF];
    return is_block(node);
}

/* Prints the statements of a block, and the closing bracket. */
static void print_block(Printer *printer, const PamelaNode *node, unsigned level)
{
    bool is_parallel = node->kind == PAMELA_PARALLEL, was_before_else = printer->is_before_else;
    printer->is_before_else = false;
    for (size_t i = 0; i < node->n_children;) {
        const PamelaNode *child = node->children[i];
        if (!is_parallel && is_simple(child)) {
            i = print_run(printer, node, i, level + 1);
            continue;
        }
        i++;
        if (is_parallel)
            print_node(printer, child, level + 1, i < node->n_children ? " ||" : "");
        else
            print_node(printer, child, level + 1, ends_in_bracket(child) ? "" : ";");
    }
    printer->is_before_else = was_before_else;
    text_repeat(&printer->text, ' ', (size_t)level * INDENT);
    text_add(&printer->text, "}");
}

/* Prints a body behind its owner: a block on the same line, with the owner's comment; any other
 * node on the next. */
static void print_body(Printer *printer, const PamelaNode *body, const char *comment, unsigned level,
                       const char *suffix)
{
    if (!comment && is_block(body))
        comment = body->comment;
    if (has_lines(comment)) /* it has been printed before the owner */
        comment = NULL;
    if (!is_block(body)) {
        end_line(printer, comment);
        print_node(printer, body, level + 1, suffix);
        return;
    }
    if (body->n_children == 0 && !comment) {
        text_add(&printer->text, " {}%s\n", suffix);
        return;
    }
    text_add(&printer->text, " {");
    end_line(printer, comment);
    print_block(printer, body, level);
    text_add(&printer->text, "%s\n", suffix);
}

/* Whether a condition can be printed without quotes: the parser finds its end, and reads the
 * same. */
static bool is_plain_condition(Printer *printer, const char *text)
{
    size_t comma, end, length = strlen(text);
    const char *tested = arena_printf(printer->arena, "%s, 0)", text);
    bool has_quote = strpbrk(text, "\"'#") || strstr(text, "//");
    return length && !has_quote && text[0] != ' ' && text[length - 1] != ' ' &&
           pamela_find_condition(tested, &comma, &end) && comma == length && end == strlen(tested) - 1;
}

static bool needs_else(const Printer *printer, const PamelaNode *node)
{
    const PamelaNode *other = node->children[1];
    bool is_empty = other->kind == PAMELA_SEQUENCE && other->n_children == 0 && !other->comment;
    return !is_empty || printer->is_before_else || !is_block(node->children[0]);
}

/* Prints the else part: behind the closing bracket of the first part, if there is one. */
static void print_else(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix)
{
    const PamelaNode *side = node->children[1];
    if (is_block(node->children[0])) {
        printer->text.bytes.count--; /* removes the newline */
        text_add(&printer->text, " else");
    } else {
        text_repeat(&printer->text, ' ', (size_t)level * INDENT);
        text_add(&printer->text, "else");
    }
    if (is_block(side) && has_lines(side->comment)) {
        text_add(&printer->text, "\n");
        print_node(printer, side, level, suffix);
        return;
    }
    print_body(printer, side, NULL, level, suffix);
}

static void print_if(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix)
{
    text_add(&printer->text, "if (");
    if (node->name && *node->name)
        text_add(&printer->text, "%s, ",
                 is_plain_condition(printer, node->name) ? node->name : lexer_quoted(node->name, printer->arena));
    text_add(&printer->text, "%s)", expression(printer, node->amount));
    bool has_else = needs_else(printer, node), was_before_else = printer->is_before_else;
    printer->is_before_else = has_else;
    print_body(printer, node->children[0], node->comment, level, has_else ? "" : suffix);
    printer->is_before_else = was_before_else;
    if (has_else)
        print_else(printer, node, level, suffix);
}

static void print_loop(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix)
{
    Text *text = &printer->text;
    int64_t step;
    text_add(text, "%s (%s = %s, ", node->kind == PAMELA_SEQ ? "seq" : "par", node->name,
             expression(printer, node->from));
    text_add(text, "%s", expression(printer, node->to));
    if (node->kind == PAMELA_SEQ && node->step && !(expr_is_integer(node->step, &step) && step == 1))
        text_add(text, ", %s", expression(printer, node->step));
    text_add(text, ")");
    print_body(printer, node->children[0], node->comment, level, suffix);
}

/* Prints a node whose line has been begun (indented). */
static void print_begun(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix)
{
    if (node->kind == PAMELA_IF) {
        print_if(printer, node, level, suffix);
    } else if (node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR) {
        print_loop(printer, node, level, suffix);
    } else if (is_block(node)) {
        text_add(&printer->text, "{");
        if (node->n_children || node->comment)
            end_line(printer, node->comment);
        print_block(printer, node, node->n_children || node->comment ? level : 0);
        text_add(&printer->text, "%s\n", suffix);
    } else {
        print_simple(printer, node);
        text_add(&printer->text, "%s", suffix);
        end_line(printer, node->comment);
    }
}

static void print_node(Printer *printer, const PamelaNode *node, unsigned level, const char *suffix)
{
    begin(printer, node->comment, level);
    print_begun(printer, node, level, suffix);
}

static void print_sub(Printer *printer, const PamelaSub *sub)
{
    Text *text = &printer->text;
    begin(printer, sub->comment, 0);
    text_add(text, "%s", sub->name);
    for (size_t i = 0; i < sub->n_parameters; i++)
        text_add(text, "%s%s%s", i ? ", " : "(", sub->parameters[i], i + 1 == sub->n_parameters ? ")" : "");
    text_add(text, " =");
    if (is_block(sub->body) || sub->comment || has_lines(sub->body->comment)) {
        print_body(printer, sub->body, sub->comment, 0, "");
    } else {
        text_add(text, " ");
        print_begun(printer, sub->body, 0, "");
    }
}

static void print_parameter(Printer *printer, const PamelaParameter *parameter)
{
    begin(printer, parameter->comment, 0);
    text_add(&printer->text, "parameter %s", parameter->name);
    if (parameter->value)
        text_add(&printer->text, " = %s", expression(printer, parameter->value));
    if (parameter->place)
        text_add(&printer->text, " at %s", lexer_quoted(parameter->place, printer->arena));
    end_line(printer, parameter->comment);
}

const char *pamela_text(const PamelaModel *model, Arena *arena)
{
    Printer printer = {.arena = arena_new()};
    print_lines(&printer, model->comment, 0);
    if (model->comment)
        text_add(&printer.text, "\n");
    for (size_t i = 0; i < model->n_parameters; i++)
        print_parameter(&printer, &model->parameters[i]);
    for (size_t i = 0; i < model->n_subs; i++) {
        if (i || model->n_parameters)
            text_add(&printer.text, "\n");
        print_sub(&printer, &model->subs[i]);
    }
    arena_free(printer.arena);
    return text_take(&printer.text, arena);
}
