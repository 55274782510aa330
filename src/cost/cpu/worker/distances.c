/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cpu-memory: times loads of lines of 64 bytes from data of growing sizes, in four orders. Prints
 * `distance ORDER BYTES S` for each, with the CPU seconds of a load. Then it times branches that go random ways, which
 * are the same again after so many: `branches N S`. Prints `done` at the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, LEAST_BYTES = 16 << 10, MOST_BYTES = 128 << 20, ROUNDS = 3 };
enum { LEAST_BRANCHES = 256, MOST_BRANCHES = 1 << 20, BRANCHES = 8 << 20 };
enum { WORDS = LINE_BYTES / sizeof(uint64_t), LOADS = 1 << 18 };

static volatile uint64_t result;

/* CPU time: other programs' use of the processor doesn't count. */
static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

/* Makes each line hold the place of another one, so that all are in one ring (Sattolo's shuffle). */
static void make_ring(uint64_t *words, size_t n_lines, uint64_t *state)
{
    for (size_t i = 0; i < n_lines; i++)
        words[i * WORDS] = i * WORDS;
    for (size_t i = n_lines - 1; i > 0; i--) {
        size_t other = next_random(state) % i;
        uint64_t place = words[i * WORDS];
        words[i * WORDS] = words[other * WORDS];
        words[other * WORDS] = place;
    }
}

/* Each load's address is what the one before loaded. */
static void follow(const uint64_t *words, size_t n_lines, uint64_t *at)
{
    uint64_t place = *at % n_lines * WORDS;
    for (size_t i = 0; i < LOADS; i++)
        place = words[place];
    *at = place / WORDS;
}

/* Random addresses, which don't wait for loads. */
static void roam(const uint64_t *words, size_t n_lines, uint64_t *at)
{
    uint64_t sum = 0, state = *at;
    for (size_t i = 0; i < LOADS; i++)
        sum += words[(next_random(&state) & (n_lines - 1)) * WORDS];
    result = sum;
    *at = state;
}

/* Line after line. */
static void stream(const uint64_t *words, size_t n_lines, uint64_t *at)
{
    uint64_t sum = 0, line = *at;
    for (size_t i = 0; i < LOADS; i++, line++)
        sum += words[(line & (n_lines - 1)) * WORDS];
    result = sum;
    *at = line;
}

/* As down the columns of a matrix: each load a page and a line further. */
static void leap(const uint64_t *words, size_t n_lines, uint64_t *at)
{
    const size_t step = PAGE_BYTES / LINE_BYTES + 1;
    uint64_t sum = 0, line = *at;
    for (size_t i = 0; i < LOADS; i++, line += step)
        sum += words[(line & (n_lines - 1)) * WORDS];
    result = sum;
    *at = line;
}

static const struct {
    const char *name;
    void (*load)(const uint64_t *words, size_t n_lines, uint64_t *at);
} orders[] = {{"roam", roam}, {"stream", stream}, {"leap", leap}, {"follow", follow}};

static void time_order(size_t order, const uint64_t *words, size_t bytes, uint64_t *state)
{
    double least_s = 0;
    uint64_t at = next_random(state);
    orders[order].load(words, bytes / LINE_BYTES, &at);
    for (int i = 0; i < ROUNDS; i++) {
        double before_s = cpu_s();
        orders[order].load(words, bytes / LINE_BYTES, &at);
        double time_s = (cpu_s() - before_s) / LOADS;
        least_s = i && least_s < time_s ? least_s : time_s;
    }
    result = at;
    printf("distance %s %zu %.6g\n", orders[order].name, bytes, least_s);
}

/* Both ways do something that the compiler can't do without a branch. */
static uint64_t branch(const uint8_t *ways, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (ways[i])
            sum += i;
        else
            sum ^= i;
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

static void time_branches(uint8_t *ways, size_t n, uint64_t *state)
{
    const size_t n_rounds = BRANCHES / n;
    double least_s = 0;
    for (size_t i = 0; i < n; i++)
        ways[i] = next_random(state) & 1;
    for (int i = 0; i < ROUNDS; i++) {
        double before_s = cpu_s();
        for (size_t k = 0; k < n_rounds; k++)
            result += branch(ways, n);
        double time_s = (cpu_s() - before_s) / (double)(n_rounds * n);
        least_s = i && least_s < time_s ? least_s : time_s;
    }
    printf("branches %zu %.6g\n", n, least_s);
}

int main(int n, char **words)
{
    uint64_t state = 1, *memory = aligned_alloc(PAGE_BYTES, MOST_BYTES);
    (void)n;
    if (!memory) {
        fprintf(stderr, "%s: not enough memory\n", words[0]);
        return 2;
    }
    for (size_t bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2) {
        make_ring(memory, bytes / LINE_BYTES, &state);
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            time_order(i, memory, bytes, &state);
        fflush(stdout);
    }
    for (size_t n_branches = LEAST_BRANCHES; n_branches <= MOST_BRANCHES; n_branches *= 2)
        time_branches((uint8_t *)memory, n_branches, &state);
    printf("done\n");
    return 0;
}
