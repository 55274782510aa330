/* Functions of the library: by the bytes, texts and comparisons that they work on. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
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

int letters(char *text, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        found += isalpha((unsigned char)text[i]) ? 1 : 0;
        text[i] = (char)toupper((unsigned char)text[i]);
    }
    return found;
}

double numbers(const char *text)
{
    return atoi(text) + strtol(text, NULL, 16) + strtod(text, NULL);
}

int writes(char *text, size_t size, int n, float x)
{
    snprintf(text, size, "%d: %5.2f %s\n", n, x, "each value counts");
    return sprintf(text, "none");
}

/* What the device takes isn't known. In a guard, nothing counts. */
int to_streams(FILE *file, long n)
{
    if (!file) {
        fprintf(stderr, "no file for %ld\n", n);
        return -1;
    }
    printf("%ld\n", n);
    fprintf(file, "%g %g\n", 0.5, 1.5);
    fputc(':', file);
    return puts("end");
}
