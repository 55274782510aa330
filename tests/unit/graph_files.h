/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary file for task graphs, and templates for their texts. */
#pragma once

#include "unit/fixture.h"
#include <string.h>

static const char *graph_path(void)
{
    return in_folder("graph.json");
}

static void write_text(const char *text)
{
    saved("graph.json", text);
}

#define TFG(tasks) "{\"format\": \"firma task graph\", \"version\": 1, \"tasks\": [" tasks "]}"
#define TTIG(members) "{\"format\": \"firma ttig\", \"version\": 1, " members "}"
