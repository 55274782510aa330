/* SPDX-License-Identifier: BSD-3-Clause */
/* See program_text.h. A type stands behind its expression: n:int32, (+ a:double
 * b:double):double. */
#include "source/program_text.h"

#include "base/text.h"

static const char *const TYPE_NAMES[CPU_TYPES] = {"int8", "int16", "int32", "int64", "float", "double", "reference"};
static const char *const EXPRESSION_NAMES[] = {
    [SOURCE_NUMBER] = "number",
    [SOURCE_TEXT] = "text",
    [SOURCE_VARIABLE] = "variable",
    [SOURCE_UNARY] = "unary",
    [SOURCE_INCREMENT] = "increment",
    [SOURCE_BINARY] = "binary",
    [SOURCE_ASSIGN] = "assign",
    [SOURCE_ELEMENT] = "element",
    [SOURCE_LENGTH] = "length",
    [SOURCE_FIELD] = "field",
    [SOURCE_DEREFERENCE] = "at",
    [SOURCE_ADDRESS] = "address",
    [SOURCE_CAST] = "cast",
    [SOURCE_CALL] = "call",
    [SOURCE_CONDITIONAL] = "choose",
    [SOURCE_COMMA] = "comma",
    [SOURCE_NEW] = "new",
    [SOURCE_UNKNOWN] = "unknown",
};
static const char *const STATEMENT_NAMES[] = {
    [SOURCE_BLOCK] = "block",   [SOURCE_EXPRESSION] = "do",
    [SOURCE_DECLARE] = "let",   [SOURCE_IF] = "if",
    [SOURCE_FOR] = "for",       [SOURCE_WHILE] = "while",
    [SOURCE_DO] = "repeat",     [SOURCE_FOR_EACH] = "each",
    [SOURCE_SWITCH] = "switch", [SOURCE_CASE] = "case",
    [SOURCE_RETURN] = "return", [SOURCE_BREAK] = "break",
    [SOURCE_CONTINUE] = "next", [SOURCE_NOT_UNDERSTOOD] = "not understood",
};

static void add_expression(Text *text, const SourceExpression *expression)
{
    if (!expression) {
        text_add(text, "-");
        return;
    }
    if (expression->kind == SOURCE_NUMBER)
        text_add(text, "%.15g", expression->value);
    else if (expression->kind == SOURCE_VARIABLE)
        text_add(text, "%s", expression->variable->name);
    else {
        bool is_named = expression->operator&& expression->kind != SOURCE_COMMA;
        text_add(text, "(%s", is_named ? expression->operator : EXPRESSION_NAMES[expression->kind]);
        if (expression->kind == SOURCE_UNKNOWN || expression->kind == SOURCE_TEXT)
            text_add(text, " `%s`", expression->text);
        else if (expression->name)
            text_add(text, " %s", expression->name);
        else if (expression->callee)
            text_add(text, " *%s", expression->callee->text);
        for (size_t i = 0; i < expression->n_operands; i++) {
            text_add(text, " ");
            add_expression(text, expression->operands[i]);
        }
        text_add(text, ")");
    }
    text_add(text, ":%s", TYPE_NAMES[expression->type]);
}

static void add_variable(Text *text, const SourceVariable *variable)
{
    text_add(text, "%s:%s", variable->name, TYPE_NAMES[variable->type]);
    if (variable->is_global)
        text_add(text, " global");
    if (variable->is_constant && variable->value == variable->value)
        text_add(text, " constant %.15g", variable->value);
    else if (variable->is_constant)
        text_add(text, " constant");
}

static void add_statement(Text *text, const SourceStatement *statement, size_t depth)
{
    text_repeat(text, ' ', 2 * depth);
    if (!statement) {
        text_add(text, "-\n");
        return;
    }
    text_add(text, "%u %s", statement->place.line, STATEMENT_NAMES[statement->kind]);
    if (statement->text)
        text_add(text, " `%s`", statement->text);
    if (statement->variable) {
        text_add(text, " ");
        add_variable(text, statement->variable);
    }
    for (size_t i = 0; i < statement->n_expressions; i++) {
        text_add(text, " ");
        add_expression(text, statement->expressions[i]);
    }
    text_add(text, statement->falls_through ? " falls through\n" : "\n");
    for (size_t i = 0; i < statement->n_children; i++)
        add_statement(text, statement->children[i], depth + 1);
}

static void add_function(Text *text, const SourceFunction *function)
{
    text_add(text, "%s(", function->name);
    for (size_t i = 0; i < function->n_parameters; i++) {
        text_add(text, i ? ", " : "");
        add_variable(text, function->parameters[i]);
    }
    text_add(text, ")%s%s\n", function->returns_value ? ":" : "",
             function->returns_value ? TYPE_NAMES[function->return_type] : "");
    add_statement(text, function->body, 1);
}

const char *program_text(const SourceProgram *program, Arena *arena)
{
    Text text = {0};
    for (size_t i = 0; i < program->n_functions; i++)
        add_function(&text, &program->functions[i]);
    for (size_t i = 0; i < program->n_notes; i++)
        text_add(&text, "note %u: %s\n", program->notes[i].place.line, program->notes[i].message);
    return text_take(&text, arena);
}
