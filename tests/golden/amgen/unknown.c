/* What can't be seen becomes a named parameter. */
#include <stdio.h>

int data[100];

void by_data(int n)
{
    for (int i = 0; i < data[n]; i++) {
    }
    while (data[n])
        n++;
    for (;;)
        if (data[n++])
            break;
}

int early(const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == 3)
            return i * 2;
        if (a[i] > 5)
            break;
    }
    return -1;
}

int searching(const int *a, int n)
{
    int i = 0;
    while (i < n && a[i] != 0)
        i++;
    return i;
}

int size;

void globals(int *k, int (*f)(int))
{
    for (int i = 0; i < size; i++)
        printf("%d\n", f(*k));
}

int jumping(int n)
{
again:
    n--;
    if (data[n])
        goto again;
    return n;
}
