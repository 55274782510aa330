/* Operators, and the types that they work in. */
int mixed(char c, short s, long l, unsigned u, float f, double d)
{
    c = s;
    l += u;
    f *= d;
    d = c + f;
    s <<= 2;
    l = -c;
    u = ~u | (u & 3) ^ (u >> 1);
    return !d && (f < d || l != u) && s % 3;
}

_Bool truth(int n)
{
    _Bool b = n;
    n++, --b;
    return n ? b : 2.9;
}

int pointers(int *p, int **q)
{
    *p = **q + p[1];
    p++;
    q[0] = &p[3];
    return p - *q + (p == *q);
}

int constants(void)
{
    enum { FEW = 3, MANY = 1 << 10 };
    static const double HALF = 0.5;
    int never_changed = 100, changed = 5;
    changed = FEW + MANY + 'a' + 0x10u + sizeof(double) + (int)3.7;
    return changed * HALF * never_changed;
}
