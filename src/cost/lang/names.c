/* SPDX-License-Identifier: BSD-3-Clause */
/* See names.h. */
#include "cost/lang/names.h"

static MapKey key_of(const char *name)
{
    MapKey key = {1, 2};
    for (; *name; name++)
        key = hash_word(key, (unsigned char)*name);
    return key;
}

uint64_t *names_get(const Map *names, const char *name)
{
    return map_get(names, key_of(name));
}

bool names_add(Map *names, const char *name, uint64_t number)
{
    bool is_new;
    uint64_t *value = map_put(names, key_of(name), &is_new);
    if (is_new)
        *value = number;
    return is_new;
}
