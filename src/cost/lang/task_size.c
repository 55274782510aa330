/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_size.h. */
#include "cost/lang/task_size.h"

const FieldList task_size_fields =
    FIELDS(TaskSize, FIELD(TaskSize, name, "of the parameter"), FIELD(TaskSize, value, "when the tasks ran"));
