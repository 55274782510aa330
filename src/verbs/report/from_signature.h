/* SPDX-License-Identifier: BSD-3-Clause */
/* What a signature tells a report: its phases, and when the run is in which of them. */
#pragma once

#include "model/signature.h"
#include <jansson.h>

/* Adds documents: phases, timeline. */
void from_signature_add(const Signature *signature, json_t *documents, Arena *arena);

/* The document "timeline": the shares of the longest phases, and of all others together, in each stretch between two
 * milestones. */
json_t *timeline_json(const Signature *signature);
