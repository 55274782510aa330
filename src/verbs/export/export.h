/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma export --json` prints (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"

extern const FieldList export_fields;
