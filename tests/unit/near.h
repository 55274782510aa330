/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares doubles in tests; cmocka 1.1 only compares floats. Include it before code that needs
 * cmocka.h. */
#pragma once

#include <math.h>

#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double near_value_ = (value), near_expected_ = (expected);                                                     \
        if (!(fabs(near_value_ - near_expected_) <= (tolerance)))                                                      \
            fail_msg("%s is %.12g, not %.12g", #value, near_value_, near_expected_);                                   \
    } while (0)
