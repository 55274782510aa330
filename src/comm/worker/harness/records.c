/* SPDX-License-Identifier: BSD-3-Clause */
/* See records.h. */
#include "comm/worker/harness/records.h"

#include "base/json.h"
#include <stdio.h>
#include <stdlib.h>

void record_print(const char *record, json_t *members)
{
    json_t *whole = json_pack("{s:s}", "record", record);
    json_object_update(whole, members);
    char *text = json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(12));
    if (text)
        printf("%s\n", text);
    fflush(stdout);
    free(text);
    json_decref(whole);
    json_decref(members);
}

void record_print_error(const char *message, const char *hint)
{
    json_t *members = json_object();
    json_object_set_new(members, "message", json_from_text(message));
    if (hint[0])
        json_object_set_new(members, "hint", json_from_text(hint));
    record_print("error", members);
}
