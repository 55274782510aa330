/* SPDX-License-Identifier: BSD-3-Clause */
/* Records on stdout: comm/protocol.h. Rank 0 alone prints them. */
#pragma once

#include <jansson.h>

/* Takes the object over, puts "record" at its head, and prints it on a line of its own. */
void record_print(const char *record, json_t *members);

void record_print_error(const char *message, const char *hint);
