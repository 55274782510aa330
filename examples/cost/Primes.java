// SPDX-License-Identifier: BSD-3-Clause

/**
 * A task of the search for primes by the sieve of Eratosthenes: those of its part of the numbers. What is done for each
 * prime is done for few of the numbers, so that the share of primes decides how long it takes. Herai and Henriques,
 * 4.3.2.
 */
public class Primes {
    // What is known of the primes of the part.
    static long last;
    static double sumOfInverses, sumOfLogarithms;

    /** The number of primes n with from <= n < to; from >= 2. */
    public static long countPrimes(long from, long to) {
        int numbers = (int) (to - from);
        long found = 0;
        boolean[] isComposite = new boolean[numbers];
        for (long divisor = 2; divisor * divisor < to; divisor++) {
            long multiple = (from + divisor - 1) / divisor * divisor;
            if (multiple < divisor * divisor)
                multiple = divisor * divisor;
            for (long n = multiple; n < to; n += divisor)
                isComposite[(int) (n - from)] = true;
        }
        for (int i = 0; i < numbers; i++) {
            if (!isComposite[i]) {
                long prime = from + i;
                last = prime;
                sumOfInverses += 1.0 / prime;
                sumOfLogarithms += Math.log(prime);
                found++;
            }
        }
        return found;
    }
}
