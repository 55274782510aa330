/* The paper's figure 2: condition and increment by type; the condition once before the loop, and once in each run. */
void metodo_T(double y)
{
    double i;
    for (i = 0; i < y; i++) {
    }
}

void task(const int *condicao, int *bloco1)
{
    if (*condicao) {
        metodo_T(100000);
    } else {
        *bloco1 = 1;
    }
}
