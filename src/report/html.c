/* SPDX-License-Identifier: BSD-3-Clause */
/* See html.h. */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

const char *html_escape(const char *text, Arena *arena)
{
    Text escaped = {0};
    for (const char *c = text_as_line(text, arena); *c; c++)
        switch (*c) {
        case '&':
            text_add(&escaped, "&amp;");
            break;
        case '<':
            text_add(&escaped, "&lt;");
            break;
        case '>':
            text_add(&escaped, "&gt;");
            break;
        case '"':
            text_add(&escaped, "&quot;");
            break;
        default:
            *vec_push(&escaped.bytes) = *c;
        }
    return text_take(&escaped, arena);
}

void html_element(Text *page, const char *tag, const char *text, Arena *arena)
{
    text_add(page, "<%s>%s</%.*s>\n", tag, html_escape(text, arena), (int)strcspn(tag, " "), tag);
}

void html_table(Text *page, const Table *table)
{
    text_add(page, "<div class=scroll>%s</div>\n", table_html(table));
}

void html_details(Text *page, const char *summary, const Table *table)
{
    text_add(page, "<details><summary>%s</summary>\n", summary);
    html_table(page, table);
    text_add(page, "</details>\n");
}

/* A `<` could end the element. Only texts hold one, where an escape means the same. */
void html_data(Text *page, const char *id, const json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII);
    text_add(page, "<script type=\"application/json\" id=%s>", id);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            text_add(page, "\\u003c");
        else
            *vec_push(&page->bytes) = *c;
    text_add(page, "</script>\n");
    free(text);
}
