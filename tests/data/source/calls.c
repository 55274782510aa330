/* Calls. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int twice(int n)
{
    return 2 * n;
}

double known(int n, float f)
{
    return twice(n) + sqrt(n) + sqrtf(f) + fabs(f) + abs(n);
}

int unknown(int (*function)(int), int n)
{
    int (*other)(int) = twice;
    return function(n) + other(n + 1) + (*function)(2);
}

int variable_arguments(int n, ...)
{
    va_list list;
    va_start(list, n);
    int first = va_arg(list, int);
    va_end(list);
    printf("%d %f\n", n, 1.0f);
    return first;
}

double *memory(size_t n)
{
    double *made = malloc(n * sizeof *made);
    free(calloc(n, 8));
    return made;
}
