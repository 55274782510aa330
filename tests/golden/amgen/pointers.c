/* Calls through pointers, whose targets are what the program assigns and passes. */
typedef double (*Function)(double);

static double square(double x)
{
    return x * x;
}

static double cube(double x)
{
    return x * x * x;
}

static double integral(Function f, double low, double high, int n)
{
    double sum = 0, width = (high - low) / n;
    for (int i = 0; i < n; i++)
        sum += f(low + i * width);
    return sum * width;
}

static Function const table[] = {square, cube};

struct operations {
    double (*apply)(double);
    int count;
};
static const struct operations squares = {.apply = square, .count = 3};

double area(int n)
{
    return integral(square, 0, 1, n);
}

double dispatched(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += table[i % 2](i);
    return sum;
}

double applied(int n, const struct operations *operations)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (*operations->apply)(i);
    return sum;
}

double unknown(double (*f)(double))
{
    return f(2);
}
