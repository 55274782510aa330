/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints records (comm/protocol.h) on stdout. Only rank 0 does. */
#pragma once

#include <jansson.h>

/* Puts "record" first among the members, and prints them on one line. Takes over the reference. */
void record_print(const char *record, json_t *members);

void record_print_error(const char *message, const char *hint);
