/* Operations by the type in which they're computed; equal ones of a stretch add up. */
#include <math.h>
#include <stdlib.h>

struct point {
    double x;
    int tag;
};

double arithmetic(int a, long b, float c, double d)
{
    double e = a + b * c - d / a;
    e += a;
    a = b % 7 + (a << 2) - (a & 3);
    return -e * (a < b);
}

int places(struct point *p, int *q, int n)
{
    p->x = q[n] + p[2].tag;
    q[n]++;
    *q = ~n;
    int *r = &q[3];
    return !*r;
}

double functions(double x, float y, int n)
{
    x = sqrt(x) + sin(x) + pow(x, 2.0) + atan2(x, 1.0) + sqrtf(y) + abs(n) + floor(x);
    x += drand48() + rand();
    double *made = malloc(n * sizeof *made);
    free(made);
    return x;
}
