/* SPDX-License-Identifier: BSD-3-Clause */
/* Literals, and operations of numbers that the compiler computes (JLS 15.29). */
#include "cost/source/java/tree.h"

#include <math.h>

/* Whole numbers up to here are exact as doubles. */
#define EXACT_LIMIT 9007199254740992.0

/* Without underscores and the suffix. */
static char *digits_of(JavaReader *reader, const char *text, char *suffix)
{
    char *digits = arena_strdup(reader->arena, text);
    size_t n = 0;
    for (const char *c = text; *c; c++)
        if (*c != '_')
            digits[n++] = *c;
    digits[n] = '\0';
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    bool is_hex_float = is_hex && strpbrk(digits, "pP");
    *suffix = n ? (char)(digits[n - 1] | 0x20) : '\0';
    if (*suffix == 'l' || ((*suffix == 'f' || *suffix == 'd') && (!is_hex || is_hex_float)))
        digits[n - 1] = '\0';
    else
        *suffix = '\0';
    return digits;
}

static JavaType whole(JavaReader *reader, const char *text, int base, double *value)
{
    char suffix;
    const char *digits = digits_of(reader, text, &suffix);
    unsigned long long number = strtoull(base == 10 || base == 8 ? digits : digits + 2, NULL, base);
    bool is_long = suffix == 'l';
    if (is_long)
        *value = base == 10 ? (double)number : (double)(int64_t)number;
    else
        *value = base == 10 ? (double)number : (double)(int32_t)(uint32_t)number;
    return java_primitive(is_long ? JAVA_LONG : JAVA_INT);
}

static JavaType real(JavaReader *reader, const char *text, double *value)
{
    char suffix;
    const char *digits = digits_of(reader, text, &suffix);
    *value = suffix == 'f' ? (double)strtof(digits, NULL) : strtod(digits, NULL);
    return java_primitive(suffix == 'f' ? JAVA_FLOAT : JAVA_DOUBLE);
}

/* The first of a character's UTF-8 bytes tells how many follow. */
static double utf8(const unsigned char *c)
{
    if (c[0] < 0x80)
        return c[0];
    unsigned n = c[0] >= 0xF0 ? 3 : c[0] >= 0xE0 ? 2 : 1, code = c[0] & (0x3Fu >> n);
    for (unsigned i = 1; i <= n && (c[i] & 0xC0) == 0x80; i++)
        code = code << 6 | (c[i] & 0x3F);
    return code;
}

static double character(const char *text)
{
    static const char NAMES[] = "btnfrs", VALUES[] = "\b\t\n\f\r ";
    if (text[0] != '\'' || text[1] != '\\')
        return text[0] ? utf8((const unsigned char *)text + 1) : 0;
    if (text[2] == 'u')
        return (double)strtoul(text + 2 + strspn(text + 2, "u"), NULL, 16);
    if (text[2] >= '0' && text[2] <= '7')
        return (double)strtoul(text + 2, NULL, 8);
    const char *name = text[2] ? strchr(NAMES, text[2]) : NULL;
    return name ? VALUES[name - NAMES] : text[2];
}

bool java_literal(JavaReader *reader, TSNode node, JavaValue *result)
{
    const char *kind = ts_node_type(node), *text = java_text(reader, node);
    JavaType type;
    double value = 0;
    if (strcmp(kind, "decimal_integer_literal") == 0)
        type = whole(reader, text, 10, &value);
    else if (strcmp(kind, "hex_integer_literal") == 0)
        type = whole(reader, text, 16, &value);
    else if (strcmp(kind, "octal_integer_literal") == 0)
        type = whole(reader, text, 8, &value);
    else if (strcmp(kind, "binary_integer_literal") == 0)
        type = whole(reader, text, 2, &value);
    else if (strstr(kind, "floating_point_literal"))
        type = real(reader, text, &value);
    else if (strcmp(kind, "character_literal") == 0) {
        type = java_primitive(JAVA_CHAR);
        value = character(text);
    } else if (strcmp(kind, "true") == 0 || strcmp(kind, "false") == 0) {
        type = java_primitive(JAVA_BOOLEAN);
        value = *kind == 't';
    } else if (strcmp(kind, "null_literal") == 0)
        type = java_reference(NULL);
    else
        return false;
    *result = (JavaValue){java_new(reader, node, SOURCE_NUMBER, type), type};
    result->expression->value = value;
    return true;
}

