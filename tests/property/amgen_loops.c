/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that count how often they reach a point. This point is the only place with a bitwise
 * operation. Their models must give the same count. amgen_properties contains these functions, and
 * also reads this file as a source. */
#include "amgen_loops.h"

#define HIT hits = (hits | 0) + 1

long up(long n, long m)
{
    long hits = 0;
    for (long i = m; i < n; i++)
        HIT;
    return hits;
}

long up_to(long n, long m)
{
    long hits = 0;
    for (long i = 1; i <= n; i += 2)
        for (long j = i; m >= j; ++j)
            HIT;
    return hits;
}

long down(long n, long m)
{
    long hits = 0;
    for (long i = n - 1; i >= 0; i--)
        for (long j = i; j > m; j -= 3)
            HIT;
    return hits;
}

long triangle(long n, long m)
{
    long hits = 0;
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < m; j++)
            HIT;
    return hits;
}

long different(long n, long m)
{
    long hits = 0;
    if (n < 0)
        return 0;
    for (long i = 0; i != n; i++)
        for (long j = 2 * i; j < m; j += 2)
            HIT;
    return hits;
}

long square(long n, long m)
{
    long hits = 0;
    for (long i = 1; i * i <= n; i++)
        HIT;
    for (long i = 2; i * i < m; i += 2)
        HIT;
    for (long i = 0; i * (i + 1) <= n; i++)
        HIT;
    return hits;
}

long powers(long n, long m)
{
    long hits = 0;
    for (long i = 1; i < n; i *= 2)
        HIT;
    for (long i = 1; i <= m; i = 3 * i)
        HIT;
    for (long i = 1; i < n; i <<= 2)
        for (long j = 0; j < i; j++)
            HIT;
    return hits;
}

long quotients(long n, long m)
{
    long hits = 0;
    while (n > 0) {
        HIT;
        n /= 2;
    }
    for (; m >= 3; m = m / 3)
        HIT;
    return hits;
}

long countdown(long n, long m)
{
    long hits = 0;
    while (n-- > 0)
        HIT;
    while (--m > 0)
        HIT;
    return hits;
}

long at_least_once(long n, long m)
{
    long hits = 0, i = 0;
    do {
        HIT;
        i += 2;
    } while (i < n);
    do {
        HIT;
    } while (--m > 0);
    return hits;
}

long sieve(long n, long m)
{
    long hits = 0;
    for (long i = 2; i * i <= n; i++)
        for (long j = i * i; j <= m; j += i)
            HIT;
    return hits;
}

long remainders(long n, long m)
{
    long hits = 0;
    for (long i = 0; i < n; i++) {
        if (i % 3 == 1)
            HIT;
        if (i % 2)
            continue;
        if (i > m)
            HIT;
    }
    return hits;
}

long halves(long n, long m)
{
    long hits = 0;
    if (n < 0)
        n = 0;
    for (long i = 0; i < n; i++)
        if (i >= n / 2 && i != m)
            HIT;
        else if (!(i < 3) || i == m)
            HIT;
    return hits;
}

long clipped(long n, long m)
{
    long hits = 0;
    for (long i = 0; i < n; i += 4) {
        long end = i + 4;
        if (end > m)
            end = m;
        for (long j = i; j < end; j++)
            HIT;
    }
    for (long i = n > m ? m : n; i < 20; i++)
        HIT;
    return hits;
}

long both(long n, long m)
{
    long hits = 0, j = 0;
    for (long i = 0; i < n && i <= m; i++)
        HIT;
    for (long i = 0; i < n; i++, j += 3)
        for (long k = j; k < m; k++)
            HIT;
    return hits;
}

long towards(long n, long m)
{
    long hits = 0;
    while (n < m) {
        n++;
        HIT;
        m--;
    }
    return hits;
}

long fractions(long n, long m)
{
    long hits = 0;
    for (double x = 0; x < n; x += 0.5)
        HIT;
    for (double x = m; x >= 1; x -= 0.25)
        HIT;
    return hits;
}

long cases(long n, long m)
{
    long hits = 0;
    for (long i = 0; i < n; i++)
        switch (i % 4) {
        case 1:
            HIT; /* fall through */
        case 2:
            HIT;
            break;
        case 3:
            for (long j = 0; j < m; j++)
                HIT;
            break;
        default:
            HIT;
        }
    return hits;
}

static long inner(long k)
{
    long hits = 0;
    if (k < 2)
        return hits;
    for (long i = 0; i < k; i++)
        HIT;
    return hits;
}

static long larger(long k)
{
    long more = k + 1;
    return 2 * more;
}

long calls(long n, long m)
{
    long hits = 0;
    for (long i = 0; i < n; i++)
        hits += inner(i);
    for (long i = 0; i < larger(m); i++)
        HIT;
    return hits;
}
