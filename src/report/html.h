/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a page in HTML. Each text that these functions take may hold any bytes: a reader sees it, and a
 * browser takes nothing in it for a command. */
#pragma once

#include "base/text.h"
#include "report/table.h"
#include <jansson.h>

/* The text as content of an element, or as an attribute's value between double quotes. What isn't visible becomes a
 * question mark, as in other text output. */
const char *html_escape(const char *text, Arena *arena);

/* <TAG>text</TAG>. tag: "p", or with a class "p class=note". */
void html_element(Text *page, const char *tag, const char *text, Arena *arena);

/* A table that scrolls by itself if it is wider than the page. */
void html_table(Text *page, const Table *table);

/* A table that opens below its picture. */
void html_details(Text *page, const char *summary, const Table *table);

/* JSON that a script reads, and the browser doesn't. id: of the element. */
void html_data(Text *page, const char *id, const json_t *data);
