/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparison of doubles, for tests: cmocka 1.1 has one for float alone. Include before cmocka.h's users need it. */
#pragma once

#include <math.h>

#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double near_value_ = (value), near_expected_ = (expected);                                                     \
        if (!(fabs(near_value_ - near_expected_) <= (tolerance)))                                                      \
            fail_msg("%s is %.12g, not %.12g", #value, near_value_, near_expected_);                                   \
    } while (0)
