/* SPDX-License-Identifier: BSD-3-Clause */
/* See amgen_loops.c. */
#pragma once

#define AMGEN_LOOPS(loop)                                                                                              \
    loop(up) loop(up_to) loop(down) loop(triangle) loop(different) loop(square) loop(powers) loop(quotients)           \
        loop(countdown) loop(at_least_once) loop(sieve) loop(remainders) loop(halves) loop(clipped) loop(both)         \
            loop(towards) loop(fractions) loop(cases) loop(calls) loop(recursive_sum) loop(towers) loop(rabbits)       \
                loop(three_terms) loop(squarings) loop(halvings) loop(sorting) loop(cutoffs) loop(sevens)              \
                    loop(quarters) loop(upwards) loop(ceilings) loop(subsets) loop(breaks)

#define AMGEN_DECLARE(name) long name(long n, long m);
AMGEN_LOOPS(AMGEN_DECLARE)
