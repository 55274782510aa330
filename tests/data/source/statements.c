/* Statements. */
int loops(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += i;
    for (;;)
        break;
    for (; i > 0;)
        i--;
    for (int j = 0;; j += 2)
        if (j > n)
            break;
        else
            continue;
    for (;; i++) {
    }
    while (i > 0)
        i /= 2;
    do
        i++;
    while (i < 10);
    return sum;
}

int cases(int n)
{
    switch (n) {
    case 1:
    case 2:
        n = 5;
        break;
    case 3: {
        n = 6;
        break;
    }
    case 4 ... 6:
        n = 7;
    default:
        n = 8;
        if (n > 9)
            break;
    case 7:
        return 9;
    }
    return n;
}

int jumps(int n)
{
again:
    n--;
    if (n > 0)
        goto again;
    switch (n)
    case 0:
        n = 1;
    switch (n) {
    case 1:
        while (n < 5) {
        case 2:
            n++;
        }
    }
    __asm__("nop");
    return n;
}
