/* Parameters that data tell: a mean will do where costs are in proportion to it. */
struct size {
    int n, m;
};

static int line(const struct size *size)
{
    int sum = 0;
    for (int i = 0; i < size->n; i++)
        sum++;
    for (int i = 0; i < size->m; i++)
        sum++;
    return sum;
}

static int square(const struct size *size)
{
    int sum = 0;
    for (int i = 0; i < size->n; i++)
        for (int k = 1; k < size->n; k++)
            sum++;
    return sum + size->m;
}

static int triangle(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            sum++;
    return sum;
}

static int rows(int n, int m)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            sum++;
    return sum;
}

static int box(int n)
{
    return rows(n, n + 1);
}

static int lines(int n)
{
    return rows(n, 3);
}

int in_proportion(const struct size *sizes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += line(&sizes[i]) + lines(sizes[i].n);
    return sum;
}

int by_square(const struct size *sizes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += square(&sizes[i]) + triangle(sizes[i].n) + box(sizes[i].n);
    return sum;
}

int by_product(const struct size *sizes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += rows(sizes[i].n, sizes[i].m);
    return sum;
}

int known(int n)
{
    return box(n) + triangle(n);
}
