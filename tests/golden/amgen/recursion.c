/* Recursions: linear ones, divisions, and those whose number of calls must be given. */
#include <stddef.h>

typedef struct Node {
    int key;
    struct Node *left, *right;
} Node;

long factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

void hanoi(int n, int from, int to, int by)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, by, to);
    hanoi(n - 1, by, to, from);
}

double power(double x, int n)
{
    if (n == 0)
        return 1;
    double half = power(x, n / 2);
    return n % 2 ? half * half * x : half * half;
}

void merge_sort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int middle = low + (high - low) / 2;
    merge_sort(a, low, middle);
    merge_sort(a, middle + 1, high);
    for (int i = low; i <= high; i++)
        a[i]++;
}

/* Sizes of both sides differ by more than one. */
int search(const int *a, int low, int high, int key)
{
    if (low > high)
        return -1;
    int middle = (low + high) / 2;
    if (a[middle] == key)
        return middle;
    if (a[middle] < key)
        return search(a, middle + 1, high, key);
    return search(a, low, middle - 1, key);
}

/* Akra and Bazzi's theorem. */
int thirds(int n)
{
    return n < 2 ? 1 : thirds(n / 3) + thirds(2 * n / 3);
}

int size(const Node *node)
{
    if (node == NULL)
        return 0;
    return 1 + size(node->left) + size(node->right);
}

void quick_sort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int last = low;
    for (int i = low; i < high; i++)
        if (a[i] < a[high])
            a[last++] = a[i];
    quick_sort(a, low, last - 1);
    quick_sort(a, last + 1, high);
}

int even(int n);

int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
