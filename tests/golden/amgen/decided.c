/* Parameters that data tell: of those that only decide, nothing is known in the function. */
static double work(double *a, int kind, int n)
{
    double sum = 0;
    switch (kind) {
    case 0:
        return 1;
    case 1:
        for (int i = 0; i < n; i++)
            sum += a[i];
        return sum;
    default:
        return a[0] * a[1];
    }
}

static double outer(double *a, int kind, int n)
{
    return kind > 3 ? 0 : work(a, kind, n);
}

double by_data(double *a, const int *kinds, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += outer(a, kinds[i], 10);
    return sum;
}

double known(double *a, int n)
{
    return outer(a, 1, n);
}

struct item {
    int kind, n;
};

static int of_item(const struct item *item)
{
    int steps = 0;
    if (item->kind == 2)
        for (int i = 0; i < item->n; i++)
            steps++;
    return steps;
}

int by_fields(const struct item *items, int n)
{
    int steps = 0;
    for (int i = 0; i < n; i++)
        steps += of_item(&items[i]);
    return steps;
}
