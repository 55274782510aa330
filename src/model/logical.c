/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication types and their written form; see logical.h. */
#include "model/logical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void comm_type_format(CommType type, char text[64])
{
    uint32_t low = (uint32_t)type;
    switch (comm_type_kind(type)) {
    case TYPE_SEND:
        snprintf(text, 64, "+%u", low);
        return;
    case TYPE_RECV:
        snprintf(text, 64, "-%u", low);
        return;
    case TYPE_ONE_SIDED:
        snprintf(text, 64, "put>%u", low);
        return;
    case TYPE_COLLECTIVE: {
        unsigned collective = comm_type_of_collective(type);
        unsigned group = (unsigned)(type >> 32) & (COMM_TYPE_GROUP_LIMIT - 1);
        char suffix[32] = "";
        if (group)
            snprintf(suffix, sizeof suffix, "@%u", group);
        const char *name = collective < COLLECTIVE_COUNT ? collective_name((Collective)collective) : "?";
        if (low)
            snprintf(text, 64, "%s<%u%s", name, low - 1, suffix);
        else
            snprintf(text, 64, "%s%s", name, suffix);
        return;
    }
    default:
        snprintf(text, 64, ".");
    }
}

static bool parse_number(const char **text, uint64_t limit, uint32_t *number)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    unsigned long parsed = strtoul(*text, &end, 10);
    *text = end;
    *number = (uint32_t)parsed;
    return parsed <= limit;
}

bool comm_type_parse(const char *text, CommType *type)
{
    CommTypeKind kind = text[0] == '+'                  ? TYPE_SEND
                        : text[0] == '-'                ? TYPE_RECV
                        : strncmp(text, "put>", 4) == 0 ? TYPE_ONE_SIDED
                                                        : TYPE_COLLECTIVE;
    uint32_t number = 0;
    if (kind != TYPE_COLLECTIVE) {
        text += kind == TYPE_ONE_SIDED ? 4 : 1;
        if (!parse_number(&text, UINT32_MAX, &number) || *text)
            return false;
        *type = comm_type_message(kind, number);
        return true;
    }
    char name[64];
    size_t length = strcspn(text, "<@");
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    text += length;
    Collective collective;
    uint32_t root = NO_ROOT, group = 0;
    if (!collective_from_name(name, &collective))
        return false;
    if (*text == '<' && (text++, !parse_number(&text, UINT32_MAX - 1, &root)))
        return false;
    if (*text == '@' && (text++, !parse_number(&text, COMM_TYPE_GROUP_LIMIT - 1, &group)))
        return false;
    if (*text)
        return false;
    *type = comm_type_collective((uint8_t)collective, group, root);
    return true;
}
