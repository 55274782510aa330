/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of an application's parameter when its tasks ran. */
#pragma once

#include "base/fields.h"

typedef struct TaskSize {
    const char *name;
    double value;
} TaskSize;

extern const FieldList task_size_fields;
