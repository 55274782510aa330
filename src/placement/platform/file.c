/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes platforms from XML files of other tools, which libraries of these tools read. */
#include "placement/platform/platform.h"

#include "base/files.h"
#include "placement/platform/topology.h"
#include <ctype.h>
#include <string.h>

bool platform_is_file(const char *text)
{
    size_t n = strlen(text);
    return n > 4 && strcmp(text + n - 4, ".xml") == 0;
}

/* The name of the first element; only what decides which library reads the file. */
static const char *first_element(const char *xml, Arena *arena)
{
    const char *at = xml;
    while ((at = strchr(at, '<')) && !isalpha((unsigned char)at[1])) {
        const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : at + 1;
        if (!end)
            return "";
        at = end;
    }
    return at ? arena_strndup(arena, at + 1, strcspn(at + 1, " \t\r\n/>")) : "";
}

bool platform_from_file(const char *file, Arena *arena, Platform **platform, Err *err)
{
    const char *xml;
    if (!files_load_text(file, arena, &xml, err))
        return false;
    const char *element = first_element(xml, arena);
    if (strcmp(element, "topology") == 0)
        return topology_from_file(file, arena, platform, err);
    if (strcmp(element, "platform") == 0)
        return platform_from_simgrid(file, arena, platform, err);
    return err_set(err, ERR_INPUT, "%s: is neither a machine of `lstopo` nor a platform of SimGrid", file);
}
