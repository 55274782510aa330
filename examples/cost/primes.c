/* SPDX-License-Identifier: BSD-3-Clause */
/* A task of the search for primes by the sieve of Eratosthenes, for one part of the numbers. The
 * work for each prime is done for few of the numbers, so the share of primes decides the run time.
 * Herai and Henriques, 4.3.2. */
#include <math.h>
#include <stdlib.h>

/* The primes of the part, as far as they are known. */
struct {
    long last;
    double sum_of_inverses, sum_of_logarithms;
} primes;

/* The number of primes n with from <= n < to; from >= 2. */
long count_primes(long from, long to)
{
    long numbers = to - from, found = 0;
    char *is_composite = calloc(numbers, 1);
    for (long divisor = 2; divisor * divisor < to; divisor++) {
        long multiple = (from + divisor - 1) / divisor * divisor;
        if (multiple < divisor * divisor)
            multiple = divisor * divisor;
        for (long n = multiple; n < to; n += divisor)
            is_composite[n - from] = 1;
    }
    for (long i = 0; i < numbers; i++) {
        if (!is_composite[i]) {
            long prime = from + i;
            primes.last = prime;
            primes.sum_of_inverses += 1.0 / prime;
            primes.sum_of_logarithms += log(prime);
            found++;
        }
    }
    free(is_composite);
    return found;
}
