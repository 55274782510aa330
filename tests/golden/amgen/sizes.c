/* Sizes of types with arrays whose sizes the program computes. */
#include <stdlib.h>

typedef struct {
    double x, y, z;
} Vector;

double first(long n, int m)
{
    double(*rows)[n] = malloc(sizeof(double[n][n]));
    Vector(*vectors)[m] = malloc(3 * sizeof(Vector[m]));
    unsigned char(*bytes)[4] = malloc(sizeof(unsigned char[n + 1][4]));
    char **words = malloc(sizeof(char *[m]));
    return rows[0][0] + vectors[0][0].x + bytes[0][0] + words[0][0];
}

void over(long n)
{
    for (size_t i = 0; i < sizeof(float[n]); i++)
        free(0);
}
