/* What costs aren't known of stays, with what of it is understood. */
#include <complex.h>

double complex_numbers(double x)
{
    double _Complex z = x;
    z *= x;
    return creal(z) + x;
}

int statement_expression(int n)
{
    return ({
        int m = n + 1;
        m * 2;
    });
}

long double wide(long double x)
{
    return x * 2;
}

__int128 wider(__int128 x)
{
    return x + 1;
}

int selection(double x)
{
    int chosen = _Generic(x, double: 1, int: x + 2);
    int either = chosen ?: 3;
    return either + __builtin_offsetof(struct { int a, b; }, b);
}

typedef int Four __attribute__((vector_size(16)));
Four vectors(Four a, Four b)
{
    return a * b + a[1];
}
