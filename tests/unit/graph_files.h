/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary file for task graphs, and templates for their texts. */
#pragma once

#include "base/files.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int make_file(void **state)
{
    strcpy(path, "/tmp/firma-graph-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    return unlink(path);
}

static void write_text(const char *text)
{
    Err err = {0};
    assert_true(files_save_text(path, text, &err));
}

#define TFG(tasks) "{\"format\": \"firma task graph\", \"version\": 1, \"tasks\": [" tasks "]}"
#define TTIG(members) "{\"format\": \"firma ttig\", \"version\": 1, " members "}"
