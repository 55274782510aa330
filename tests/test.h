/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka, and the headers that it needs first. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An error of this kind, whose message has these words. */
#define assert_error(err, expected, words)                                                                             \
    do {                                                                                                               \
        assert_int_equal((err).kind, expected);                                                                        \
        if (!strstr((err).message, words))                                                                             \
            fail_msg("%s", (err).message);                                                                             \
    } while (0)

/* Most tests need nothing of the state that cmocka passes to each. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
