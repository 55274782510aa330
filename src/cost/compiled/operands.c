/* SPDX-License-Identifier: BSD-3-Clause */
/* See operands.h. */
#include "cost/compiled/operands.h"

#include <stdlib.h>
#include <string.h>

int operand_register(const char *name, size_t length)
{
    static const char *const names[][4] = {
        [REGISTER_RAX] = {"rax", "eax", "ax", "al"},  [REGISTER_RBX] = {"rbx", "ebx", "bx", "bl"},
        [REGISTER_RCX] = {"rcx", "ecx", "cx", "cl"},  [REGISTER_RDX] = {"rdx", "edx", "dx", "dl"},
        [REGISTER_RSI] = {"rsi", "esi", "si", "sil"}, [REGISTER_RDI] = {"rdi", "edi", "di", "dil"},
        [REGISTER_RBP] = {"rbp", "ebp", "bp", "bpl"}, [REGISTER_RSP] = {"rsp", "esp", "sp", "spl"}};
    if (length < 3 || *name != '%')
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof *names / sizeof **names; k++)
            if (strlen(names[i][k]) == length - 1 && strncmp(names[i][k], name + 1, length - 1) == 0)
                return (int)i;
    return name[1] == 'r' && name[2] >= '0' && name[2] <= '9' ? atoi(name + 2) : -1;
}

const char *operand_at(const char *text, unsigned number)
{
    const char *at = strchr(text, '\t');
    int depth = 0;
    for (at = at ? at + 1 : NULL; at && *at && number; at++) {
        depth += (*at == '(') - (*at == ')');
        number -= *at == ',' && depth == 0;
    }
    return at && *at && !number ? at + strspn(at, " ") : NULL;
}

unsigned operand_count(const char *text)
{
    unsigned n = 0;
    while (operand_at(text, n))
        n++;
    return n;
}

const char *operand_last(const char *text)
{
    const char *last = operand_at(text, 0), *next = last;
    for (unsigned i = 1; next; i++) {
        last = next;
        next = operand_at(text, i);
    }
    return last;
}

bool operand_in_memory(const char *text, const char **at, size_t *length)
{
    for (unsigned i = 0; (*at = operand_at(text, i)) != NULL; i++) {
        const char *open = strchr(*at, '('), *close = open ? strchr(open, ')') : NULL;
        const char *comma = strchr(*at, ',');
        if (!close || (comma && comma < open) || strncmp(open, "(%rip", 5) == 0)
            continue;
        *length = (size_t)(close + 1 - *at);
        return true;
    }
    return false;
}

bool operands_are_compared(const char *text)
{
    return strncmp(text, "cmp", 3) == 0 || strncmp(text, "test", 4) == 0 || strncmp(text, "ucomis", 6) == 0 ||
           strncmp(text, "comis", 5) == 0;
}
