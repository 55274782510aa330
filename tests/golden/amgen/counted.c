/* Loops whose counts are expressions in the parameters. */
#include <math.h>

void nest(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            a[j] = 0;
}

void down_and_by_steps(int n)
{
    int c = 0;
    for (int i = n; i > 0; i--)
        c++;
    for (int i = n; i >= 0; i -= 2)
        c++;
    for (int i = 1; i <= n; i += 3)
        for (int j = 0; j != i; j++)
            c++;
}

void fractions(double a, double b, double h)
{
    for (double x = a; x < b; x += h) {
    }
}

void roots(long n)
{
    for (long i = 2; i * i <= n; i++) {
    }
    for (long i = 1; i <= sqrt(n); i += 2)
        for (long j = 0; j < i; j++) {
        }
}

void logarithms(int n)
{
    for (int i = 1; i < n; i *= 2) {
    }
    for (int i = n; i > 0; i /= 10) {
    }
    for (int i = n; i; i >>= 1) {
    }
}

void sieve(int n, char *composite)
{
    for (int i = 2; i * i <= n; i++)
        for (int j = i * i; j <= n; j += i)
            composite[j] = 1;
}

void whiles(int n, int m)
{
    int i = 0;
    while (i < n) {
        i++;
    }
    while (m-- > 0) {
    }
    do {
        i -= 2;
    } while (i > 0);
}

void locals(int n)
{
    int half = n / 2, last = half * half + 1;
    if (last > 100)
        last = 100;
    for (int i = half; i <= last; i++) {
    }
}

void both(int n, int m)
{
    for (int i = 0; i < n && i < m; i++) {
    }
}

void constant(void)
{
    static const int FEW = 3;
    for (int i = 0; i < 2 * FEW; i++) {
    }
    for (int i = 5; i < FEW; i++) {
    }
    do {
    } while (0);
}

/* An index may pass by a number that it must not have. */
int passes_by(int n)
{
    int sum = 0;
    for (int k = n; k > 0 && k != 900; k--)
        sum += k;
    for (int k = 0; k != n && k < 20; k += 3)
        sum += k;
    return sum;
}

/* Floating-point numbers have no next one. */
double halves(double limit)
{
    double sum = 0;
    for (double x = 0.9; x > 1e-6; x *= 0.5)
        sum += x;
    for (double y = 1000; y >= 1e-3; y /= 3)
        sum += y;
    for (double z = 1; z < limit; z *= 1.5)
        sum += z;
    return sum;
}
