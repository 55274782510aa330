/* Loops and blocks that threads of OpenMP execute; read with -fopenmp. */
double shares(long n, double *x)
{
    double sum = 0;
#pragma omp parallel for num_threads(4) schedule(static) \
    reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

void region(long n, double *x)
{
#pragma omp parallel
    {
        double own = n;
#pragma omp for nowait
        for (long i = 0; i < n; i++)
            x[i] = own;
#pragma omp single
        x[0] = 1;
#pragma omp critical(first)
        x[1] += 1;
#pragma omp parallel for
        for (long i = 0; i < n; i++)
            x[i] = own;
    }
}

/* Its caller may have a parallel region. */
void orphan(long n, double *x)
{
#pragma omp for simd
    for (long i = 0; i < n; i++)
        x[i] = 0;
}

void none(long n, double *x)
{
#pragma omp task
    x[0] = 1;
#pragma omp simd
    for (long i = 0; i < n; i++)
        x[i] = 0;
}
