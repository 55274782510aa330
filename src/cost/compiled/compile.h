/* SPDX-License-Identifier: BSD-3-Clause */
/* A task's assembler text. Private to this folder. */
#pragma once

#include "cost/compiled/assembly.h"
#include "cost/compiled/compiled.h"
#include "cost/compiled/report.h"

struct CompiledCode {
    const char *source;
    const char *scheduler;
    Assembly *assembly;
    Report report;
};
