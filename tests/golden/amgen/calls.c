/* Calls: sub-models with the arguments that matter; values of functions; a recursion. */
static int twice(int n)
{
    return 2 * n;
}

static void work(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void caller(double *a, int n, const int *sizes)
{
    for (int i = 1; i <= n; i++)
        work(a, twice(i));
    work(a, sizes[0]);
}

int fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

void delay(int step, int p)
{
    for (int send = 0; send < step + p; send++)
        work(0, send);
}
