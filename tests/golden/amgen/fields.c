/* Sizes in fields: of constructors, of parameters, through calls and copies. */
#include <stdlib.h>

typedef struct Matrix {
    int rows, columns;
    double *values;
} Matrix;

typedef struct Pair {
    Matrix left, right;
} Pair;

Matrix *matrix_new(int rows, int columns)
{
    Matrix *matrix = malloc(sizeof *matrix);
    if (!matrix)
        return NULL;
    matrix->rows = rows;
    matrix->columns = columns;
    matrix->values = calloc((size_t)rows * (size_t)columns, sizeof(double));
    return matrix;
}

void matrix_set(Matrix *matrix, int rows, int columns)
{
    matrix->rows = rows;
    matrix->columns = columns;
}

double matrix_sum(const Matrix *matrix)
{
    double sum = 0;
    for (int i = 0; i < matrix->rows; i++)
        for (int j = 0; j < matrix->columns; j++)
            sum += matrix->values[i * matrix->columns + j];
    return sum;
}

double made(int n)
{
    Matrix *matrix = matrix_new(n, 2 * n);
    if (matrix == NULL)
        return -1;
    double sum = matrix_sum(matrix);
    free(matrix->values);
    free(matrix);
    return sum;
}

double set(int n)
{
    Matrix matrix = {.rows = 3, .columns = n}, copy = matrix;
    double sum = matrix_sum(&copy);
    matrix_set(&matrix, n, n);
    return sum + matrix_sum(&matrix);
}

double both(const Pair *pair)
{
    return matrix_sum(&pair->left) + matrix_sum(&pair->right);
}

/* Not known: the loop changes what it counts to. */
int shrinking(Matrix *matrix)
{
    int n = 0;
    for (int i = 0; i < matrix->rows; i++) {
        matrix->rows--;
        n++;
    }
    return n;
}

int chosen(int n, const int *data)
{
    Matrix matrix;
    matrix.rows = n;
    if (data[0])
        matrix.rows = 2 * n;
    int sum = 0;
    for (int i = 0; i < matrix.rows; i++)
        sum += i;
    return sum;
}
