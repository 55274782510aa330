/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka, and the headers that it needs first. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Most tests need nothing of the state that cmocka passes to each. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
