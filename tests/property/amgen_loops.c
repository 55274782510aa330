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

/* ---- Recursion ---- */

static long sum_down(long n, long m)
{
    long hits = 0;
    if (n <= 0)
        return 0;
    for (long i = 0; i < n + m; i++)
        HIT;
    return hits + sum_down(n - 2, m);
}

long recursive_sum(long n, long m)
{
    return sum_down(n, m);
}

static long tower(int disks, int from, int to, int by)
{
    long hits = 0;
    if (disks < 1)
        return 0;
    hits += tower(disks - 1, from, by, to);
    HIT;
    return hits + tower(disks - 1, by, to, from);
}

long towers(long n, long m)
{
    return n < 12 && m == 0 ? tower((int)n, 0, 1, 2) : 0;
}

static long rabbit(int months)
{
    long hits = 0;
    HIT;
    if (months < 2)
        return hits;
    return hits + rabbit(months - 1) + rabbit(months - 2);
}

long rabbits(long n, long m)
{
    if (n > 20 || m > 0)
        return 0;
    return rabbit((int)n);
}

static long three_before(int n)
{
    long hits = 0;
    for (int i = 0; i < n; i++)
        HIT;
    if (n > 2)
        hits += three_before(n - 1) + three_before(n - 2) + three_before(n - 3);
    return hits;
}

long three_terms(long n, long m)
{
    if (n > 14 || m > 0)
        return 0;
    return three_before((int)n);
}

static long squaring(long exponent)
{
    long hits = 0;
    if (exponent == 0)
        return 0;
    HIT;
    if (exponent % 2)
        HIT;
    return hits + squaring(exponent / 2);
}

long squarings(long n, long m)
{
    return n < 0 || m < 0 ? 0 : squaring(n) + squaring(n * m);
}

static long halving(long n)
{
    long hits = 0;
    HIT;
    return n > 1 ? hits + halving(n / 2) + halving(n - n / 2) : hits;
}

long halvings(long n, long m)
{
    return halving(n) + halving(n + m);
}

static long merging(long low, long middle, long high)
{
    long hits = 0;
    for (long i = low; i <= high; i++)
        HIT;
    for (long i = low; i <= middle; i++)
        HIT;
    return hits;
}

static long merge_sort(long low, long high)
{
    if (low >= high)
        return 0;
    long middle = (low + high) / 2;
    return merge_sort(low, middle) + merge_sort(middle + 1, high) + merging(low, middle, high);
}

long sorting(long n, long m)
{
    return n < 0 || m < 0 ? 0 : merge_sort(0, n - 1) + merge_sort(m, n + 2 * m);
}

/* Small parts are sorted by insertion. */
static long cutoff(long low, long high)
{
    long hits = 0;
    if (high - low < 7) {
        for (long i = low; i < high; i++)
            for (long j = low; j < i; j++)
                HIT;
        return hits;
    }
    long middle = low + (high - low) / 2;
    for (long i = low; i < high; i++)
        HIT;
    return hits + cutoff(low, middle) + cutoff(middle, high);
}

long cutoffs(long n, long m)
{
    return cutoff(0, n) + cutoff(0, n + m);
}

static long seven(long n)
{
    long hits = 0;
    if (n <= 2) {
        for (long i = 0; i < n * n * n; i++)
            HIT;
        return hits;
    }
    for (int i = 0; i < 7; i++)
        hits += seven(n / 2);
    for (long i = 0; i < n * n; i++)
        HIT;
    return hits;
}

long sevens(long n, long m)
{
    return m > 0 ? 0 : seven(n);
}

static long quarter(long n)
{
    long hits = 0;
    for (long i = 0; i < n; i++)
        HIT;
    return n < 1 ? hits : hits + quarter(n / 2) + quarter(n / 4);
}

long quarters(long n, long m)
{
    return m < 0 ? 0 : quarter(n) + quarter(n * m);
}

static long up_from(long k, long end)
{
    long hits = 0;
    if (k == end)
        return 0;
    for (long i = 0; i < k; i++)
        HIT;
    return hits + up_from(k + 1, end);
}

long upwards(long n, long m)
{
    if (m > n)
        return 0;
    return up_from(m, n);
}

static long ceiling(long n)
{
    long hits = 0;
    for (long i = 0; i < n; i++)
        HIT;
    return n > 3 ? hits + ceiling((n + 2) / 3) : hits;
}

long ceilings(long n, long m)
{
    return m < 0 ? 0 : ceiling(n) + ceiling(n * m);
}

/* ---- Shifts, and endless loops ---- */

long subsets(long n, long m)
{
    long hits = 0;
    if (n < 0 || n > 8 || m < 0)
        return 0;
    for (long set = 0; set < 1L << n; set++)
        HIT;
    for (long i = 0; i < m >> n; i++)
        HIT;
    return hits;
}

long breaks(long n, long m)
{
    long hits = 0, i = 0, j = m;
    while (1) {
        if (i >= n)
            break;
        for (long k = 0; k < i; k++)
            HIT;
        i++;
    }
    for (;;) {
        HIT;
        j -= 2;
        if (j < 0 || j < n) {
            HIT;
            break;
        }
        if (j % 3 == 1)
            HIT;
    }
    for (long k = 0;; k++) {
        if (k == 7 || k > m)
            break;
        if (k % 2)
            continue;
        HIT;
    }
    do {
        if (m-- <= 0)
            break;
        HIT;
    } while (1);
    return hits;
}