/* As if it had been computed in the type. */
double java_wrapped(double value, JavaKind kind)
{
    unsigned bits = kind == JAVA_BYTE ? 8 : kind == JAVA_SHORT || kind == JAVA_CHAR ? 16 : 32;
    if (kind == JAVA_FLOAT)
        return (double)(float)value;
    if (kind < JAVA_BYTE || kind > JAVA_INT || !(fabs(value) <= EXACT_LIMIT))
        return value;
    double range = ldexp(1, (int)bits), rest = fmod(value, range);
    if (rest < 0)
        rest += range;
    return kind != JAVA_CHAR && rest >= range / 2 ? rest - range : rest;
}

static bool fold_whole(const char *operator, int64_t a, int64_t b, double *value)
{
    bool is_shift = strchr("<>", operator[0]) && operator[1] == operator[0];
    if (strcmp(operator, "&") == 0)
        *value = (double)(a & b);
    else if (strcmp(operator, "|") == 0)
        *value = (double)(a | b);
    else if (strcmp(operator, "^") == 0)
        *value = (double)(a ^ b);
    else if (is_shift && b >= 0 && b < 63 && (a >= 0 || !operator[2]))
        *value = operator[0] == '<' ? ldexp((double)a, (int)b) : (double)(a >> b);
    else if (strcmp(operator, "/") == 0 && b)
        *value = (double)(a / b);
    else if (strcmp(operator, "%") == 0 && b)
        *value = (double)(a % b);
    else
        return false;
    return true;
}

static bool fold_any(const char *operator, double a, double b, double *value)
{
    if (strcmp(operator, "+") == 0)
        *value = a + b;
    else if (strcmp(operator, "-") == 0)
        *value = a - b;
    else if (strcmp(operator, "*") == 0)
        *value = a * b;
    else if (strcmp(operator, "<") == 0)
        *value = a < b;
    else if (strcmp(operator, "<=") == 0)
        *value = a <= b;
    else if (strcmp(operator, ">") == 0)
        *value = a > b;
    else if (strcmp(operator, ">=") == 0)
        *value = a >= b;
    else if (strcmp(operator, "==") == 0)
        *value = a == b;
    else if (strcmp(operator, "!=") == 0)
        *value = a != b;
    else if (strcmp(operator, "&&") == 0)
        *value = a != 0 && b != 0;
    else if (strcmp(operator, "||") == 0)
        *value = a != 0 || b != 0;
    else
        return false;
    return true;
}

static bool fold_one(const char *operator, double a, double *value)
{
    switch (*operator) {
    case '-':
        *value = -a;
        return true;
    case '+':
        *value = a;
        return true;
    case '!':
        *value = a == 0;
        return true;
    case '~':
        *value = -1 - a;
        return true;
    default:
        return false;
    }
}

static bool fold(const SourceExpression *expression, bool is_whole, double *value)
{
    const char *operator= expression->operator;
    double a = expression->operands[0]->value;
    if (expression->n_operands == 1)
        return fold_one(operator, a, value);
    double b = expression->operands[1]->value;
    if (fold_any(operator, a, b, value))
        return true;
    if (is_whole)
        return fold_whole(operator,(int64_t) a, (int64_t)b, value);
    if (*operator== '/')
        *value = a / b;
    else if (*operator== '%')
        *value = fmod(a, b);
    else
        return false;
    return true;
}

/* kind: in which it's computed. Numbers that doubles don't hold exactly are left to be computed. */
SourceExpression *java_folded(JavaReader *reader, TSNode node, SourceExpression *expression, JavaKind kind)
{
    bool is_whole = kind < JAVA_FLOAT;
    double value;
    for (size_t i = 0; i < expression->n_operands; i++) {
        const SourceExpression *operand = expression->operands[i];
        if (operand->kind != SOURCE_NUMBER || operand->type == CPU_REFERENCE ||
            (is_whole && !(fabs(operand->value) < EXACT_LIMIT)))
            return expression;
    }
    if (!fold(expression, is_whole, &value) || (is_whole && !(fabs(value) < EXACT_LIMIT)))
        return expression;
    SourceExpression *number = java_new(reader, node, SOURCE_NUMBER, java_primitive(kind));
    number->value = java_wrapped(value, kind);
    return number;
}
