/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a stream of messages carries. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"

/* Of a point of a stream, whose time is that of one message. */
const CommRate *rate_make(const CommPoint *point, Arena *arena);
