/* Conditionals: exact where they're decidable, else with a Q; what follows a jump belongs to the other side. */
void decidable(int n, int *c)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            *c = 1;
        if (i > n / 2)
            *c = 2;
        else
            *c += 3;
    }
    if (1)
        *c = 4;
}

int returns(const int *a)
{
    if (a[0])
        return 0;
    return a[1] + a[2];
}

void continues(const int *a, int n, int *c)
{
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            continue;
        if (a[i] == 7) {
            if (a[i + 1])
                continue;
            c[0]++;
        }
        c[1]++;
    }
}

int choices(const int *a, int n)
{
    int least = n < 10 ? n : 10;
    for (int i = 0; i < least; i++) {
    }
    if (a[0] && a[1])
        return a[2] || a[3];
    return a[4] ? a[5] : 0;
}

int cases(const int *a, int *c)
{
    switch (a[0]) {
    case 1:
        c[0]++;
    case 2:
    case 3:
        c[1]++;
        break;
    case 4:
        return 1;
    default:
        c[2]++;
    }
    c[3]++;
    switch (sizeof(int)) {
    case 4:
        c[4]++;
        break;
    case 8:
        c[5]++;
    }
    return 0;
}
