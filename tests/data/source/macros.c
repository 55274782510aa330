/* Operators that macros make, and arguments that they are given. */
#define SUM(a, b) ((a) + (b))
#define DIFFERENCE(a, b) a - b
#define SQUARE(x) SUM(x, 0) * (x)
#define COUNT 100
#define EVER for (;;)
#define EACH(i, n) for (int i = 0; i < n; i++)
#define UPWARDS(i, start) for (i = start;; i++)
#define NEXT(i) i++
#define LAST_OPERAND(a) a * COUNT

int macros(int n, double d)
{
    int m = SUM(n, COUNT);
    m = DIFFERENCE(n, m);
    m += SQUARE(n - 1);
    m = DIFFERENCE(SUM(n, 1), SQUARE(m));
    m = m / COUNT % LAST_OPERAND(n);
    EACH(i, COUNT)
        NEXT(m);
    UPWARDS(m, 3)
        if (m > 4)
            break;
    EVER {
        m = -COUNT;
        break;
    }
    return SUM(d, m);
}
