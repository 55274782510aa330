/* Functions of the library: by the bytes, texts and comparisons that they work on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

void copies(double *a, const double *b, int n)
{
    memcpy(a, b, (size_t)n * sizeof *a);
    memset(a, 0, 64);
    memmove(a + 1, a, (size_t)(n - 1) * sizeof *a);
}

size_t texts(const char *a, const char *b)
{
    return strcmp(a, b) ? strlen(a) : 0;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double sorts(double *a, int n, double key)
{
    qsort(a, (size_t)n, sizeof *a, by_value);
    double *found = bsearch(&key, a, (size_t)n, sizeof *a, by_value);
    return found ? *found : 0;
}

long rounds(double x)
{
    return lround(x) + lrint(x);
}

int chance(void)
{
    srand(1);
    return rand();
}
