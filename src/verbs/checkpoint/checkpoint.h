/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma checkpoint --json` prints (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"

extern const FieldList checkpoint_fields;
